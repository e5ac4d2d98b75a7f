//! `hunkwise rules export`: the rules as pages.

use std::path::{Path, PathBuf};

use lint::{RuleSet, pages};

use crate::out;
use crate::outcome::{Error, Exit, Outcome};

/// The page with all rules.
const LIST: &str = "README.md";

/// Write a page for each built-in rule (Markdown), and a list of all
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise rules export docs/rules")]
pub(crate) struct Args {
    /// The folder, made if it is not there; files of the same names are replaced, others stay
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome {
    let rules = RuleSet::builtin().rules();
    write(&args.folder.join(LIST), &pages::index(rules, |rule| format!("{}.md", rule.id)))?;
    for rule in rules {
        write(&args.folder.join(format!("{}.md", rule.id)), &pages::page(rule))?;
    }
    out::note(&format!("{} pages and {LIST} are in {}", rules.len(), args.folder.display()));
    Ok(Exit::Success)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| std::fs::write(path, text));
    written.map_err(|error| Error::usage(format!("cannot write {}: {error}", path.display())))
}
