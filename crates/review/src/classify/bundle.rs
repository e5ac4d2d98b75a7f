//! Bundles with a hash of their content in their names. A new version of one deletes a file and adds another.

use std::collections::HashMap;

use super::kind::{Kind, kind_on};
use super::known::Known;
use crate::diff::{Diff, FileDiff, Side, Status};
use crate::language::Language;

/// A hash is at least this long.
const HASH_BYTES: usize = 8;

/// The minified files that a change deletes, by their names without the hash. Each can have one successor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deleted(HashMap<String, Vec<String>>);

impl Deleted {
    pub(crate) fn of(diff: &Diff<'_>) -> Self {
        let mut deleted = Self::default();
        for file in diff.files.iter().filter(|file| was_minified(file)) {
            let path = file.path_on(Side::Old);
            if let Some(name) = without_hash(path) {
                deleted.0.entry(name).or_default().push(path.to_owned());
            }
        }
        deleted
    }

    /// Whether a file is the next version of one of them, which then has its successor.
    pub(crate) fn take_for(&mut self, file: &FileDiff<'_>) -> bool {
        let path = file.path();
        let is_new = file.status == Status::Added;
        let before = without_hash(path)
            .filter(|_| is_new)
            .and_then(|name| self.0.get_mut(&name));
        before.is_some_and(|paths| paths.pop().is_some())
    }
}

fn was_minified(file: &FileDiff<'_>) -> bool {
    let path = file.path_on(Side::Old);
    let known = Known { file, whole: None };
    file.status == Status::Removed
        && kind_on(
            &known,
            Side::Old,
            path,
            Language::of_path(path, String::new),
        ) == Some(Kind::Minified)
}

/// A path with stars in place of the hash in the name: `build/app.a0dd61fe.js`, `assets/app-D4f9aB2k.min.css`.
fn without_hash(path: &str) -> Option<String> {
    let endings = [".js", ".mjs", ".cjs", ".css"];
    let stem = endings.iter().find_map(|end| path.strip_suffix(end))?;
    let stem = stem.strip_suffix(".min").unwrap_or(stem);
    let start = stem.rfind(['.', '-', '_', '/'])? + 1;
    let (before, hash) = stem.split_at_checked(start)?;
    let after = path.get(stem.len()..)?;
    let is_named = !before.ends_with('/');
    (is_named && is_hash(hash)).then(|| format!("{before}{}{after}", "*".repeat(hash.len())))
}

/// Whether a part of a name is a hash: letters and digits, or letters in a mixture of cases as in no word.
fn is_hash(text: &str) -> bool {
    let is_mixed = text.contains(|c: char| c.is_ascii_lowercase())
        && text.chars().skip(1).any(|c| c.is_ascii_uppercase());
    text.len() >= HASH_BYTES
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (is_mixed || text.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::Deleted;
    use crate::diff::Diff;

    const LINE: &str = "a=b;c()}";

    fn deleted(path: &str, line: &str) -> String {
        format!("--- a/{path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-{line}\n")
    }

    fn added(path: &str) -> String {
        format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n")
    }

    /// Whether the files of a diff are next versions of those that it deletes.
    fn next(diff: &str) -> Vec<bool> {
        let diff = Diff::parse(diff).unwrap();
        let mut known = Deleted::of(&diff);
        diff.files.iter().map(|file| known.take_for(file)).collect()
    }

    #[test]
    fn a_bundle_follows_a_deleted_one_of_its_name() {
        let old = &LINE.repeat(1_000);
        for (from, to) in [
            ("build/app.a0dd61fe.js", "build/app.c32286a8.js"),
            ("a/app-DtXbqKcU.js", "a/app-BkWcZeSu.js"),
            ("a/app.49183e54.min.css", "a/app.0b6bda92.min.css"),
        ] {
            let diff = format!("{}{}{}", deleted(from, old), added(to), added(to));
            assert_eq!(next(&diff), [false, true, false], "{to}");
        }
    }

    #[test]
    fn another_name_folder_or_kind_of_file_follows_none() {
        let old = &LINE.repeat(1_000);
        for (from, line, to) in [
            ("b/app.a0dd61fe.js", "f();", "b/app.c32286a8.js"),
            ("b/app.a0dd61fe.js", old, "c/app.c32286a8.js"),
            ("b/app.a0dd61fe.js", old, "b/api.c32286a8.js"),
            ("b/app.a0dd61fe.js", old, "b/app.c32286a8.css"),
            ("b/app.a0dd61fe.js", old, "b/app.c32286a8b.js"),
            ("b/app.a0dd61fe.js", old, "b/app.js"),
            ("b/app.settings.js", old, "b/app.controls.js"),
            ("b/a0dd61fe.js", old, "b/c32286a8.js"),
        ] {
            let diff = format!("{}{}", deleted(from, line), added(to));
            assert_eq!(next(&diff), [false, false], "{from} {to}");
        }
    }
}
