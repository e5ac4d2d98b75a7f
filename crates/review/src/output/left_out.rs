//! What of a change was not reviewed, as its warnings tell.

use crate::output::json::{ReviewBody, WarningBody};
use crate::warning::WarningCode;

/// Warnings about what was reviewed all the same. What is not listed counts as left out, also what only a newer service
/// knows: a gate must not open because of a name.
const REVIEWED: &[WarningCode] = &[
    WarningCode::LanguageNotSupported,
    WarningCode::FindingsUnanchored,
    WarningCode::FindingsUnreadable,
    WarningCode::FindingsMerged,
    WarningCode::FindingsBelowConfidence,
    WarningCode::FindingsTruncated,
    WarningCode::FindingsSuppressed,
    WarningCode::FindingsRefuted,
    WarningCode::FindingsDoubted,
    WarningCode::FindingsUnverified,
    WarningCode::SecretsRedacted,
    WarningCode::EncodingReplaced,
];

/// Warnings about what nobody would review: a change of nothing else has been dealt with.
const NOT_FOR_REVIEW: &[WarningCode] = &[
    WarningCode::FileSkippedBinary,
    WarningCode::FileSkippedGenerated,
    WarningCode::FileSkippedVendored,
    WarningCode::FileSkippedIgnored,
];

/// How much of a change was reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// All of it, or there was nothing that could be reviewed.
    All,
    /// Some of it; the rest has warnings.
    Part,
    /// Nothing, though something could have been.
    Nothing,
}

impl Coverage {
    /// How much this review covers.
    #[must_use]
    pub fn of(body: &ReviewBody) -> Self {
        let missed = left_out(body).any(|warning| !is_one_of(NOT_FOR_REVIEW, warning));
        match left_out(body).next() {
            _ if missed && body.metadata.chunks_analyzed == 0 => Self::Nothing,
            Some(_) => Self::Part,
            None => Self::All,
        }
    }
}

/// The warnings that say that a file, or a part of one, was not reviewed.
pub fn left_out(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    body.metadata.warnings.iter().filter(|warning| !is_one_of(REVIEWED, warning))
}

/// The other warnings.
pub(super) fn remarks(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    body.metadata.warnings.iter().filter(|warning| is_one_of(REVIEWED, warning))
}

fn is_one_of(codes: &[WarningCode], warning: &WarningBody) -> bool {
    codes.iter().any(|code| code.as_str() == warning.code)
}

#[cfg(test)]
mod tests {
    use super::Coverage;
    use crate::output::samples;

    fn coverage(chunks: u64, codes: &[&str]) -> Coverage {
        let mut body = samples::body(Vec::new());
        body.metadata.chunks_analyzed = chunks;
        body.metadata.warnings = codes.iter().map(|code| samples::warning(code, "why")).collect();
        Coverage::of(&body)
    }

    #[test]
    fn nothing_is_what_could_have_been_reviewed_and_was_not() {
        assert_eq!(coverage(0, &["FILE_SKIPPED_GENERATED", "FILE_SKIPPED_TOO_LARGE"]), Coverage::Nothing);
        assert_eq!(coverage(0, &["A_NEW_CODE"]), Coverage::Nothing);
        assert_eq!(coverage(0, &["FILE_SKIPPED_BINARY", "FILE_SKIPPED_IGNORED"]), Coverage::Part);
        assert_eq!(coverage(1, &["FILE_SKIPPED_TOO_LARGE"]), Coverage::Part);
        assert_eq!(coverage(1, &["FINDINGS_SUPPRESSED", "LANGUAGE_NOT_SUPPORTED"]), Coverage::All);
        assert_eq!(coverage(0, &[]), Coverage::All);
    }
}
