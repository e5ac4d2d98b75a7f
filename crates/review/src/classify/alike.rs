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
        && is_native(old) == is_native(new)
        && (is_test(new) || !is_test(old))
        && family(old_language) == family(new_language)
        && !(new_language.is_some_and(Language::is_configuration) && becomes_hidden(old, new))
}

fn language(path: &str) -> Option<Language> {
    Language::of_path(path, String::new)
}

/// The name of a language, or of the first one of its family.
fn family(language: Option<Language>) -> Option<&'static str> {
    let name = language?.name();
    let family = FAMILIES.iter().find(|family| family.contains(&name));
    family
        .and_then(|family| family.first())
        .copied()
        .or(Some(name))
}

/// Whether the new path has a part that begins with a dot and that the old one lacks. Services look for their
/// configuration in such places: `.github/workflows`, `.gitlab-ci.yml`.
fn becomes_hidden(old: &str, new: &str) -> bool {
    new.split('/')
        .any(|part| part.starts_with('.') && !old.split('/').any(|other| other == part))
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
