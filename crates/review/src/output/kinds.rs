//! Files of kinds that are not reviewed as code, as one line: there is nothing to do about them.

use std::collections::{BTreeMap, HashSet};

use crate::output::counts::counted;
use crate::output::json::{ReviewBody, WarningBody};
use crate::output::left_out::unreviewed_source;
use crate::warning::WarningCode;

/// The start of a message about a language without a grammar; the language follows, then a colon.
const NO_GRAMMAR: &str = "There is no grammar for ";

/// The kind of a file that is not reviewed because of its kind, as a noun in the singular and the plural.
fn kind(warning: &WarningBody) -> Option<(&str, &str)> {
    let is = |code: WarningCode| warning.code == code.as_str();
    warning.file_path.as_ref()?;
    let first = warning.message.split(' ').next().unwrap_or_default();
    if is(WarningCode::LanguageNotSupported) {
        let (language, _) = warning.message.strip_prefix(NO_GRAMMAR)?.split_once(':')?;
        Some((language, language))
    } else if is(WarningCode::FileSkippedVendored) {
        Some(("vendored", "vendored"))
    } else if is(WarningCode::FileSkippedGenerated) {
        match first {
            "lock" => Some(("lock file", "lock files")),
            "generated" | "minified" => Some((first, first)),
            _ => None,
        }
    } else {
        None
    }
}

/// The warnings of a review without those about files of kinds that are not reviewed, and a line that counts these.
pub(super) struct Kinds<'a> {
    counts: BTreeMap<&'a str, (usize, &'a str)>,
    kept: HashSet<*const WarningBody>,
}

impl<'a> Kinds<'a> {
    /// Of the warnings of a review. Source code that the change itself hides keeps its warnings.
    pub(super) fn of(body: &'a ReviewBody) -> Self {
        let hidden: HashSet<*const WarningBody> =
            unreviewed_source(body).map(std::ptr::from_ref).collect();
        let mut kinds = Self {
            counts: BTreeMap::new(),
            kept: HashSet::new(),
        };
        for warning in &body.metadata.warnings {
            let address = std::ptr::from_ref(warning);
            match kind(warning).filter(|_| !hidden.contains(&address)) {
                Some((one, many)) => kinds.counts.entry(one).or_insert((0, many)).0 += 1,
                None => drop(kinds.kept.insert(address)),
            }
        }
        kinds
    }

    /// Whether a warning is not counted in the line.
    pub(super) fn keeps(&self, warning: &WarningBody) -> bool {
        self.kept.contains(&std::ptr::from_ref(warning))
    }

    /// The number of files in the line.
    pub(super) fn total(&self) -> usize {
        self.counts.values().map(|(count, _)| count).sum()
    }

    /// "12 files of kinds that are not reviewed as code: 8 Markdown, 3 lock files, 1 generated"; the most frequent first.
    pub(super) fn line(&self) -> Option<String> {
        let mut counts: Vec<_> = self.counts.iter().collect();
        counts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let total = self.total();
        let parts: Vec<String> = counts
            .into_iter()
            .map(|(one, (count, many))| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        let files = counted(total, "file");
        let kinds = if total == 1 {
            "a kind that is"
        } else {
            "kinds that are"
        };
        (total > 0).then(|| {
            format!(
                "{files} of {kinds} not reviewed as code: {}",
                parts.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Kinds;
    use crate::output::samples;

    #[test]
    fn files_of_kinds_that_are_not_reviewed_are_counted_in_one_line() {
        let of_file = |code: &str, path: &str, message: &str| {
            let mut warning = samples::warning(code, message);
            warning.file_path = Some(path.to_owned());
            warning
        };
        let mut body = samples::body(Vec::new());
        let markdown = "There is no grammar for Markdown: only the plain-text rules were applied.";
        body.metadata.warnings = vec![
            of_file(
                "FILE_SKIPPED_GENERATED", "a.pb.go", "generated file: not reviewed",
            ),
            of_file("LANGUAGE_NOT_SUPPORTED", "a.md", markdown),
            of_file("LANGUAGE_NOT_SUPPORTED", "b.md", markdown),
            of_file(
                "FILE_SKIPPED_GENERATED", "yarn.lock", "lock file: not reviewed",
            ),
            of_file("FILE_PARTLY_ANALYZED", "a.py", "why"),
            of_file("FILE_SKIPPED_BINARY", "a.png", "why"),
            samples::warning("FINDINGS_MERGED", "why"),
        ];
        let kinds = Kinds::of(&body);
        let warnings = body.metadata.warnings.iter();
        let kept: Vec<&str> = warnings
            .filter(|own| kinds.keeps(own))
            .map(|own| own.code.as_str())
            .collect();
        assert_eq!(
            kept,
            [
                "FILE_PARTLY_ANALYZED", "FILE_SKIPPED_BINARY", "FINDINGS_MERGED"
            ]
        );
        let line =
            "4 files of kinds that are not reviewed as code: 2 Markdown, 1 generated, 1 lock file";
        assert_eq!(kinds.line().as_deref(), Some(line));

        let mut hidden = samples::finding();
        hidden.rule_id = Some("any/hidden-from-review".to_owned());
        hidden.file_path = "a.pb.go".to_owned();
        body.findings = vec![hidden];
        assert!(Kinds::of(&body).keeps(&body.metadata.warnings[0]));
    }
}
