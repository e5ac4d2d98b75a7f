//! How far a diff goes: what the limits of a request are held against.

use super::model::{Diff, FileDiff, Hunk};

/// The sizes of a diff, and the largest of its parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Files.
    pub files: usize,
    /// Bytes of the longest path, unquoted.
    pub path_bytes: usize,
    /// Bytes of the longest hunk header, section heading included.
    pub hunk_header_bytes: usize,
    /// Parents of the hunk of a merge that has most; 0 where no hunk is one of a merge.
    pub combined_parents: usize,
}

impl Diff<'_> {
    /// How far the diff goes.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let mut extent = Extent { files: self.files.len(), ..Extent::default() };
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
    [&file.old_path, &file.new_path].into_iter().flatten().map(|path| path.len()).max().unwrap_or_default()
}

/// A hunk of a merge has one `@` more than parents on either end of its ranges.
fn parents(hunk: &Hunk<'_>) -> usize {
    let signs = hunk.header.bytes().take_while(|byte| *byte == b'@').count();
    if signs > 2 { signs - 1 } else { 0 }
}
