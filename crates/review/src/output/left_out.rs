//! The parts of a change that were not reviewed, according to the warnings.

use crate::output::json::{ReviewBody, WarningBody};
use crate::warning::WarningCode;

/// Warnings about code that was reviewed nevertheless. Codes that are not listed, including those of a newer service, count
/// as not reviewed, so that an unknown code cannot open the gate.
const REVIEWED: &[WarningCode] = &[
    WarningCode::LanguageNotSupported,
    WarningCode::FindingsUnanchored,
    WarningCode::FindingsUnreadable,
    WarningCode::FindingsMerged,
    WarningCode::FindingsBelowConfidence,
    WarningCode::FindingsTruncated,
    WarningCode::FindingsSuppressed,
    WarningCode::FindingsUnverified,
    WarningCode::ConfigurationChanged,
    WarningCode::SecretsRedacted,
    WarningCode::EncodingReplaced,
];

/// Warnings about files that need no review: a change of only such files is fully covered.
const NOT_FOR_REVIEW: &[WarningCode] = &[
    WarningCode::FileSkippedBinary,
    WarningCode::FileSkippedGenerated,
    WarningCode::FileSkippedVendored,
    WarningCode::FileSkippedIgnored,
];

/// The extent of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Everything that could be reviewed.
    All,
    /// Part of it; the rest has warnings.
    Part,
    /// Nothing, although something could have been.
    Nothing,
}

impl Coverage {
    /// Determines the coverage of a review.
    #[must_use]
    pub fn of(body: &ReviewBody) -> Self {
        let has_missed = missed(body).next().is_some();
        match left_out(body).next() {
            _ if has_missed && body.metadata.chunks_analyzed == 0 => Self::Nothing,
            Some(_) => Self::Part,
            None => Self::All,
        }
    }
}

/// Warnings about files, or parts of them, that were not reviewed.
pub fn left_out(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    body.metadata.warnings.iter().filter(|warning| !is_one_of(REVIEWED, warning))
}

/// Those of [`left_out`] that could have been reviewed.
pub fn missed(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    left_out(body).filter(|warning| !is_one_of(NOT_FOR_REVIEW, warning))
}

/// All other warnings: what was reviewed all the same.
pub fn remarks(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
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
    fn coverage_is_nothing_only_if_something_could_have_been_reviewed() {
        assert_eq!(coverage(0, &["FILE_SKIPPED_GENERATED", "FILE_SKIPPED_TOO_LARGE"]), Coverage::Nothing);
        assert_eq!(coverage(0, &["A_NEW_CODE"]), Coverage::Nothing);
        assert_eq!(coverage(0, &["FILE_SKIPPED_BINARY", "FILE_SKIPPED_IGNORED"]), Coverage::Part);
        assert_eq!(coverage(1, &["FILE_SKIPPED_TOO_LARGE"]), Coverage::Part);
        assert_eq!(coverage(1, &["FINDINGS_SUPPRESSED", "LANGUAGE_NOT_SUPPORTED"]), Coverage::All);
        assert_eq!(coverage(0, &[]), Coverage::All);
    }
}
