//! `hunkwise review --pre-commit`: which change pre-commit (pre-commit.com) means.
//!
//! It runs a hook before a commit, for two revisions (`--from-ref`, `--to-ref`, and before a push), and for files
//! (`--all-files`, `--files`). The revisions are in the environment. Always it names files; that all of them are staged is how
//! a commit can be told from a run for files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::task::Checkout;
use crate::git::{Change, Git};
use crate::outcome::Error;
use crate::settings::{CiVariable, Environment};

/// The option of `hunkwise review`.
const OPTION: &str = "--pre-commit";

/// The change that pre-commit means, which names these files.
///
/// # Errors
/// Git failed.
pub(super) fn source(named: &[PathBuf], environment: &Environment) -> Result<Checkout, Error> {
    let revision = |variable| environment.ci(variable).map(str::to_owned);
    if let (Some(from), Some(to)) = (
        revision(CiVariable::PreCommitFromRef),
        revision(CiVariable::PreCommitToRef),
    ) {
        return Ok(Checkout {
            change: Change::SinceBranching(from, to),
            paths: Vec::new(),
            untracked: false,
        });
    }
    let git = Git::open(Path::new("."))?;
    let staged = git.staged()?;
    let is_staged = |path: &PathBuf| {
        git.path_from_top(path)
            .is_some_and(|path| staged.contains(&path))
    };
    let is_commit = named.iter().all(is_staged);
    let (change, paths) = if is_commit {
        (Change::Staged, Vec::new())
    } else {
        (Change::Whole, named.to_vec())
    };
    Ok(Checkout {
        change,
        paths,
        untracked: false,
    })
}

/// A file whose name would be read as an option: pre-commit puts the names of files, which a pull request can choose, behind
/// the options, and nothing between them.
pub(crate) fn file_like_an_option<'a>(
    arguments: &'a [std::ffi::OsString],
    folder: &Path,
) -> Option<&'a OsStr> {
    if !arguments.iter().any(|argument| argument == OPTION) {
        return None;
    }
    let is_file = |argument: &&OsStr| folder.join(argument).symlink_metadata().is_ok();
    arguments
        .iter()
        .map(|argument| &**argument)
        .filter(|argument| argument.as_bytes().starts_with(b"-"))
        .find(is_file)
}
