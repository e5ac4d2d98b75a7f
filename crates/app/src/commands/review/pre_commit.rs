//! `hunkwise review --pre-commit`: determines the change that pre-commit (pre-commit.com) wants reviewed.
//!
//! pre-commit runs a hook before a commit, for two revisions (`--from-ref` and `--to-ref`, and before a push), and for
//! files (`--all-files`, `--files`). It passes the revisions in the environment, and always passes files as arguments.
//! If all of these files are staged, the run is for a commit.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use git::{Change, Git};
use settings::{CiVariable, Environment};

use super::task::Checkout;
use crate::outcome::Error;

/// The option of `hunkwise review`.
const OPTION: &str = "--pre-commit";

/// The change for a run with these files.
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

/// A file with a name that would be parsed as an option. pre-commit appends file names, which a pull request can
/// choose, to the options without a separator.
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
