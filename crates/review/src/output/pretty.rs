//! For terminals: code frames with the line marked, grouped by file, then a summary line.
//!
//! The diff is untrusted: its control characters never reach the terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diff::{Diff, Hunk, Line, LineKind, Side};
use crate::finding::Priority;
use crate::output::Coverage;
use crate::output::counts::{self, counted};
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::kinds::Kinds;
use crate::output::left_out::{left_out, remarks};
use crate::output::place::{other_places, remark};
use crate::output::rule_name::rule_name;
use crate::output::sent::sent;
use crate::output::subject::{Mask, Subject};
use crate::output::text::plain;
use crate::warning::WarningCode;

/// Context lines before and after the marked line.
const AROUND: usize = 2;
/// Maximum number of warnings shown per kind.
const NOTES: usize = 8;
/// Maximum length of a displayed line, in characters.
const WIDTH: usize = 160;
/// Bytes of a line that are searched for secrets: one that starts in the displayed part ends within them.
const MASKED: usize = 8_192;

/// How a review is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct View {
    /// Whether to use ANSI styles.
    pub colour: bool,
    /// Whether to show the confidence of each finding, and why its priority is lower than its consequence.
    pub verbose: bool,
}

/// Renders a review. Lines of code are masked, because terminal output ends up in CI logs.
#[must_use]
pub fn render(subject: &Subject<'_>, view: View) -> String {
    let Subject { body, diff, .. } = *subject;
    let renderer = if view.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for path in paths(body, diff) {
        for finding in body
            .open_findings()
            .filter(|finding| finding.file_path == path)
        {
            let confidence_note = view.verbose.then(|| confidence_note(finding, subject));
            out.push_str(&frame(&renderer, finding, subject, confidence_note));
            out.push_str("\n\n");
        }
    }
    out.push_str(&suppressed(body));
    out.push_str(&notes(body));
    if let Some(sent) = sent(body) {
        let _ = writeln!(out, "model: {}", plain(&sent));
    }
    out.push_str(&summary(body, diff));
    out
}

/// The findings that comments of the change suppress, one per line.
fn suppressed(body: &ReviewBody) -> String {
    let mut out = String::new();
    let suppressed = &body.metadata.suppressed_findings;
    for finding in suppressed.iter().take(NOTES) {
        let (path, line, priority) = (
            plain(&finding.file_path),
            finding.line_number,
            finding.priority,
        );
        let remark = remark(finding)
            .map(|remark| format!(" ({})", plain(&remark)))
            .unwrap_or_default();
        let (rule, what) = (rule_name(finding), plain(&finding.summary));
        let _ = writeln!(
            out,
            "suppressed: {path}:{line}: {priority}[{}]: {what}{remark}",
            plain(&rule)
        );
    }
    let more = suppressed.len().saturating_sub(NOTES);
    if more > 0 {
        let _ = writeln!(
            out,
            "suppressed: {more} more; the json format lists them all"
        );
    }
    out
}

/// The warnings, grouped by kind, one per line, and a line for the files that are not reviewed as code. If there are many, the first ones and the number of the others.
#[must_use]
pub fn notes(body: &ReviewBody) -> String {
    let mut out = String::new();
    let mut kinds: BTreeMap<(usize, &str), Vec<&WarningBody>> = BTreeMap::new();
    let of_kinds = Kinds::of(body);
    let line = of_kinds.line().filter(|_| of_kinds.total() > 1);
    let is_listed = |warning: &&WarningBody| line.is_none() || of_kinds.keeps(warning);
    for warning in body.metadata.warnings.iter().filter(is_listed) {
        // Codes of a newer service come last.
        let rank = WarningCode::ALL
            .iter()
            .position(|known| known.as_str() == warning.code)
            .unwrap_or(usize::MAX);
        kinds
            .entry((rank, &warning.code))
            .or_default()
            .push(warning);
    }
    for ((_, code), warnings) in kinds {
        let code = plain(code);
        for warning in warnings.iter().take(NOTES) {
            let place = warning
                .file_path
                .as_deref()
                .map(|path| format!("{path}: "))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "note: {}{} [{code}]",
                plain(&place),
                plain(&warning.message)
            );
        }
        let more = warnings.len().saturating_sub(NOTES);
        if more > 0 {
            let _ = writeln!(
                out,
                "note: {more} more of this kind; the json format lists them all [{code}]"
            );
        }
    }
    if let Some(line) = line {
        let _ = writeln!(out, "note: {}", plain(&line));
    }
    out
}

