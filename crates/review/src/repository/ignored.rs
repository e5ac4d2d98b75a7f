//! Which paths the `.gitignore` files of a repository ignore.

use std::collections::BTreeMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the files.
const NAME: &str = ".gitignore";

/// Maximum size of all files together that are compiled, in bytes. A compiled line takes a few hundred times as much
/// memory as its text.
const MAX_BYTES: usize = 64 << 10;

/// The `.gitignore` files of a repository that matter for some paths.
#[derive(Debug)]
pub(super) struct IgnoreRules<'f> {
    /// By folder. `None` if the text is unknown, or the files up to this one are too long: then everything in the folder
    /// counts as ignored.
    by_folder: BTreeMap<&'f str, Option<Gitignore>>,
}

impl<'f> IgnoreRules<'f> {
    /// Compiles those of the files, given by their path and with their text if it is known, that are above one of the paths.
    pub(super) fn new<'p>(
        files: impl Iterator<Item = (&'f str, Option<&'f str>)>,
        paths: &(impl Iterator<Item = &'p str> + Clone),
    ) -> Self {
        let folders = files.filter_map(|(path, text)| Some((folder_of(path)?, text)));
        let matter: BTreeMap<&str, Option<&str>> = folders
            .filter(|(folder, _)| paths.clone().any(|path| is_above(folder, path)))
            .collect();
        let mut left = MAX_BYTES;
        let by_folder = matter.into_iter().map(|(folder, text)| {
            let text = text.filter(|text| {
                let rest = left.checked_sub(text.len());
                left = rest.unwrap_or(0);
                rest.is_some()
            });
            (folder, text.and_then(|text| compile(folder, text)))
        });
        Self {
            by_folder: by_folder.collect(),
        }
    }

    /// Whether git ignores a file: its own path, or a folder above it.
    pub(super) fn ignores(&self, path: &str) -> bool {
        let files = self.by_folder.iter();
        let above: Vec<_> = files.filter(|(folder, _)| is_above(folder, path)).collect();
        let folders = path.match_indices('/').map(|(end, _)| (end, true));
        // From the top: nothing below an ignored folder can be included again.
        folders
            .chain([(path.len(), false)])
            .any(|(end, is_folder)| {
                let part = path.get(..end).unwrap_or_default();
                // The nearest file decides. The folders are sorted, so it is the last one.
                let decided = above.iter().rev().find_map(|(folder, rules)| {
                    if !is_above(folder, part) {
                        return None;
                    }
                    let Some(rules) = rules else {
                        return Some(true);
                    };
                    let matched = rules.matched(Path::new(part), is_folder);
                    (!matched.is_none()).then(|| matched.is_ignore())
                });
                decided.unwrap_or(false)
            })
    }
}

/// The folder of a `.gitignore` file; `None` if the path is not one of such a file.
pub(super) fn folder_of(path: &str) -> Option<&str> {
    let folder = path.strip_suffix(NAME)?;
    if folder.is_empty() {
        Some(folder)
    } else {
        folder.strip_suffix('/')
    }
}

fn is_above(folder: &str, path: &str) -> bool {
    let below = path.strip_prefix(folder);
    folder.is_empty() || below.is_some_and(|rest| rest.starts_with('/'))
}

/// The rules of a file. Invalid lines have no effect, as in git.
fn compile(folder: &str, text: &str) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        let _without_effect = builder.add_line(None, line);
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::{IgnoreRules, MAX_BYTES};

    fn ignored(files: &[(&str, Option<&str>)], path: &str) -> bool {
        IgnoreRules::new(files.iter().copied(), &[path].into_iter()).ignores(path)
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
    fn files_are_compiled_up_to_a_size_for_all_together() {
        let rules = |size: usize| "a*b\n".repeat(size / 4);
        let half = rules(MAX_BYTES / 2);
        for (more, expected) in [(0, false), (4, true)] {
            let rest = rules(MAX_BYTES / 2 + more);
            let files = [
                (".gitignore", Some(half.as_str())),
                ("web/.gitignore", Some(rest.as_str())),
            ];
            assert_eq!(ignored(&files, "web/x.py"), expected, "{more}");
            assert!(!ignored(&files, "x.py"), "only the first file matters");
        }
    }

    #[test]
    fn files_in_other_folders_do_not_count() {
        let long = "a*b\n".repeat(MAX_BYTES);
        let files = [
            ("lib/.gitignore", Some(long.as_str())),
            ("web/.gitignore", Some("*.log")),
        ];
        assert!(!ignored(&files, "web/a.ts") && ignored(&files, "web/a.log"));
        assert!(ignored(&files, "lib/a.ts"));
    }

    #[test]
    fn a_path_with_thousands_of_folders_is_matched() {
        let path = format!("{}x.py", "a/".repeat(2_000));
        assert!(ignored(&[(".gitignore", Some("x.py"))], &path));
        assert!(!ignored(&[("b/.gitignore", Some("x.py"))], &path));
    }

    #[test]
    fn below_a_file_with_an_unknown_text_everything_may_be_ignored() {
        let files = [(".gitignore", Some("*.log")), ("web/.gitignore", None)];
        assert!(ignored(&files, "web/a.ts") && ignored(&files, "web/src/a.ts"));
        assert!(!ignored(&files, "a.ts") && !ignored(&files, "webs/a.ts"));
    }
}
