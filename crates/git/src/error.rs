//! The errors of git.

use std::io;
use std::path::PathBuf;

/// Why git failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum GitError {
    /// Git is not installed.
    #[error("git was not found: install it, or pass a FILE, or - to read a diff from stdin")]
    NoGit,
    /// There is no repository around the folder.
    #[error("not in a git checkout: run this inside one, or pass a diff file, or - for stdin")]
    NoCheckout,
    /// The repository has no working tree.
    #[error(
        "there is no working tree here, only a repository: change into a checkout, name a commit with --commit, \
         or pass a FILE, or - to read a diff from stdin"
    )]
    NoWorkTree,
    /// A revision does not exist.
    #[error("there is no commit {0:?} in this repository")]
    NoRevision(String),
    /// A revision does not exist, but may be a branch of a remote.
    #[error(
        "there is no commit {revision:?} in this clone: if it is a branch of {remote}, run `{fetch}` and {then}"
    )]
    NoBranch {
        /// The revision as written by the user.
        revision: String,
        /// The name of the remote.
        remote: String,
        /// The command that fetches the branch.
        fetch: String,
        /// The next step after that.
        then: String,
    },
    /// A revision can mean several things, of which git would choose one.
    #[error(
        "{revision:?} is ambiguous in this repository: it can mean {} or {last}; name one of these",
        others.join(", ")
    )]
    Ambiguous {
        /// The revision as written by the user.
        revision: String,
        /// Its possible meanings, except for the last.
        others: Vec<String>,
        /// The last.
        last: String,
    },
    /// A revision may be missing because the clone is shallow; with the command that fetches it.
    #[error("there is no commit {0:?} in this shallow clone: run `{1}` and try again")]
    NoRevisionYet(String, String),
    /// There is no commit to compare a revision with.
    #[error("this branch has no commit yet, so {0:?} cannot be compared with it")]
    NoCommits(String),
    /// Two revisions have no merge base.
    #[error("{0:?} and {1:?} have no common ancestor")]
    NoMergeBase(String, String),
    /// The merge base of two revisions may be missing because the clone is shallow; with the command that fetches it.
    #[error(
        "the common ancestor of {0:?} and {1:?} is not in this shallow clone: run `{2}`, several times if necessary"
    )]
    NoMergeBaseYet(String, String, String),
    /// The parent of a commit is missing because the clone is shallow; with the command that fetches it.
    #[error("the parent of {0:?} is not in this shallow clone: run `{1}` and try again")]
    NoParent(String, String),
    /// The folder looks like a bare repository, whose configuration could run programs.
    #[error(
        "{0:?} looks like a bare git repository, and the configuration of such a folder can run programs: run this in another \
         folder, or, if you trust the repository, with GIT_DIR set to its path"
    )]
    BareRepository(PathBuf),
    /// The configuration of a repository (in the first folder) names a working tree (the second one) outside of its folder.
    #[error(
        "the configuration of the repository in {0:?} sets core.worktree to {1:?}, which is outside of that folder: if you trust the \
         repository, run this with GIT_DIR set to the path of its .git"
    )]
    StrayWorkTree(PathBuf, PathBuf),
    /// A partial clone lacks objects; with the git command that fetches them.
    #[error(
        "objects of this partial clone are missing, and Hunkwise does not fetch: run `git {0}` once to fetch them, and \
         try again"
    )]
    MissingObjects(String),
    /// A path does not exist; with a hint, or nothing.
    #[error("{0:?} is neither a file here nor one that git knows{1}")]
    NoPath(String, &'static str),
    /// A path is outside of the repository, with the message of git.
    #[error("{0}")]
    Outside(String),
    /// The temporary index cannot be written, with the reason.
    #[error("the temporary index for untracked files cannot be written: {0}")]
    NoIndex(String),
    /// There are too many changed files.
    #[error("the change has too many files to list: pass PATHs to review it in parts")]
    TooManyFiles,
    /// Git printed more than this many bytes.
    #[error("git printed more than {0} bytes: review the change in parts")]
    TooLarge(usize),
    /// The installed git lacks a required option.
    #[error("git {found} is too old: Hunkwise needs git {needed} or later (git said: {reason})")]
    TooOld {
        /// The installed version.
        found: String,
        /// The required version.
        needed: &'static str,
        /// The message of git.
        reason: String,
    },
    /// Any other failure, with the message of git.
    #[error("git failed: {0}")]
    Failed(String),
}

impl GitError {
    /// Why a git process could not be started.
    pub(super) fn not_started(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NoGit,
            _ => Self::Failed(error.to_string()),
        }
    }

    /// The revision does not exist here.
    pub fn is_no_revision(&self) -> bool {
        matches!(
            self,
            Self::NoRevision(_) | Self::NoBranch { .. } | Self::NoRevisionYet(..)
        )
    }

    /// Whether git itself or the system failed, instead of being used on something that is not there.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Failed(_) | Self::TooOld { .. } | Self::NoIndex(_)
        )
    }
}
