//! The files of a repository that mention certain names, for finding what a change breaks in files that it does not touch.

use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of names of one search.
pub const MAX_NAMES: usize = 50;
/// The maximum number of hits that are examined.
pub const MAX_MENTIONS: usize = 2_000;
/// The maximum number of files that are read.
pub const MAX_MENTIONING_FILES: usize = 200;
/// A name that more files mention is too common to be attributed to one definition.
pub const MAX_FILES_OF_NAME: usize = 60;

/// In a repository with more files, only the folders near the change are searched.
pub const MANY_FILES: usize = 50_000;
/// The same for the total size of the files that would be searched, in bytes.
pub const MANY_BYTES: u64 = 500_000_000;

/// A search for names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MentionSearch {
    /// The names, as whole words: at most [`MAX_NAMES`].
    pub names: Vec<String>,
    /// The extensions of the files, without a dot.
    pub extensions: Vec<&'static str>,
    /// The folders to which the search of a very large repository is limited; the empty one has only the files at the top.
    pub near: BTreeSet<String>,
}

/// A file that mentions names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MentioningFile {
    /// The path from the root of the repository.
    pub path: String,
    /// Its text after the change.
    pub text: String,
    /// The names that it mentions.
    pub names: Vec<String>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The files, in the order of their paths.
    pub files: Vec<MentioningFile>,
    /// The paths of all files of the repository with one of the extensions.
    pub paths: Vec<String>,
    /// A limit was exceeded, or a file could not be read: there may be more mentions.
    pub is_cut: bool,
    /// The repository is so large that only the folders near the change were searched.
    pub is_limited: bool,
    /// The names that further files may mention: too many files do, or not all files are known.
    pub unsearched: BTreeSet<String>,
}

/// The files to read after a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesToRead {
    /// Their paths in order, with the names that each mentions.
    pub files: Vec<(String, Vec<String>)>,
    /// The names that more than [`MAX_FILES_OF_NAME`] files mention. No file is read because of them.
    pub common: BTreeSet<String>,
    /// A limit was exceeded.
    pub is_cut: bool,
}

/// Whether a path has one of these extensions.
#[must_use]
pub fn has_extension(path: &str, extensions: &[&'static str]) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// How often a file mentions a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameCount {
    /// The path of the file.
    pub path: String,
    /// The position of the name in the search.
    pub name: usize,
    /// At least 1.
    pub count: usize,
}

/// The files to read after a search for these names. Counts of the same name in the same file are added.
#[must_use]
pub fn files_to_read(names: &[String], found: &[NameCount]) -> FilesToRead {
    let mut by_name: BTreeMap<usize, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for one in found {
        let (paths, count) = by_name.entry(one.name).or_default();
        paths.insert(&one.path);
        *count += one.count;
    }
    let (mut left, mut is_cut) = (MAX_MENTIONS, false);
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut common = BTreeSet::new();
    for (name, (paths, count)) in by_name {
        let Some(name) = names.get(name) else {
            continue;
        };
        if paths.len() > MAX_FILES_OF_NAME {
            common.insert(name.clone());
            continue;
        }
        if count > left {
            is_cut = true;
            continue;
        }
        left -= count;
        for path in paths {
            if files.len() < MAX_MENTIONING_FILES || files.contains_key(path) {
                files.entry(path).or_default().push(name.clone());
            } else {
                is_cut = true;
            }
        }
    }
    let files = files
        .into_iter()
        .map(|(path, names)| (path.to_owned(), names))
        .collect();
    FilesToRead {
        files,
        common,
        is_cut,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MAX_FILES_OF_NAME, MAX_MENTIONING_FILES, MAX_MENTIONS, NameCount, files_to_read};

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("name{at}")).collect()
    }

    fn found(name: usize, files: usize, count: usize) -> Vec<NameCount> {
        let of_file = |at: usize| NameCount {
            path: format!("{name}{at:03}.py"),
            name,
            count,
        };
        (0..files).map(of_file).collect()
    }

    #[test]
    fn a_file_is_read_once_for_all_of_its_names() {
        let found =
            [("b.py", 0), ("a.py", 0), ("b.py", 1), ("b.py", 0)].map(|(path, name)| NameCount {
                path: path.to_owned(),
                name,
                count: 1,
            });
        let read = files_to_read(&names(2), &found);
        let expected = [("a.py", vec!["name0"]), ("b.py", vec!["name0", "name1"])];
        let expected = expected.map(|(path, names)| {
            (
                path.to_owned(),
                names.into_iter().map(str::to_owned).collect(),
            )
        });
        assert_eq!((read.files, read.is_cut), (expected.to_vec(), false));
        assert!(read.common.is_empty());
    }

    #[test]
    fn common_names_are_left_out_and_limits_are_reported() {
        let common = files_to_read(&names(1), &found(0, MAX_FILES_OF_NAME + 1, 1));
        assert_eq!((common.files, common.is_cut), (Vec::new(), false));
        assert_eq!(common.common, BTreeSet::from(["name0".to_owned()]));
        let rare = files_to_read(&names(1), &found(0, MAX_FILES_OF_NAME, 1));
        assert_eq!(rare.files.len(), MAX_FILES_OF_NAME);
        let often = files_to_read(&names(1), &found(0, 1, MAX_MENTIONS + 1));
        assert_eq!((often.files, often.is_cut), (Vec::new(), true));
        let many: Vec<_> = (0..4)
            .flat_map(|at| found(at, MAX_FILES_OF_NAME, 1))
            .collect();
        let read = files_to_read(&names(4), &many);
        assert_eq!(
            (read.files.len(), read.is_cut),
            (MAX_MENTIONING_FILES, true)
        );
    }
}
