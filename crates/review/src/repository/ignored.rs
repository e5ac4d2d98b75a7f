//! Which paths the `.gitignore` files of a repository ignore.

use std::collections::BTreeMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the files.
pub(super) const NAME: &str = ".gitignore";

/// Maximum size of a file that is read, in bytes. Its lines are compiled, which takes long.
const MAX_BYTES: usize = 32 << 10;

/// The rules of a repository's `.gitignore` files, by folder.
#[derive(Debug, Default)]
pub(super) struct IgnoreRules(BTreeMap<String, Option<Gitignore>>);

impl IgnoreRules {
    /// Whether git ignores a file: its own path, or a folder above it. `read` gets the path of a `.gitignore` file. If such
    /// a file exists and its text is unknown, everything below its folder counts as ignored.
    pub(super) fn ignores(&mut self, path: &str, read: &impl Fn(&str) -> IgnoreFile) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at);
        let parts: Vec<&str> = ends
            .chain([path.len()])
            .filter_map(|end| path.get(..end))
            .collect();
        // From the top: nothing below an ignored folder can be included again.
        parts.iter().enumerate().any(|(depth, part)| {
            let is_folder = depth + 1 < parts.len();
            let folders = parts.get(..depth).unwrap_or_default().iter().rev().copied();
            self.ignores_part(part, is_folder, folders.chain([""]), read)
        })
    }

    /// Whether the rules of the folders above a path, the nearest first, ignore it.
    fn ignores_part<'p>(
        &mut self,
        part: &str,
        is_folder: bool,
        mut folders: impl Iterator<Item = &'p str>,
        read: &impl Fn(&str) -> IgnoreFile,
    ) -> bool {
        let decided = folders.find_map(|folder| {
            let rules = self.0.entry(folder.to_owned());
            let Some(rules) = rules.or_insert_with(|| rules_of(folder, read)) else {
                return Some(true);
            };
            let matched = rules.matched(Path::new(part), is_folder);
            (!matched.is_none()).then(|| matched.is_ignore())
        });
        decided.unwrap_or(false)
    }
}

/// A `.gitignore` file.
pub(super) enum IgnoreFile {
    /// There is no such file.
    Absent,
    /// There is one, with an unknown text.
    Unknown,
    /// Its text.
    Text(String),
}

/// The rules of a folder; `None` if they are unknown or too long. Invalid lines have no effect, as in git.
fn rules_of(folder: &str, read: &impl Fn(&str) -> IgnoreFile) -> Option<Gitignore> {
    let path = if folder.is_empty() {
        NAME.to_owned()
    } else {
        format!("{folder}/{NAME}")
    };
    let text = match read(&path) {
        IgnoreFile::Absent => return Some(Gitignore::empty()),
        IgnoreFile::Unknown => return None,
        IgnoreFile::Text(text) if text.len() > MAX_BYTES => return None,
        IgnoreFile::Text(text) => text,
    };
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        let _without_effect = builder.add_line(None, line);
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::{IgnoreFile, IgnoreRules, MAX_BYTES};

    fn ignored(files: &[(&str, Option<&str>)], path: &str) -> bool {
        let read = |wanted: &str| {
            let file = files.iter().find(|(path, _)| *path == wanted);
            match file {
                None => IgnoreFile::Absent,
                Some((_, None)) => IgnoreFile::Unknown,
                Some((_, Some(text))) => IgnoreFile::Text((*text).to_owned()),
            }
        };
        IgnoreRules::default().ignores(path, &read)
    }

    #[test]
    fn a_file_is_ignored_by_its_name_its_path_and_its_folders() {
        let files = [
            (".gitignore", Some("*.log\n/dist\ngenerated/\n[\n# x\n")),
            ("web/.gitignore", Some("!keep.log\n/api.ts\nbuild\n")),
        ];
        for (path, expected) in [
            ("a.log", true),
            ("web/a.log", true),
            ("web/keep.log", false),
            ("web/deep/keep.log", false),
            ("keep.log", true),
            ("dist/a.js", true),
            ("web/dist/a.js", false),
            ("web/src/generated/a.ts", true),
            ("web/src/generated", false),
            ("web/api.ts", true),
            ("web/src/api.ts", false),
            ("api.ts", false),
            ("web/build/keep.log", true),
            ("a.py", false),
        ] {
            assert_eq!(ignored(&files, path), expected, "{path}");
        }
        assert!(!ignored(&[], "a.py"));
    }

    #[test]
    fn long_files_are_not_compiled() {
        let rules = |size: usize| "a*b\n".repeat(size / 4);
        for (size, expected) in [(MAX_BYTES, false), (MAX_BYTES + 4, true)] {
            let text = rules(size);
            let files = [(".gitignore", Some(text.as_str()))];
            assert_eq!(ignored(&files, "x.py"), expected, "{size}");
        }
    }

    #[test]
    fn below_a_file_with_an_unknown_text_everything_may_be_ignored() {
        let files = [(".gitignore", Some("*.log")), ("web/.gitignore", None)];
        assert!(ignored(&files, "web/a.ts") && ignored(&files, "web/src/a.ts"));
        assert!(!ignored(&files, "a.ts") && !ignored(&files, "webs/a.ts"));
    }
}