/// The paths with findings, in diff order.
fn paths<'a>(body: &'a ReviewBody, diff: &Diff<'_>) -> Vec<&'a str> {
    let place = |path: &str| {
        diff.files
            .iter()
            .position(|f| f.path() == path || f.path_on(Side::Old) == path)
    };
    let mut paths: Vec<&str> = body
        .open_findings()
        .map(|finding| finding.file_path.as_str())
        .collect();
    paths.sort_by_key(|path| (place(path), *path));
    paths.dedup();
    paths
}

/// The confidence in a finding, and its effect on the priority.
fn confidence_note(finding: &FindingBody, subject: &Subject<'_>) -> String {
    let text = finding.rule_id.as_deref().and_then(subject.rules);
    let consequence = text
        .and_then(|text| text.consequence)
        .filter(|consequence| *consequence < finding.priority);
    let lowered =
        consequence.map(|of| format!("; {of} if it is right, lowered because of the confidence"));
    format!(
        "confidence {:.2}{}",
        finding.confidence,
        lowered.unwrap_or_default()
    )
}

fn frame(
    renderer: &Renderer,
    finding: &FindingBody,
    subject: &Subject<'_>,
    confidence_note: Option<String>,
) -> String {
    let level = match finding.priority {
        Priority::P0 | Priority::P1 => Level::ERROR,
        Priority::P2 => Level::WARNING,
        Priority::P3 => Level::NOTE,
    };
    let level = level.with_name(finding.priority.as_str());
    let id = finding
        .rule_id
        .as_deref()
        .unwrap_or(finding.category.as_str());
    let title = level.primary_title(plain(&finding.summary)).id(plain(id));
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| Level::HELP.message(plain(fix)));
    let also = other_places(finding).map(|also| Level::NOTE.message(plain(&also)));
    let confidence_note = confidence_note.map(|note| Level::NOTE.message(note));
    let below = || {
        fix.clone()
            .into_iter()
            .chain(also.clone())
            .chain(confidence_note.clone())
    };
    let path = plain(&finding.file_path);
    let Some((source, start, span)) = source_of(finding, subject.diff, subject.mask) else {
        let place = format!("{path}:{}", finding.line_number);
        return renderer.render(&[Group::with_title(title)
            .element(Level::NOTE.message(place))
            .elements(below())]);
    };
    let label = if finding.line_side == Side::Old {
        "removed here"
    } else {
        ""
    };
    let annotation = AnnotationKind::Primary.span(span).label(label);
    let snippet = Snippet::source(source)
        .line_start(start)
        .path(path)
        .fold(false)
        .annotation(annotation);
    renderer.render(&[Group::with_title(title).element(snippet).elements(below())])
}

/// The displayed lines, the number of the first, and the position of the marked text.
fn source_of(
    finding: &FindingBody,
    diff: &Diff<'_>,
    mask: Mask,
) -> Option<(String, usize, std::ops::Range<usize>)> {
    let on_side = |line: &Line<'_>| match finding.line_side {
        Side::New => line.kind != LineKind::Removed,
        Side::Old => line.kind != LineKind::Added,
    };
    let number = |line: &Line<'_>| {
        if finding.line_side == Side::New {
            line.new
        } else {
            line.old
        }
    };
    let hunk = hunk_of(finding, diff)?;
    let side: Vec<&Line<'_>> = hunk.lines.iter().filter(|line| on_side(line)).collect();
    let marked = side
        .iter()
        .position(|line| number(line) == Some(finding.line_number))?;
    let first = marked.saturating_sub(AROUND);
    let mut source = String::new();
    let mut span = 0..0;
    for (at, line) in side
        .iter()
        .enumerate()
        .skip(first)
        .take(marked - first + AROUND + 1)
    {
        let seen = line
            .text
            .get(..line.text.floor_char_boundary(MASKED))
            .unwrap_or_default();
        let masked = mask(finding.category, seen);
        let text: String = plain(&masked).chars().take(WIDTH).collect();
        if at == marked {
            // A masked line has different columns.
            let columns = (masked == seen)
                .then(|| columns(finding, seen, &text))
                .flatten();
            let marked = columns.unwrap_or_else(|| code_of(&text));
            span = source.len() + marked.start..source.len() + marked.end;
        }
        source.push_str(&text);
        source.push('\n');
    }
    let start = usize::try_from(side.get(first).and_then(|line| number(line))?).ok()?;
    Some((source, start, span))
}

