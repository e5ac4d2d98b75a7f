//! The priority of a secret.

use review::Priority;

use super::detector::Kind;
use super::proof::Verdict;
use super::scanner::Secret;
use crate::parse::FileContext;

/// The priority of a secret; `None` if it should not be reported. Tests and documents are full of made-up tokens, so
/// only a correct checksum proves anything there. (In test code the engine lowers every priority by one step.)
pub fn grade(secret: &Secret<'_>, file: &FileContext<'_>) -> Option<Priority> {
    let is_test_key = ["_test_", "test_", "_TEST-", "sandbox-", "EZTK"]
        .iter()
        .any(|mark| secret.value.contains(mark));
    let is_document = is_document(file);
    match (
        secret.verdict,
        secret.detector.kind,
        file.is_test || is_document,
    ) {
        (Verdict::Refuted, ..) => None,
        (Verdict::Proven, ..) if is_document => Some(Priority::P1),
        (Verdict::Proven, ..) => Some(Priority::P0),
        (_, Kind::Form, true) => Some(Priority::P3),
        (_, _, true) => None,
        (_, Kind::Public, false) => Some(Priority::P3),
        _ if is_test_key => Some(Priority::P2),
        (_, Kind::Form, false) => Some(Priority::P0),
        (_, Kind::Named, false) => Some(Priority::P1),
        (_, Kind::Context | Kind::Generic, false) => Some(Priority::P2),
    }
}

/// Whether the file is read by people and not by a program, or filled in before a program reads it.
pub fn is_document(file: &FileContext<'_>) -> bool {
    const ENDS: &[&str] = &[
        ".md", ".mdx", ".rst", ".adoc", ".txt", ".html", ".snap", ".golden", ".example", ".sample",
        ".template", ".dist", ".tmpl", ".po",
    ];
    const FOLDERS: &[&str] = &["doc", "docs", "documentation", "api-reference"];
    const DESCRIPTIONS: &[&str] = &[".json", ".yaml", ".yml"];
    let path = file.path.to_ascii_lowercase();
    let folders = || path.split('/').rev().skip(1);
    // Descriptions of an API show what it answers.
    let is_described = || {
        DESCRIPTIONS.iter().any(|end| path.ends_with(end))
            && folders().any(|folder| FOLDERS.contains(&folder))
    };
    ENDS.iter().any(|end| path.ends_with(end))
        || folders().any(|folder| folder == "snapshots")
        || is_described()
}

/// Files that are examples of a configuration, or for tests.
pub fn is_example(path: &str) -> bool {
    const WORDS: &[&str] = &[
        "example", "sample", "template", "fixture", "testdata", "demo", "mock", "tutorial",
        "skeleton", "stub", "snapshot", "changelog", "lock",
    ];
    const WHOLE: &[&str] = &[
        "test", "tests", "testing", "spec", "specs", "doc", "docs", "e2e", "benchmark",
        "benchmarks", "dist",
    ];
    // The templates of a Helm chart are what it installs.
    let path = path.to_ascii_lowercase().replace("templates/", "");
    WORDS.iter().any(|word| path.contains(word))
        || path
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|part| WHOLE.contains(&part))
}
