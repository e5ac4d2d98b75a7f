//! The texts of changed files on the new side of a change.

use std::collections::HashMap;
use std::io::Read as _;

use review::classify::{Kind, classify, is_skipped};
use review::{Diff, FileDiff, Language, MAX_WHOLE_FILE, Status};

use super::Git;
use super::beneath::open_beneath;
use super::comparison::Place;

/// Maximum size of all files together, as a multiple of the maximum for one.
const FILES: usize = 256;
/// The mode of a symbolic link.
const LINK: u32 = 0o120_000;

/// The new side of a change.
#[derive(Debug)]
pub struct NewSide {
    pub(super) git: Git,
    pub(super) place: Place,
}

impl NewSide {
    /// The texts of the files whose hunks may be parts of them, by their index in the diff. A file that cannot be read,
    /// is too large or is not text is skipped.
    pub fn texts(&self, diff: &Diff<'_>, language: Option<Language>) -> HashMap<usize, String> {
        self.texts_and(diff, language, |_| false)
    }

    /// As [`NewSide::texts`], with further files that are not code.
    pub fn texts_and(
        &self,
        diff: &Diff<'_>,
        language: Option<Language>,
        further: fn(&FileDiff<'_>) -> bool,
    ) -> HashMap<usize, String> {
        let is_wanted = |file: &FileDiff<'_>| {
            let class = classify(file, language);
            // The whole text decides whether a file that looks generated or minified was so before.
            let may_be_source = !is_skipped(file.path())
                && matches!(class.kind, Kind::Source | Kind::Generated | Kind::Minified);
            !matches!(file.status, Status::Added | Status::Removed)
                && !file.hunks.is_empty()
                && file.new_mode != Some(LINK)
                && (class.language.is_some() && may_be_source || further(file))
        };
        let files = diff
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| is_wanted(file));
        let paths: Vec<(usize, &str)> = files.map(|(index, file)| (index, file.path())).collect();
        self.read(paths)
    }

    /// The texts of these files, by the numbers given with their paths. A file that cannot be read, is too large or is
    /// not text is skipped.
    pub(super) fn read(&self, paths: Vec<(usize, &str)>) -> HashMap<usize, String> {
        let mut left = MAX_WHOLE_FILE.saturating_mul(FILES);
        let contents: Vec<(usize, Vec<u8>)> = match &self.place {
            Place::WorkingTree => {
                let read = paths
                    .into_iter()
                    .filter_map(|(index, path)| Some((index, self.of_working_tree(path)?)));
                let fits = |(_, bytes): &(usize, Vec<u8>)| {
                    left = left.saturating_sub(bytes.len());
                    left > 0
                };
                read.take_while(fits).collect()
            }
            Place::Index => self.of_objects("", &paths, left),
            Place::Commit(commit) => self.of_objects(commit, &paths, left),
        };
        let text = |(index, bytes): (usize, Vec<u8>)| {
            let text = String::from_utf8(bytes)
                .ok()
                .filter(|text| !text.contains('\0'))?;
            Some((index, text))
        };
        contents.into_iter().filter_map(text).collect()
    }

    fn of_working_tree(&self, path: &str) -> Option<Vec<u8>> {
        let file = open_beneath(self.git.root().ok()?, path)?;
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let is_small = |bytes: u64| bytes <= MAX_WHOLE_FILE as u64;
        if !is_small(metadata.len()) {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(MAX_WHOLE_FILE as u64 + 1)
            .read_to_end(&mut bytes)
            .ok()?;
        is_small(bytes.len() as u64).then_some(bytes)
    }

    /// The files of a commit, or of the index, at most `most` bytes of them.
    fn of_objects(
        &self,
        commit: &str,
        paths: &[(usize, &str)],
        most: usize,
    ) -> Vec<(usize, Vec<u8>)> {
        let mut left = most;
        let read = |(index, path): &(usize, &str)| {
            let name = format!("{commit}:{path}");
            let object = self.git.object(&name, left.min(MAX_WHOLE_FILE)).ok()??;
            left -= object.content.len();
            (object.kind == "blob").then_some((*index, object.content))
        };
        paths.iter().filter_map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use review::Diff;

    use super::MAX_WHOLE_FILE;
    use crate::test_git::git;
    use crate::{Bounds, Change, Git};

    const BOUNDS: Bounds = Bounds {
        file_bytes: 1 << 20,
        file_lines: 1 << 20,
        bytes: 1 << 22,
        lines: 1 << 22,
    };

    /// Reads the files of a change, and returns the text of the first one.
    fn read(
        folder: &Path,
        change: &Change,
        before: impl FnOnce(),
    ) -> (Vec<String>, Option<String>) {
        let taken = Git::open(folder)
            .unwrap()
            .diff(change, &BOUNDS, |files| Ok(vec![None; files.len()]))
            .unwrap();
        let text = String::from_utf8_lossy(&taken.diff);
        let diff = Diff::parse(&text).unwrap();
        before();
        let mut texts: Vec<_> = taken
            .new_side
            .unwrap()
            .texts(&diff, None)
            .into_iter()
            .collect();
        texts.sort();
        let first = texts.first().map(|(_, text)| text.clone());
        (
            texts
                .iter()
                .map(|(index, _)| diff.files[*index].path().to_owned())
                .collect(),
            first,
        )
    }

    #[test]
    fn changed_files_are_read_on_the_new_side() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let outside = tempfile::NamedTempFile::new().unwrap();
        fs::write(outside.path(), "secret = 1\n").unwrap();
        git(folder.path(), &["init", "-q"]);
        let large = "x = 1\n".repeat(MAX_WHOLE_FILE / 6 + 1);
        let files = [
            ("a b.py", "x = 1\n"),
            ("é.py", "y = 1\n"),
            ("link.py", "x = 1\n"),
            ("large.py", &*large),
            ("binary.py", "z = 1\n"),
            ("gone.py", "x = 1\n"),
        ];
        files
            .iter()
            .for_each(|(path, text)| fs::write(at(path), text).unwrap());
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        files
            .iter()
            .for_each(|(path, text)| fs::write(at(path), format!("{text}staged = 2\n")).unwrap());
        fs::write(at("binary.py"), b"z = \xff\n").unwrap();
        fs::remove_file(at("gone.py")).unwrap();
        fs::remove_file(at("link.py")).unwrap();
        symlink(outside.path(), at("link.py")).unwrap();
        git(folder.path(), &["add", "."]);
        fs::write(at("a b.py"), "x = 1\nunstaged = 3\n").unwrap();
        let both = ["a b.py", "é.py"].map(str::to_owned).to_vec();
        let staged = read(folder.path(), &Change::Staged, || ());
        assert_eq!(
            staged,
            (both.clone(), Some("x = 1\nstaged = 2\n".to_owned()))
        );
        let uncommitted = read(folder.path(), &Change::Uncommitted, || ());
        assert_eq!(
            uncommitted,
            (both.clone(), Some("x = 1\nunstaged = 3\n".to_owned()))
        );
        // A link that replaces a file after git has created the diff.
        let swapped = read(folder.path(), &Change::Uncommitted, || {
            fs::remove_file(at("é.py")).unwrap();
            symlink(outside.path(), at("é.py")).unwrap();
        });
        assert_eq!(swapped.0, ["a b.py"]);
        git(folder.path(), &["commit", "-qm", "two"]);
        let committed = read(folder.path(), &Change::Commit("HEAD".to_owned()), || ());
        assert_eq!(committed, (both, Some("x = 1\nstaged = 2\n".to_owned())));
    }
}
