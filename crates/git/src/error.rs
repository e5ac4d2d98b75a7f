//! The errors of git.

use std::path::PathBuf;

use crate::outcome::Error;

/// Why git failed.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum GitError {
    #[error("git was not found: install it, or pass a FILE, or - to read a diff from stdin")]
    NoGit,
    #[error("not in a git checkout: run this inside one, or pass a diff file, or - for stdin")]
    NoCheckout,
    #[error(
        "there is no working tree here, only a repository: change into a checkout, name a commit with --commit, \
         or pass a FILE, or - to read a diff from stdin"
    )]
    NoWorkTree,
    #[error("there is no commit {0:?} in this repository")]
    NoRevision(String),
    #[error(
        "there is no commit {revision:?} in this clone: if it is a branch of {remote}, run `{fetch}` and {then}"
    )]
    NoBranch {
        revision: String,
        remote: String,
        fetch: String,
        then: String,
    },
    #[error("there is no commit {0:?} in this shallow clone: run `{1}` and try again")]
    NoRevisionYet(String, String),
    #[error("this branch has no commit yet, so {0:?} cannot be compared with it")]
    NoCommits(String),
    #[error("{0:?} and {1:?} have no common ancestor")]
    NoMergeBase(String, String),
    #[error(
        "the common ancestor of {0:?} and {1:?} is not in this shallow clone: run `{2}`, several times if necessary"
    )]
    NoMergeBaseYet(String, String, String),
    #[error("the parent of {0:?} is not in this shallow clone: run `{1}` and try again")]
    NoParent(String, String),
    #[error(
        "{0:?} looks like a bare git repository, and the configuration of such a folder can run programs: run this in another \
         folder, or, if you trust the repository, with GIT_DIR set to its path"
    )]
    BareRepository(PathBuf),
    #[error(
        "objects of this partial clone are missing, and Hunkwise does not fetch: run `git {0}` once to fetch them, and \
         try again"
    )]
    MissingObjects(String),
    #[error("{0:?} is neither a file here nor one that git knows{1}")]
    NoPath(String, &'static str),
    #[error("{0}")]
    Outside(String),
    #[error("the temporary index for untracked files cannot be written: {0}")]
    NoIndex(String),
    #[error("the change has too many files to list: pass PATHs to review it in parts")]
    TooManyFiles,
    #[error("git printed more than {0} bytes: review the change in parts")]
    TooLarge(usize),
    #[error("git {found} is too old: Hunkwise needs git {needed} or later (git said: {reason})")]
    TooOld {
        found: String,
        needed: &'static str,
        reason: String,
    },
    #[error("git failed: {0}")]
    Failed(String),
}

impl GitError {
    /// The revision does not exist here.
    pub(crate) fn is_no_revision(&self) -> bool {
        matches!(
            self,
            Self::NoRevision(_) | Self::NoBranch { .. } | Self::NoRevisionYet(..)
        )
    }
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Failed(_) | GitError::TooOld { .. } | GitError::NoIndex(_) => {
                Self::failure(error)
            }
            _ => Self::usage(error),
        }
    }
}
