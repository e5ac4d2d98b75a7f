//! How much a secret matters, and how sure it is one.

use review::Priority;

use super::detector::Kind;
use super::proof::Verdict;
use super::scanner::Secret;
use crate::parse::FileContext;

/// Priority and confidence of a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grade {
    pub(crate) priority: Priority,
    pub(crate) confidence: f32,
}

const fn is(priority: Priority, confidence: f32) -> Option<Grade> {
    Some(Grade { priority, confidence })
}

/// What a secret means where it stands; `None` where it is not worth a word. Tests, examples and documentation are full
/// of made-up tokens: there, only a right checksum is sure.
pub(crate) fn grade(secret: &Secret<'_>, file: &FileContext<'_>) -> Option<Grade> {
    let is_test_key = ["_test_", "test_", "_TEST-", "sandbox-", "EZTK"].iter().any(|mark| secret.value.contains(mark));
    match (secret.verdict, secret.detector.kind, is_sample(file)) {
        (Verdict::Refuted, ..) => None,
        (Verdict::Proven, _, false) => is(Priority::P0, 0.97),
        (Verdict::Proven, _, true) => is(Priority::P1, 0.9),
        (_, Kind::Form, true) => is(Priority::P3, 0.3),
        (_, _, true) => None,
        (_, Kind::Public, false) => is(Priority::P3, 0.3),
        _ if is_test_key => is(Priority::P2, 0.6),
        (_, Kind::Form, false) => is(Priority::P0, 0.9),
        (_, Kind::Named, false) => is(Priority::P1, 0.6),
        (_, Kind::Context | Kind::Generic, false) => is(Priority::P2, 0.5),
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
