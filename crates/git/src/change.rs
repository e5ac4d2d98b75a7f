//! The changes of a checkout, as a caller names them.

/// A change of the checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The working tree against the last commit.
    Uncommitted,
    /// The index against the last commit.
    Staged,
    /// The working tree against the merge base of this branch and that revision.
    Since(String),
    /// One commit against its (first) parent.
    Commit(String),
    /// From one commit to another.
    Between(String, String),
    /// The changes on a commit that are not in another one's history, starting from their merge base.
    SinceBranching(String, String),
    /// The files of the working tree as if all of them were new.
    Whole,
}

impl Change {
    /// Parses `A..B` or `A...B`; a missing end is HEAD. `None` if the text is not a range.
    pub fn range(text: &str) -> Option<Self> {
        let end = |text: &str| {
            if text.is_empty() {
                "HEAD".to_owned()
            } else {
                text.to_owned()
            }
        };
        let (from, to) = text.split_once("..")?;
        let is_path = from.ends_with('/') || to.starts_with('/');
        (!is_path).then(|| match to.strip_prefix('.') {
            Some(to) => Self::SinceBranching(end(from), end(to)),
            None => Self::Between(end(from), end(to)),
        })
    }

    /// Whether the working tree is part of the change, and with it possibly untracked files.
    pub fn has_working_tree(&self) -> bool {
        matches!(self, Self::Uncommitted | Self::Since(_) | Self::Whole)
    }

    /// Whether the change involves only commits.
    pub(crate) fn is_committed(&self) -> bool {
        matches!(
            self,
            Self::Commit(_) | Self::Between(..) | Self::SinceBranching(..)
        )
    }
}

/// Untracked files: their paths relative to the top, each terminated by a NUL.
#[derive(Debug, Default)]
pub struct Untracked(pub(crate) Vec<u8>);

impl Untracked {
    /// The paths with their NULs. A folder is a nested repository and is skipped.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.0
            .split_inclusive(|byte| *byte == 0)
            .filter(|path| !path.ends_with(b"/\0"))
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.paths().count()
    }
}
