//! `hunkwise rules export`: writes the rules as pages.

use std::path::{Path, PathBuf};

use lint::pages;

use crate::outcome::{Error, Exit, Outcome};
use crate::{out, output_file};

/// The page that lists all rules.
const LIST: &str = "README.md";

/// Write a page for each built-in rule (Markdown), and a list of all
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise rules export docs/rules")]
pub(crate) struct Args {
    /// Output folder; it is created if it does not exist, and files of the same names are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome {
    let rules = rules::built_in().rules();
    write(
        &args.folder.join(LIST),
        &pages::index(rules, |rule| format!("{}.md", rule.id)),
    )?;
    for rule in rules {
        write(
            &args.folder.join(format!("{}.md", rule.id)),
            &pages::page(rule),
        )?;
    }
    out::note(&format!(
        "{} pages and {LIST} are in {}",
        rules.len(),
        args.folder.display()
    ));
    Ok(Exit::Success)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let created = path.parent().map_or(Ok(()), output_file::create_folder);
    created
        .and_then(|()| output_file::write(path, text.as_bytes()))
        .map_err(Error::usage)
}
