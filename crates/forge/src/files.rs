//! The files of a change as a host returns them: each with its hunks, but without the header of a diff.

use std::borrow::Cow;

use review::{Diff, FileDiff, Hunk, OwnedDiff, Status};

/// A file of a change.
#[derive(Debug)]
pub struct HostFile {
    old_path: String,
    new_path: String,
    status: Status,
    /// The hunks; `None` if the host returns none, or they are not a valid diff.
    patch: Option<OwnedDiff>,
}

impl HostFile {
    pub(super) fn new(old_path: String, new_path: String, status: Status, hunks: &str) -> Self {
        // The paths are returned separately, and need not be quoted here.
        let text = format!("--- a/file\n+++ b/file\n{}\n", hunks.trim_end_matches('\n'));
        let patch = OwnedDiff::parse(text)
            .ok()
            .filter(|patch| patch.diff().files.len() == 1);
        Self {
            old_path,
            new_path,
            status,
            patch,
        }
    }

    fn hunks(&self) -> Vec<Hunk<'_>> {
        self.patch
            .iter()
            .flat_map(|patch| &patch.diff().files)
            .flat_map(|file| file.hunks.iter().cloned())
            .collect()
    }

    fn diff(&self) -> FileDiff<'_> {
        FileDiff {
            old_path: (self.status != Status::Added).then(|| Cow::from(&self.old_path)),
            new_path: (self.status != Status::Removed).then(|| Cow::from(&self.new_path)),
            status: self.status,
            old_mode: None,
            new_mode: None,
            binary: false,
            is_unshown: false,
            is_test: None,
            hunks: self.hunks(),
        }
    }

    /// Combines the files into a diff.
    pub fn diff_of(files: &[Self]) -> Diff<'_> {
        Diff {
            files: files.iter().map(Self::diff).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(status: Status, hunks: &str) -> HostFile {
        HostFile::new(
            "old \"name\".py".to_owned(),
            "new\tname.py".to_owned(),
            status,
            hunks,
        )
    }

    #[test]
    fn hunks_and_paths_become_a_diff() {
        let files = [
            file(
                Status::Renamed,
                "@@ -1,2 +1,2 @@ def f\n a\n-b\n+c\n\\ No newline at end of file",
            ),
            file(Status::Added, "@@ -0,0 +1 @@\n+c\n"),
        ];
        let diff = HostFile::diff_of(&files);
        assert_eq!(diff.files[0].old_path.as_deref(), Some("old \"name\".py"));
        assert_eq!(diff.files[0].path(), "new\tname.py");
        assert_eq!(
            diff.files[0].hunks[0]
                .lines
                .iter()
                .map(|line| line.text)
                .collect::<String>(),
            "abc"
        );
        assert_eq!(
            (
                diff.files[1].old_path.as_deref(),
                diff.files[1].hunks[0].lines[0].new
            ),
            (None, Some(1))
        );
    }

    #[test]
    fn an_invalid_patch_has_no_lines() {
        for hunks in [
            "",
            "@@ -1,9 +1,9 @@\n+cut",
            "@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
            "nonsense",
        ] {
            let files = [file(Status::Modified, hunks)];
            assert!(
                HostFile::diff_of(&files).files[0].hunks.is_empty(),
                "{hunks}"
            );
        }
    }
}