/// A line without surrounding white space.
fn code_of(text: &str) -> std::ops::Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..text.trim_end().len().max(start)
}

/// A finding's columns in its displayed line. A span beyond the line is marked to the end of the line.
fn columns(finding: &FindingBody, line: &str, shown: &str) -> Option<std::ops::Range<usize>> {
    let shown_before = |column: u32| {
        let before: String = line
            .chars()
            .take(usize::try_from(column).ok()?.checked_sub(1)?)
            .collect();
        let length = plain(&before).len();
        shown.is_char_boundary(length).then_some(length)
    };
    let start = shown_before(finding.start_column?)?;
    let ends_here = finding.end_line == Some(finding.line_number);
    let end = if ends_here {
        shown_before(finding.end_column?)
    } else {
        None
    };
    let end = end.unwrap_or_else(|| shown.trim_end().len());
    (start < end).then_some(start..end)
}

fn hunk_of<'d>(finding: &FindingBody, diff: &'d Diff<'d>) -> Option<&'d Hunk<'d>> {
    let files = diff
        .files
        .iter()
        .filter(|file| file.path_on(finding.line_side) == finding.file_path);
    files.flat_map(|file| &file.hunks).find(|hunk| {
        hunk.header == finding.hunk_header
            && hunk.lines.iter().any(|line| {
                line.side() == finding.line_side && line.number() == Some(finding.line_number)
            })
    })
}

