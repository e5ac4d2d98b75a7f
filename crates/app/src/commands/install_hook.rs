//! `hunkwise install-hook`: a git hook that reviews what is about to be committed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::{Context, print};
use crate::git::Git;
use crate::outcome::{Error, Outcome};

const HOOK: &str = "\
#!/bin/sh
# Reviews the staged change. Written by `hunkwise install-hook`; `git commit --no-verify` goes without.
exec hunkwise review --staged
";
/// What a hook that is there already needs.
const LINE: &str = "hunkwise review --staged || exit $?";

/// Write a git hook that reviews the staged change before each commit
///
/// The hook goes where this checkout has its hooks (core.hooksPath). One that is there already stays as it is.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise install-hook")]
pub(crate) struct Args {}

/// Writes the hook.
pub(crate) fn run(_: &Args, _: &Context) -> Outcome {
    let folder = Git::open(Path::new("."))?.hooks()?;
    let file = folder.join("pre-commit");
    let shown = file.display();
    let written = fs::create_dir_all(&folder).and_then(|()| write(&file));
    match written {
        Ok(()) => print(&format!("wrote {shown}\n")),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && file.symlink_metadata().is_ok() => {
            if fs::read_to_string(&file).is_ok_and(|text| text == HOOK) {
                return print(&format!("{shown} is installed\n"));
            }
            Err(Error::usage(format!("{shown} exists and was not changed; add this line to it:\n  {LINE}")))
        }
        Err(error) => Err(Error::failure(format!("cannot write {shown}: {error}"))),
    }
}

/// Writes a file that is not there yet, whole or not at all.
fn write(file: &Path) -> io::Result<()> {
    let mut new = OpenOptions::new().write(true).create_new(true).mode(0o755).open(file)?;
    new.write_all(HOOK.as_bytes()).inspect_err(|_| {
        let _left_behind = fs::remove_file(file);
    })
}
