//! Whether a file is reviewed in the same way under a new name.
//!
//! The lines that a rename leaves unchanged were reviewed under the old name, unless it was one of prose, of third-party
//! code or of another language. Then they are new for the review, although the diff does not show them as added.

use super::kind::{is_native, is_skipped};
use super::test_code::is_test;
use crate::language::Language;

/// Languages of which each can be read as the others.
const FAMILIES: &[&[&str]] = &[&["JavaScript", "TypeScript", "TSX"], &["C", "C++"]];

/// Whether the lines of a file that is renamed need no other review than they had under the old name.
#[must_use]
pub fn is_reviewed_alike(old: &str, new: &str) -> bool {
    let (old_language, new_language) = (language(old), language(new));
    if !is_native(new) && !new_language.is_none_or(Language::is_reviewed) {
        return true;
    }
    is_skipped(old) == is_skipped(new)
        && (is_sample(new) || !is_sample(old))
        && is_native(old) == is_native(new)
        && (is_test(new) || !is_test(old))
        && family(old_language) == family(new_language)
        && !(new_language.is_some_and(Language::is_configuration) && becomes_hidden(old, new))
}

fn language(path: &str) -> Option<Language> {
    Language::of_path(path, String::new)
}

/// The name of a language, or of the first one of its family.
pub(super) fn family(language: Option<Language>) -> Option<&'static str> {
    let name = language?.name();
    let family = FAMILIES.iter().find(|family| family.contains(&name));
    family
        .and_then(|family| family.first())
        .copied()
        .or(Some(name))
}

/// Whether a file arrives in a folder with a name that begins with a dot, or gets such a name itself. Services look for their
/// configuration in such places: `.github/workflows`, `.gitlab-ci.yml`.
fn becomes_hidden(old: &str, new: &str) -> bool {
    let split = |path: &'_ str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let ((old_folder, old_name), (new_folder, new_name)) =
        (old.split_at(split(old)), new.split_at(split(new)));
    let is_hidden = |folder: &str| folder.split('/').any(|part| part.starts_with('.'));
    let name = |name: &'_ str| name.trim_start_matches('/').to_owned();
    is_hidden(new_folder) && old_folder != new_folder
        || name(new_name).starts_with('.') && name(old_name) != name(new_name)
}

/// Whether the name of a file, or of a folder around it, says that nothing runs it: an example, a template, documentation.
fn is_sample(path: &str) -> bool {
    const WORDS: &[&str] = &[
        "demo", "demos", "disabled", "doc", "docs", "dist", "example", "examples", "fixture",
        "fixtures", "mock", "mocks", "sample", "samples", "template", "testdata", "tutorial",
        "unused",
    ];
    path.to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| WORDS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::is_reviewed_alike;

    #[test]
    fn a_name_of_another_language_or_origin_needs_another_review() {
        for (old, new) in [
            ("n.txt", "src/app.py"),
            ("n.json", "src/app.js"),
            ("notes", "run.sh"),
            ("a.html", "a.php"),
            ("src/a.py", "vendor/a.py"),
            ("src/a.py", "src/a_pb2.py"),
            ("src/a.js", "src/a.min.js"),
            ("vendor/a.py", "src/a.py"),
            ("tests/test_a.py", "src/a.py"),
            ("docs/w.yml", ".github/workflows/w.yml"),
            ("ci/w.yml", ".gitlab-ci.yml"),
            ("n.txt", "src/native.so"),
            ("prod.yml.txt", "prod.yml"),
            ("config/example.yml", "config/prod.yml"),
            ("docs/a.py", "src/a.py"),
            (".github/disabled/w.yml", ".github/workflows/w.yml"),
            (".a.yml", ".gitlab-ci.yml"),
        ] {
            assert!(!is_reviewed_alike(old, new), "{old} {new}");
        }
        for (old, new) in [
            ("src/a.py", "lib/b.py"),
            ("src/a.js", "src/a.tsx"),
            ("a.c", "a.cpp"),
            ("vendor/a.py", "third_party/a.py"),
            ("src/a.py", "tests/test_a.py"),
            ("src/a.py", "old/a.py.txt"),
            ("README.txt", "README.md"),
            (".github/workflows/a.yml", ".github/workflows/b.yml"),
            ("bin/a", "bin/b"),
        ] {
            assert!(is_reviewed_alike(old, new), "{old} {new}");
        }
    }
}
