//! Renamed files of which all lines need a review.
//!
//! Git shows only the changed lines of a renamed file. If the file was prose, third-party code or the like under its old
//! name, the others were never reviewed, so it is shown as removed and added instead.

use std::collections::HashSet;

use review::classify::is_reviewed_alike;

use super::changed::Changed;
use super::comparison::Comparison;
use super::index::spec;
use super::sections::{self, Bounds};
use super::{Git, GitError};

/// Maximum number of files that are shown so: each takes space in the command line.
const FILES: usize = 1_000;

impl Git {
    /// The diff and its files, with all lines of the renamed files that need a review under their new names. If the diff
    /// becomes too large, it is unchanged, and the review has a warning for each of them.
    pub(super) fn with_split_renames(
        &self,
        diff: Vec<u8>,
        files: Vec<Changed>,
        comparison: &Comparison,
        bounds: &Bounds,
    ) -> Result<(Vec<u8>, Vec<Changed>), GitError> {
        let (split, mut kept): (Vec<_>, Vec<_>) = files.into_iter().partition(needs_review);
        if split.is_empty() || split.len() > FILES {
            kept.extend(split);
            return Ok((diff, kept));
        }
        let paths: Vec<_> = split
            .iter()
            .flat_map(|file| [spec("", &file.old), spec("", &file.new)])
            .collect();
        let left = bounds.bytes.saturating_sub(diff.len());
        let whole = match self.compare(comparison, &["--no-renames"], &paths, left) {
            Ok(answer) => Self::checked(answer, comparison)?,
            Err(GitError::TooLarge(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        if whole.is_empty() || lines(&diff) + lines(&whole) > bounds.lines {
            kept.extend(split);
            return Ok((diff, kept));
        }
        let renamed: HashSet<String> = split.iter().map(Changed::path).collect();
        let rest = sections::split(&diff)
            .into_iter()
            .filter(|section| !renamed.contains(&sections::path(section)));
        let all = rest.chain([whole.as_slice()]).collect::<Vec<_>>().concat();
        kept.extend(split.iter().flat_map(Changed::split));
        Ok((all, kept))
    }
}

fn needs_review(file: &Changed) -> bool {
    file.old != file.new && !is_reviewed_alike(&String::from_utf8_lossy(&file.old), &file.path())
}
