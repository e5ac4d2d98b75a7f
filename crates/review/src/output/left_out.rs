//! The parts of a change that were not reviewed, according to the warnings.

use std::collections::HashSet;

use crate::classify::{is_bare, is_native, is_script, is_test};
use crate::language::Language;
use crate::output::gate::Gate;
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::warning::{MODEL_FAILED, WarningCode};

/// Warnings about code that was nevertheless reviewed. Unlisted codes, including those of a newer service, count as not
/// reviewed, so that an unknown code cannot open the gate.
const REVIEWED: &[WarningCode] = &[
    WarningCode::LanguageNotSupported,
    WarningCode::StatementPartlyRead,
    WarningCode::SearchLimited,
    WarningCode::FindingsUnanchored,
    WarningCode::FindingsUnreadable,
    WarningCode::FindingsMerged,
    WarningCode::FindingsRefuted,
    WarningCode::FindingsBelowConfidence,
    WarningCode::FindingsTruncated,
    WarningCode::FindingsSuppressed,
    WarningCode::SuppressionIneffective,
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
    body.metadata
        .warnings
        .iter()
        .filter(|warning| is_left_out(warning))
}

/// Whether a warning is about a file, or a part of one, that was not reviewed.
#[must_use]
pub fn is_left_out(warning: &WarningBody) -> bool {
    !is_one_of(REVIEWED, warning)
}

/// The warnings of [`left_out`] about files that could have been reviewed.
pub fn missed(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    left_out(body).filter(|warning| !is_one_of(NOT_FOR_REVIEW, warning))
}

/// The parts whose omission fails a strict run: [`missed`], source files that count as binary, programs in binary form or
/// in a language without a grammar, and source files that the change itself makes count as generated or third-party
/// code. Lock files, images, prose and the like are not included, nor are files that the configuration excludes.
pub fn unreviewed_source(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    // Also those in the baseline: the file is not reviewed either way.
    let all = body
        .findings
        .iter()
        .chain(&body.metadata.suppressed_findings);
    let about_hidden = all.filter(|finding| finding.reports_hidden_code());
    let paths = |finding: &'_ FindingBody| -> Vec<String> {
        let others = finding
            .related_locations
            .iter()
            .map(|other| other.file_path.clone());
        others.chain([finding.file_path.clone()]).collect()
    };
    let hidden: HashSet<String> = about_hidden.flat_map(paths).collect();
    body.metadata.warnings.iter().filter(move |warning| {
        let path = warning.file_path.as_deref().unwrap_or_default();
        let is = |code: WarningCode| warning.code == code.as_str();
        let is_unread = is(WarningCode::FileSkippedBinary)
            && (is_source(path, Language::is_reviewed)
                || is_bare(path) && (!is_test(path) || is_script(path)))
            || is(WarningCode::LanguageNotSupported) && is_native(path);
        is_unread
            || is_left_out(warning)
                && (!is_one_of(NOT_FOR_REVIEW, warning) || hidden.contains(path))
    })
}

/// Whether the path is that of a program in binary form, or of a language of this kind.
fn is_source(path: &str, kind: fn(Language) -> bool) -> bool {
    // Compiled translations of gettext have the extension of Modelica.
    is_native(path)
        || !path.ends_with(".mo") && Language::of_path(path, String::new).is_some_and(kind)
}

/// The warning that findings were left out which may be as serious as this gate requires. The least important are left out,
/// so if a returned finding is less serious, all that were left out are.
#[must_use]
pub fn cut_before(body: &ReviewBody, gate: Gate) -> Option<&WarningBody> {
    let warnings = &body.metadata.warnings;
    let cut = |warning: &&WarningBody| warning.code == WarningCode::FindingsTruncated.as_str();
    let mut returned = body
        .findings
        .iter()
        .filter(|finding| !finding.reports_hidden_code());
    let may_fail = returned.all(|finding| gate.concerns(finding.priority));
    warnings.iter().find(cut).filter(|_| may_fail)
}

