//! How much a secret matters.

use review::Priority;

use super::detector::Kind;
use super::proof::Verdict;
use super::scanner::Secret;
use crate::parse::FileContext;

/// What a secret means where it stands; `None` where it is not worth a word. Tests, examples and documentation are full
/// of made-up tokens: there, only a right checksum is sure.
pub(crate) fn grade(secret: &Secret<'_>, file: &FileContext<'_>) -> Option<Priority> {
    let is_test_key = ["_test_", "test_", "_TEST-", "sandbox-", "EZTK"].iter().any(|mark| secret.value.contains(mark));
    match (secret.verdict, secret.detector.kind, is_sample(file)) {
        (Verdict::Refuted, ..) => None,
        (Verdict::Proven, _, false) => Some(Priority::P0),
        (Verdict::Proven, _, true) => Some(Priority::P1),
        (_, Kind::Form, true) => Some(Priority::P3),
        (_, _, true) => None,
        (_, Kind::Public, false) => Some(Priority::P3),
        _ if is_test_key => Some(Priority::P2),
        (_, Kind::Form, false) => Some(Priority::P0),
        (_, Kind::Named, false) => Some(Priority::P1),
        (_, Kind::Context | Kind::Generic, false) => Some(Priority::P2),
    }
}

/// Whether a file is a test, an example, or for people to read.
pub(crate) fn is_sample(file: &FileContext<'_>) -> bool {
    const FOLDERS: &[&str] =
        &["doc", "docs", "documentation", "sample", "samples", "demo", "demos", "snapshots", "__snapshots__"];
    const ENDS: &[&str] = &[
        ".md",
        ".mdx",
        ".rst",
        ".adoc",
        ".txt",
        ".html",
        ".snap",
        ".golden",
        ".example",
        ".sample",
        ".template",
        ".dist",
        ".tmpl",
        ".po",
    ];
    let path = file.path.to_ascii_lowercase();
    file.is_test
        || ENDS.iter().any(|end| path.ends_with(end))
        || path.split('/').any(|folder| FOLDERS.contains(&folder))
}
