//! `hunkwise man`: writes the manual pages, generated from the command tree.

use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::io;
use std::path::PathBuf;

use crate::outcome::{Error, Exit, Outcome};
use crate::output_file;

/// Write the manual pages, one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  hunkwise man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Folder to write into; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// `tree` is the command line to describe.
pub(crate) fn run(args: &Args, tree: clap::Command) -> Outcome {
    let pages = pages(tree)
        .map_err(|error| Error::failure(format!("cannot make the manual pages: {error}")))?;
    output_file::create_folder(&args.folder).map_err(Error::failure)?;
    for (name, page) in pages {
        output_file::write(&args.folder.join(name), &page).map_err(Error::failure)?;
    }
    Ok(Exit::Success)
}

/// The name and the content of each page.
fn pages(tree: clap::Command) -> io::Result<Vec<(OsString, Vec<u8>)>> {
    let folder = tempfile::tempdir()?;
    clap_mangen::generate_to(tree.disable_help_subcommand(true), folder.path())?;
    let page = |entry: io::Result<DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), fs::read(entry.path())?))
    };
    fs::read_dir(folder.path())?.map(page).collect()
}