/// The reason why the language model reviewed nothing, if it failed.
#[must_use]
pub fn model_failure(body: &ReviewBody) -> Option<&str> {
    let failed = body
        .metadata
        .warnings
        .iter()
        .find(|warning| warning.code == WarningCode::ModelFailed.as_str())?;
    Some(
        failed
            .message
            .strip_prefix(MODEL_FAILED)
            .unwrap_or(&failed.message),
    )
}

/// All other warnings, about code that was reviewed.
pub fn remarks(body: &ReviewBody) -> impl Iterator<Item = &WarningBody> {
    body.metadata
        .warnings
        .iter()
        .filter(|warning| is_one_of(REVIEWED, warning))
}

fn is_one_of(codes: &[WarningCode], warning: &WarningBody) -> bool {
    codes.iter().any(|code| code.as_str() == warning.code)
}

#[cfg(test)]
mod tests {
    use super::{Coverage, unreviewed_source};
    use crate::output::samples;

    fn coverage(chunks: u64, codes: &[&str]) -> Coverage {
        let mut body = samples::body(Vec::new());
        body.metadata.chunks_analyzed = chunks;
        body.metadata.warnings = codes
            .iter()
            .map(|code| samples::warning(code, "why"))
            .collect();
        Coverage::of(&body)
    }

    #[test]
    fn coverage_is_nothing_only_if_something_could_have_been_reviewed() {
        assert_eq!(
            coverage(0, &["FILE_SKIPPED_GENERATED", "FILE_SKIPPED_TOO_LARGE"]),
            Coverage::Nothing
        );
        assert_eq!(coverage(0, &["A_NEW_CODE"]), Coverage::Nothing);
        assert_eq!(
            coverage(0, &["FILE_SKIPPED_BINARY", "FILE_SKIPPED_IGNORED"]),
            Coverage::Part
        );
        assert_eq!(coverage(1, &["FILE_SKIPPED_TOO_LARGE"]), Coverage::Part);
        assert_eq!(
            coverage(1, &["FINDINGS_SUPPRESSED", "LANGUAGE_NOT_SUPPORTED"]),
            Coverage::All
        );
        assert_eq!(coverage(0, &[]), Coverage::All);
    }

    #[test]
    fn a_strict_run_requires_all_source_code_and_nothing_else() {
        let of_file = |code: &str, path: &str| {
            let mut warning = samples::warning(code, "why");
            warning.file_path = Some(path.to_owned());
            warning
        };
        let mut hidden = samples::finding();
        hidden.rule_id = Some("any/hidden-from-review".to_owned());
        hidden.file_path = "gen/a.go".to_owned();
        hidden.related_locations[0].file_path = "gen/b.go".to_owned();
        let mut body = samples::body(vec![hidden]);
        body.metadata.warnings = vec![
            of_file("FILE_SKIPPED_GENERATED", "gen/a.go"),
            of_file("FILE_SKIPPED_GENERATED", "gen/b.go"),
            of_file("FILE_SKIPPED_GENERATED", "gen/older.go"),
            of_file("FILE_SKIPPED_GENERATED", "package-lock.json"),
            of_file("FILE_SKIPPED_VENDORED", "vendor/x.go"),
            of_file("FILE_SKIPPED_IGNORED", "src/ignored.go"),
            of_file("FILE_SKIPPED_BINARY", "logo.png"),
            of_file("FILE_SKIPPED_BINARY", "src/a.py"),
            of_file("FILE_PARTLY_ANALYZED", "src/b.py"),
            of_file("FINDINGS_SUPPRESSED", "src/c.py"),
            samples::warning("A_NEW_CODE", "why"),
        ];
        let wanted: Vec<Option<&str>> = unreviewed_source(&body)
            .map(|warning| warning.file_path.as_deref())
            .collect();
        assert_eq!(
            wanted,
            [
                Some("gen/a.go"),
                Some("gen/b.go"),
                Some("src/a.py"),
                Some("src/b.py"),
                None
            ]
        );
    }
}
