//! `hunkwise man`: the manual pages, made from the same command tree as `--help`.

use std::fs;
use std::path::PathBuf;

use super::Context;
use crate::outcome::{Error, Exit, Outcome};

/// Write the manual pages, one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  hunkwise man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Folder to write into; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Args, _context: &Context) -> Outcome {
    let named = |error| Error::failure(format!("{}: {error}", args.folder.display()));
    fs::create_dir_all(&args.folder).map_err(named)?;
    let tree = crate::cli::tree().disable_help_subcommand(true);
    clap_mangen::generate_to(tree, &args.folder).map_err(named)?;
    Ok(Exit::Success)
}
