//! Findings as diagnostics.

use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    Message, Range,
};
use review::Priority;
use review::output::json::FindingBody;
use review::output::{printable, remark};

use super::positions::{Encoding, Lines};
use super::reviewer::{Located, Reviewed};

/// The source of the diagnostics.
const SOURCE: &str = "hunkwise";

/// The diagnostics of a document.
pub(super) fn all(uri: &str, reviewed: &Reviewed, encoding: Encoding) -> Vec<Diagnostic> {
    let lines = Lines::of(&reviewed.text, encoding);
    reviewed
        .findings
        .iter()
        .map(|located| diagnostic(uri, located, &lines))
        .collect()
}

/// The diagnostic of a finding.
pub(super) fn diagnostic(uri: &str, located: &Located, lines: &Lines<'_>) -> Diagnostic {
    let finding = &located.finding;
    let related = |line: &u32| {
        let location = Location::new(uri.into(), line_range(*line, lines));
        DiagnosticRelatedInformation::new(location, "The same defect is here.".to_owned())
    };
    let related: Vec<DiagnosticRelatedInformation> = located.related.iter().map(related).collect();
    Diagnostic {
        range: range(located, lines),
        severity: Some(severity(finding.priority)),
        code: finding.rule_id.clone().map(Code::from),
        code_description: located
            .page
            .as_deref()
            .map(|page| CodeDescription::new(page.into())),
        source: Some(SOURCE.to_owned()),
        message: Message::from(message(finding)),
        tags: None,
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// The range of the code in question, or its line without the indentation if the range is unknown.
fn range(located: &Located, lines: &Lines<'_>) -> Range {
    let Some(range) = located.range else {
        return line_range(located.line, lines);
    };
    let start = lines.diff_offset(located.line, range.start_column);
    lines.range(
        start,
        lines
            .diff_offset(range.end_line, range.end_column)
            .max(start),
    )
}

fn line_range(number: u32, lines: &Lines<'_>) -> Range {
    let (start, text) = lines.line(number);
    let indentation = text.len() - text.trim_start().len();
    lines.range(
        start + indentation,
        start + text.trim_end().len().max(indentation),
    )
}

fn severity(priority: Priority) -> DiagnosticSeverity {
    match priority {
        Priority::P0 | Priority::P1 => DiagnosticSeverity::Error,
        Priority::P2 => DiagnosticSeverity::Warning,
        Priority::P3 => DiagnosticSeverity::Information,
    }
}

fn message(finding: &FindingBody) -> String {
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!("Fix: {fix}"));
    let parts = [
        Some(finding.summary.clone()),
        fix,
        remark(finding).map(|remark| format!("({remark})")),
    ];
    printable(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
pub(super) mod tests {
    use gen_lsp_types::{DiagnosticSeverity, Message, Position, Range};
    use review::output::json::FindingBody;
    use review::{Category, Priority, Side};

    use super::diagnostic;
    use crate::commands::lsp::positions::{Encoding, Lines};
    use crate::commands::lsp::reviewer::Located;

    /// A finding on a line, for code on it.
    pub(in crate::commands::lsp) fn located(line: u32, columns: Option<(u32, u32)>) -> Located {
        let finding = FindingBody {
            file_path: "a.py".into(),
            line_number: line,
            line_side: Side::New,
            old_line_number: None,
            hunk_header: "@@ -0,0 +1,2 @@".into(),
            priority: Priority::P2,
            category: Category::LogicBug,
            summary: "It is wrong.".into(),
            suggested_fix: Some("Do it right.".into()),
            rule_id: Some("python/wrong".into()),
            fingerprint: String::new(),
            confidence: 0.9,
            start_column: None,
            end_line: None,
            end_column: None,
            replacement: None,
            related_locations: Vec::new(),
            references: Vec::new(),
            baseline_state: None,
            suppression: None,
        };
        let range = columns.map(|(start_column, end_column)| review::output::Range {
            start_column,
            end_line: line,
            end_column,
        });
        Located {
            finding,
            line,
            range,
            related: Vec::new(),
            page: None,
        }
    }

    fn range_of(text: &str, located: &Located, encoding: Encoding) -> (Position, Position) {
        let Range { start, end } =
            diagnostic("file:///a.py", located, &Lines::of(text, encoding)).range;
        (start, end)
    }

    #[test]
    fn the_range_is_the_code_or_the_line() {
        let text = "x = 1\n  '😀' + y \n";
        let code = located(2, Some((7, 8)));
        let at = |start, end| (Position::new(1, start), Position::new(1, end));
        assert_eq!(range_of(text, &code, Encoding::Utf16), at(7, 8));
        assert_eq!(range_of(text, &code, Encoding::Utf32), at(6, 7));
        assert_eq!(range_of(text, &located(2, None), Encoding::Utf8), at(2, 12));
        assert_eq!(
            range_of("   \n", &located(1, None), Encoding::Utf8).1,
            Position::new(0, 3)
        );
        assert_eq!(
            range_of("", &located(7, Some((3, 2))), Encoding::Utf8).1,
            Position::new(0, 0)
        );
    }

    #[test]
    fn a_diagnostic_contains_the_defect_and_its_fix() {
        let mut finding = Located {
            related: vec![2],
            ..located(1, None)
        };
        finding.finding.line_side = Side::Old;
        let lines = Lines::of("a\nb\n", Encoding::Utf8);
        let one = diagnostic("file:///a.py", &finding, &lines);
        let expected = "It is wrong.\nFix: Do it right.\n(about the removed line 1)";
        assert_eq!(one.message, Message::from(expected.to_owned()));
        assert_eq!(
            (one.source.as_deref(), one.code),
            (Some("hunkwise"), Some("python/wrong".into()))
        );
        assert_eq!(one.code_description, None);
        assert_eq!(
            one.related_information.unwrap()[0].location.range.start,
            Position::new(1, 0)
        );
        finding.page = Some("file:///cache/python/wrong.md".into());
        let linked = diagnostic("file:///a.py", &finding, &lines)
            .code_description
            .unwrap();
        assert_eq!(linked.href.0, "file:///cache/python/wrong.md");
        let severity = |priority| {
            finding.finding.priority = priority;
            diagnostic("file:///a.py", &finding, &lines)
                .severity
                .unwrap()
        };
        let all = [Priority::P0, Priority::P1, Priority::P2, Priority::P3].map(severity);
        let [error, warning] = [DiagnosticSeverity::Error, DiagnosticSeverity::Warning];
        assert_eq!(
            all,
            [error, error, warning, DiagnosticSeverity::Information]
        );
    }
}