/// The number of findings and the reviewed extent. An empty result must be distinguishable from a review that did not
/// happen.
fn summary(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let findings = match Coverage::of(body) {
        Coverage::Nothing => "nothing was reviewed".to_owned(),
        Coverage::Part | Coverage::All => counts::findings(body),
    };
    let hunks = diff.files.iter().flat_map(|file| &file.hunks);
    let lines = hunks.clone().flat_map(|hunk| &hunk.lines);
    let (mut added, mut removed) = (0usize, 0usize);
    for line in lines {
        match line.kind {
            LineKind::Added => added += 1,
            LineKind::Removed => removed += 1,
            LineKind::Context => {}
        }
    }
    let counts = [
        (left_out(body).count(), "part"),
        (remarks(body).count(), "note"),
    ];
    let [missed, notes] = counts.map(|(n, noun)| {
        if n == 0 {
            String::new()
        } else {
            counted(n, noun)
        }
    });
    let missed = if missed.is_empty() {
        missed
    } else {
        format!(", {missed} not reviewed")
    };
    let notes = if notes.is_empty() {
        notes
    } else {
        format!(", {notes}")
    };
    let hunks = counted(hunks.count(), "hunk");
    let files = counts::files(body, diff);
    let milliseconds = body.metadata.processing_ms;
    let seconds = format!("{}.{:02}", milliseconds / 1_000, milliseconds % 1_000 / 10);
    let reviewed = match counts::rules_only(body) {
        Some(failed) => format!("reviewed in {seconds} s ({failed})"),
        None => format!(
            "reviewed by {} in {seconds} s",
            body.metadata.engines.join(" + ")
        ),
    };
    format!(
        "{findings} in {files}, {hunks} (+{added} -{removed} lines), {reviewed}{missed}{notes}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Mask, View, render};
    use crate::candidate::{Candidate, Origin};
    use crate::diff::{Diff, Side};
    use crate::finding::{Category, Priority};
    use crate::output::json::{self, ReviewBody, WarningBody};
    use crate::output::{Gate, RuleText, Subject};
    use crate::pipeline::Review;
    use crate::{anchor::findings, engine::TokenUsage};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@ def f():\n a\n-\tif b:\n+\tif \u{1b}[31mB:\n chush\n";

    fn body(sides: &[(Side, u32)]) -> ReviewBody {
        let diff = Diff::parse(DIFF).unwrap();
        let candidates = sides.iter().map(|(side, line)| Candidate {
            file: 0,
            side: *side,
            line: *line,
            origin: Origin::Rule("python/x".into()),
            priority: Priority::P1,
            category: Category::LogicBug,
            summary: "something is wrong".into(),
            suggested_fix: Some("fix it".into()),
            confidence: 0.5,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        });
        let review = Review {
            findings: findings(&diff, candidates.collect()),
            warnings: Vec::new(),
            dropped: Vec::new(),
            chunks_analyzed: 1,
            chunks_by_model: 0,
            test_files: Vec::new(),
            suppressed: Vec::new(),
            usage: TokenUsage::default(),
            engines: vec!["rules"],
            model: None,
            model_use: None,
        };
        json::body("r", None, &review, 1)
    }

    fn rendered(body: &ReviewBody) -> String {
        shown(body, View::default())
    }

    fn shown(body: &ReviewBody, view: View) -> String {
        let text = |consequence| RuleText {
            title: String::new(),
            why: String::new(),
            fix: String::new(),
            page: String::new(),
            consequence: Some(consequence),
        };
        let (rules, mask): (_, Mask) = (
            |_: &str| Some(text(Priority::P0)),
            |_, line| line.replace("hush", "…"),
        );
        let diff = Diff::parse(DIFF).unwrap();
        render(
            &Subject {
                body,
                diff: &diff,
                gate: Gate::OPEN,
                rules: &rules,
                mask,
            },
            view,
        )
    }

    #[test]
    fn confidence_and_consequence_are_shown_on_request() {
        let body = body(&[(Side::New, 2)]);
        assert!(!rendered(&body).contains("confidence"));
        let text = shown(
            &body,
            View {
                verbose: true,
                ..View::default()
            },
        );
        let note =
            "= note: confidence 0.50; P0 if it is right, lowered because of the confidence\n";
        assert!(text.contains(note), "{text}");
    }

    #[test]
    fn a_frame_marks_the_line_on_its_side_and_escapes_control_characters() {
        let text = rendered(&body(&[(Side::New, 2), (Side::Old, 2)]));
        assert!(text.contains("P1[python/x]: something is wrong"), "{text}");
        assert!(text.contains("--> x.py:2:5"), "{text}");
        assert!(text.contains("removed here"), "{text}");
        assert!(text.contains("fix it"), "{text}");
        assert!(!text.contains('\u{1b}'));
        assert!(
            text.contains("c…") && !text.contains("hush"),
            "lines of code go through the mask: {text}"
        );
        assert!(
            text.ends_with(
                "2 findings (2 P1) in 1 file, 1 hunk (+1 -1 lines), reviewed by rules in 0.00 s\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn an_unknown_warning_is_shown_unchanged() {
        let warning = |code: &str| WarningBody {
            code: code.into(),
            message: "why".into(),
            file_path: None,
            model_only: false,
        };
        let mut body = body(&[]);
        body.metadata.warnings = vec![warning("A_NEW\u{1b}ONE"), warning("CHUNK_FAILED")];
        let text = rendered(&body);
        assert!(
            text.starts_with("note: why [CHUNK_FAILED]\nnote: why [A_NEW\u{fffd}ONE]\nno findings"),
            "{text}"
        );
        let sent = json::render(&body);
        assert_eq!(serde_json::from_str::<ReviewBody>(&sent).unwrap(), body);
    }

    #[test]
    fn an_empty_answer_states_what_was_reviewed() {
        let mut body = body(&[]);
        body.metadata.processing_ms = 1_234;
        let warning = |code: &str| WarningBody {
            code: code.into(),
            message: "why".into(),
            file_path: None,
            model_only: false,
        };
        body.metadata.warnings = vec![warning("CHUNK_FAILED"), warning("FINDINGS_MERGED")];
        let last = "no findings in 1 file, 1 hunk (+1 -1 lines), reviewed by rules in 1.23 s, 1 part not reviewed, 1 note\n";
        assert!(rendered(&body).ends_with(last), "{}", rendered(&body));
        body.metadata.warnings.clear();
        body.metadata.processing_ms = 0;
        body.metadata.test_files = vec!["x.py".to_owned()];
        let last = "no findings in 1 file (test code), 1 hunk (+1 -1 lines), reviewed by rules in 0.00 s\n";
        assert_eq!(rendered(&body), last);
        body.metadata.test_files.clear();
        assert_eq!(
            rendered(&body),
            "no findings in 1 file, 1 hunk (+1 -1 lines), reviewed by rules in 0.00 s\n"
        );
    }
}
