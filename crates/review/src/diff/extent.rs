//! The extent of a diff, which is checked against the limits of a request.

use super::model::{Diff, FileDiff, Hunk};

/// The sizes of a diff, and the largest of its parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Files, also those without lines to review.
    pub files: usize,
    /// Bytes of the longest path, unquoted.
    pub path_bytes: usize,
    /// Bytes of the longest hunk header, including the section heading.
    pub hunk_header_bytes: usize,
    /// The largest number of parents of a merge's hunk; 0 without one.
    pub combined_parents: usize,
}

impl Diff<'_> {
    /// Measures the diff.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let mut extent = Extent {
            files: self.files.len(),
            ..Extent::default()
        };
        for file in &self.files {
            extent.path_bytes = extent.path_bytes.max(path_bytes(file));
            for hunk in &file.hunks {
                extent.hunk_header_bytes = extent.hunk_header_bytes.max(hunk.header.len());
                extent.combined_parents = extent.combined_parents.max(parents(hunk));
            }
        }
        extent
    }
}

fn path_bytes(file: &FileDiff<'_>) -> usize {
    [&file.old_path, &file.new_path]
        .into_iter()
        .flatten()
        .map(|path| path.len())
        .max()
        .unwrap_or_default()
}

/// A merge's hunk header has one more `@` than parents on either end of its ranges.
fn parents(hunk: &Hunk<'_>) -> usize {
    let signs = hunk.header.bytes().take_while(|byte| *byte == b'@').count();
    if signs > 2 { signs - 1 } else { 0 }
}
