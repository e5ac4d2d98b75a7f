//! The files of a repository that mention certain names, for finding what a change breaks in files that it does not touch.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// The files to read. `hits` are paths and names.
#[must_use]
pub fn files_to_read(hits: &[(String, String)]) -> FilesToRead {
    let mut by_name: HashMap<&str, (BTreeSet<&str>, usize)> = HashMap::new();
    let mut order = Vec::new();
    for (path, name) in hits {
        let (paths, count) = by_name.entry(name).or_insert_with(|| {
            order.push(name.as_str());
            Default::default()
        });
        paths.insert(path);
        *count += 1;
    }
    let (mut left, mut is_cut) = (MAX_MENTIONS, false);
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut common = BTreeSet::new();
    for name in order {
        let Some((paths, count)) = by_name.get(name) else {
            continue;
        };
        if paths.len() > MAX_FILES_OF_NAME {
            common.insert(name.to_owned());
            continue;
        }
        if *count > left {
            is_cut = true;
            continue;
        }
        left -= count;
        for path in paths {
            if files.len() < MAX_MENTIONING_FILES || files.contains_key(path) {
                files.entry(path).or_default().push(name.to_owned());
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

    use super::{MAX_FILES_OF_NAME, MAX_MENTIONING_FILES, MAX_MENTIONS, files_to_read};

    fn hits(name: &str, files: usize, each: usize) -> Vec<(String, String)> {
        let hit = |at: usize| (format!("{name}{:03}.py", at / each), name.to_owned());
        (0..files * each).map(hit).collect()
    }

    #[test]
    fn a_file_is_read_once_for_all_of_its_names() {
        let hits = [
            ("b.py", "load"),
            ("a.py", "load"),
            ("b.py", "save"),
            ("b.py", "load"),
        ];
        let found = files_to_read(&hits.map(|(path, name)| (path.to_owned(), name.to_owned())));
        let expected = [("a.py", vec!["load"]), ("b.py", vec!["load", "save"])];
        let expected = expected.map(|(path, names)| {
            (
                path.to_owned(),
                names.into_iter().map(str::to_owned).collect(),
            )
        });
        assert_eq!((found.files, found.is_cut), (expected.to_vec(), false));
        assert!(found.common.is_empty());
    }

    #[test]
    fn common_names_are_left_out_and_limits_are_reported() {
        let common = files_to_read(&hits("common", MAX_FILES_OF_NAME + 1, 1));
        assert_eq!((common.files, common.is_cut), (Vec::new(), false));
        assert_eq!(common.common, BTreeSet::from(["common".to_owned()]));
        let rare = files_to_read(&hits("rare", MAX_FILES_OF_NAME, 1));
        assert_eq!(rare.files.len(), MAX_FILES_OF_NAME);
        let often = files_to_read(&hits("often", 1, MAX_MENTIONS + 1));
        assert_eq!((often.files, often.is_cut), (Vec::new(), true));
        let many: Vec<_> = (0..4)
            .flat_map(|at| hits(&format!("name{at}"), MAX_FILES_OF_NAME, 1))
            .collect();
        let found = files_to_read(&many);
        assert_eq!(
            (found.files.len(), found.is_cut),
            (MAX_MENTIONING_FILES, true)
        );
    }
}
