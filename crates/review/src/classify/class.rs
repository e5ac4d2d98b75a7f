//! The classification of a file.

use super::kind::Kind;
use crate::language::Language;
use crate::warning::{Warning, WarningCode};

/// The classification of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The language to parse it as; `None` if path, first line, request and content do not determine it.
    pub language: Option<Language>,
    /// Whether it is reviewed, or why not.
    pub kind: Kind,
    /// Whether it is test code.
    pub is_test: bool,
}

impl Class {
    /// The warning for a skipped file; `None` for a reviewed one.
    #[must_use]
    pub fn skipped(&self, path: &str) -> Option<Warning> {
        let (code, what) = match self.kind {
            Kind::Source => return None,
            Kind::Binary => (
                WarningCode::FileSkippedBinary,
                "binary file: it has no lines to review",
            ),
            Kind::Utf16 => (
                WarningCode::FileSkippedBinary,
                "UTF-16: save it as UTF-8 to have it reviewed",
            ),
            Kind::Generated => (
                WarningCode::FileSkippedGenerated,
                "generated file: not reviewed",
            ),
            Kind::Lock => (WarningCode::FileSkippedGenerated, "lock file: not reviewed"),
            Kind::Minified => (
                WarningCode::FileSkippedGenerated,
                "minified file: not reviewed",
            ),
            Kind::Vendored => (
                WarningCode::FileSkippedVendored,
                "vendored file: not reviewed",
            ),
            Kind::Unshown => (
                WarningCode::FilePartlyAnalyzed,
                "not reviewed: the diff names the file without its content; `diff -N` shows new files",
            ),
        };
        Some(Warning::file(code, path, what))
    }
}
