//! A JUnit report: one test case per file, which fails for findings at or above the gate.
//!
//! Written by hand: it has five elements, and `quick-junit` would bring chrono, uuid and an ANSI parser. A test parses the
//! report with an XML parser.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::diff::Diff;
use crate::output::gate::Gate;
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::left_out::{left_out, remarks};
use crate::output::place::{in_new_file, suppressed_by};
use crate::output::rule_name::rule_name;
use crate::output::text::scrub;

/// The review as a report.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>, gate: Gate) -> String {
    let cases = cases(body, diff, gate);
    let failures = cases.iter().filter(|case| case.fails()).count();
    let skipped = cases.iter().filter(|case| case.is_skipped()).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\"",
        cases.len()
    );
    let time = seconds(body.metadata.processing_ms);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"hunkwise\" {counts} time=\"{time}\">"
    );
    let _ = writeln!(
        out,
        "  <testsuite name=\"hunkwise\" {counts} skipped=\"{skipped}\" time=\"{time}\">"
    );
    out.extend(cases.iter().map(Case::xml));
    out.push_str(&of_review(body));
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)
}

/// The test case of a file.
#[derive(Default)]
struct Case<'a> {
    path: &'a str,
    /// Findings at or above the gate.
    failing: Vec<String>,
    /// The other findings.
    passing: Vec<String>,
    left_out: Vec<&'a WarningBody>,
}

/// One case per file of the diff, in diff order, then files that only a warning or a finding mentions.
fn cases<'a>(body: &'a ReviewBody, diff: &'a Diff<'a>, gate: Gate) -> Vec<Case<'a>> {
    let mut by_path: BTreeMap<&str, Case<'_>> = BTreeMap::new();
    for finding in body.shown_findings() {
        let place = in_new_file(finding, diff);
        let case = by_path.entry(place.path).or_default();
        let is_failing = finding.suppression.is_none() && gate.fails(finding);
        let list = if is_failing {
            &mut case.failing
        } else {
            &mut case.passing
        };
        list.push(line(finding, place.line));
    }
    for warning in left_out(body) {
        if let Some(path) = &warning.file_path {
            by_path.entry(path).or_default().left_out.push(warning);
        }
    }
    let mut seen = HashSet::new();
    let files = diff
        .files
        .iter()
        .map(|file| file.path())
        .filter(|path| seen.insert(*path));
    let files: Vec<&str> = files.collect();
    let mut cases: Vec<Case<'_>> = files
        .into_iter()
        .map(|path| Case {
            path,
            ..by_path.remove(path).unwrap_or_default()
        })
        .collect();
    cases.extend(
        by_path
            .into_iter()
            .map(|(path, case)| Case { path, ..case }),
    );
    cases
}

fn line(finding: &FindingBody, number: u32) -> String {
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!(" Fix: {fix}"))
        .unwrap_or_default();
    let suppressed = suppressed_by(finding)
        .map(|by| format!(" ({by})"))
        .unwrap_or_default();
    format!(
        "line {number}: {} {}: {}{fix}{suppressed}",
        finding.priority,
        rule_name(finding),
        finding.summary
    )
}

impl Case<'_> {
    fn fails(&self) -> bool {
        !self.failing.is_empty()
    }

    fn is_skipped(&self) -> bool {
        !self.fails() && !self.left_out.is_empty()
    }

    fn xml(&self) -> String {
        let mut out = format!(
            "    <testcase classname=\"hunkwise\" name=\"{}\" time=\"0\">\n",
            attribute(self.path)
        );
        if let Some(first) = self.failing.first() {
            let message = attribute(first);
            let text = content(&self.failing.join("\n"));
            let _ = writeln!(
                out,
                "      <failure type=\"finding\" message=\"{message}\">{text}</failure>"
            );
        } else if self.is_skipped() {
            let _ = writeln!(
                out,
                "      <skipped message=\"{}\"/>",
                attribute(&self.missed())
            );
        }
        if !self.passing.is_empty() {
            let _ = writeln!(
                out,
                "      <system-out>{}</system-out>",
                content(&self.passing.join("\n"))
            );
        }
        if self.fails() && !self.left_out.is_empty() {
            let _ = writeln!(
                out,
                "      <system-err>{}</system-err>",
                content(&self.missed())
            );
        }
        out + "    </testcase>\n"
    }

    fn missed(&self) -> String {
        self.left_out
            .iter()
            .map(|warning| note(warning))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// The warnings without a case.
fn of_review(body: &ReviewBody) -> String {
    let whole = left_out(body).filter(|warning| warning.file_path.is_none());
    let lines: Vec<String> = whole.chain(remarks(body)).map(note).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "    <system-err>{}</system-err>\n",
        content(&lines.join("\n"))
    )
}

fn note(warning: &WarningBody) -> String {
    format!("{} [{}]", warning.message, warning.code)
}

/// Escapes text content. XML 1.0 cannot represent most control characters and two other code points. A line that starts with `::`
/// would be a workflow command of GitHub in a log.
fn content(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_start = true;
    for c in scrub(text).chars() {
        let is_indent = is_start && c.is_whitespace();
        match c {
            ':' if is_start => out.push_str("&#58;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
        is_start = is_indent || c == '\n';
    }
    out
}

/// Escapes an attribute value, in which a parser replaces tabs and line feeds by spaces.
fn attribute(text: &str) -> String {
    content(text).replace('\n', "&#10;").replace('\t', "&#9;")
}
