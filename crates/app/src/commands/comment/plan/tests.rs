//! Plans for reviews, comments and diffs. After a plan is carried out, the next one is empty.

use proptest::prelude::*;
use review::output::json::{Metadata, ReplacementBody, WarningBody};
use review::{Category, Priority, Side, TokenUsage, fingerprint};

use super::*;

const DIFF: &str = "\
--- a/a.py
+++ b/a.py
@@ -1,3 +1,5 @@
 first
-gone
+same
+same
+x = f(1)
 last
";

fn at(line: u32, side: Side, text: &str) -> FindingBody {
    FindingBody {
        file_path: "a.py".into(),
        line_number: line,
        line_side: side,
        old_line_number: None,
        hunk_header: "@@ -1,3 +1,5 @@".into(),
        priority: Priority::P2,
        category: Category::LogicBug,
        summary: "It is wrong.".into(),
        suggested_fix: None,
        rule_id: Some("any/rule".into()),
        fingerprint: fingerprint("any/rule", "a.py", text),
        confidence: 0.9,
        start_column: None,
        end_line: None,
        end_column: None,
        replacement: None,
        related_locations: Vec::new(),
        references: Vec::new(),
        baseline_state: None,
        suppression: None,
    }
}

/// A finding on each line of the diff; two of them are equal.
fn findings() -> Vec<FindingBody> {
    let new = [
        (1, "first"),
        (2, "same"),
        (3, "same"),
        (4, "x = f(1)"),
        (5, "last"),
    ];
    let mut all: Vec<_> = new
        .iter()
        .map(|(line, text)| at(*line, Side::New, text))
        .collect();
    all.push(at(2, Side::Old, "gone"));
    all
}

fn replaced(start: (u32, u32), end: (u32, u32), text: &str) -> FindingBody {
    let replacement = ReplacementBody {
        start_line: start.0,
        start_column: start.1,
        end_line: end.0,
        end_column: end.1,
        text: text.into(),
    };
    FindingBody {
        replacement: Some(replacement),
        ..at(4, Side::New, "x = f(1)")
    }
}

fn review(findings: Vec<FindingBody>) -> ReviewBody {
    let metadata = Metadata {
        processing_ms: 1,
        chunks_analyzed: 1,
        token_usage: TokenUsage::default(),
        warnings: Vec::new(),
        engines: vec!["rules".into()],
        model: None,
        model_use: None,
        chunks_by_model: 0,
        test_files: Vec::new(),
        suppressed_findings: Vec::new(),
    };
    ReviewBody {
        request_id: "r".into(),
        client_reference: None,
        findings,
        metadata,
    }
}

fn diff() -> Diff<'static> {
    Diff::parse(DIFF).unwrap()
}

/// The comments on a host after a plan.
fn carried_out(plan: &Plan<'_>, known: &[Thread]) -> Vec<Thread> {
    let has = |threads: &[&Thread], one: &Thread| {
        threads.iter().any(|thread| thread.comment == one.comment)
    };
    let mut threads = known.to_vec();
    for thread in &mut threads {
        if has(&plan.resolve, thread) {
            thread.resolved = Some(Resolver::Us);
        }
        if has(&plan.reopen, thread) {
            thread.resolved = None;
        }
        if let Some((_, text)) = plan
            .update
            .iter()
            .find(|(one, _)| one.comment == thread.comment)
        {
            thread.text = text.replace('\n', "\r\n");
        }
    }
    let new = plan
        .create
        .iter()
        .enumerate()
        .map(|(at, (draft, _))| Thread {
            comment: format!("{}", known.len() + at),
            id: Some(format!("thread {}", known.len() + at)),
            fingerprint: draft.fingerprint.clone(),
            path: draft.new_path.clone(),
            text: draft.text.clone(),
            lines: Some(draft.lines),
            resolved: None,
        });
    threads.extend(new);
    threads
}

fn posted(findings: Vec<FindingBody>) -> Vec<Thread> {
    carried_out(&plan(&review(findings), &[], &diff(), Style::GitHub), &[])
}

fn counts(plan: &Plan<'_>) -> [usize; 6] {
    [
        &plan.create.len(),
        &plan.update.len(),
        &plan.resolve.len(),
        &plan.reopen.len(),
        &plan.keep.len(),
        &plan.summary_only.len(),
    ]
    .map(|count| *count)
}

#[test]
fn each_finding_gets_a_comment_on_its_line() {
    let review = review(findings());
    let diff = diff();
    let plan = plan(&review, &[], &diff, Style::GitLab);
    assert_eq!(counts(&plan), [6, 0, 0, 0, 0, 0]);
    let numbers: Vec<_> = plan
        .create
        .iter()
        .map(|(draft, _)| (draft.old_line, draft.new_line))
        .collect();
    let (context, removed) = ((Some(1), Some(1)), (Some(2), None));
    assert_eq!(
        numbers,
        [
            context,
            (None, Some(2)),
            (None, Some(3)),
            (None, Some(4)),
            (Some(3), Some(5)),
            removed
        ]
    );
}

#[test]
fn findings_outside_the_hosts_diff_are_only_in_the_summary() {
    let moved = at(2, Side::New, "another text");
    let elsewhere = FindingBody {
        file_path: "b.py".into(),
        ..at(2, Side::New, "same")
    };
    let review = review(vec![
        at(9, Side::New, "same"),
        at(1, Side::Old, "first"),
        moved,
        elsewhere,
    ]);
    assert_eq!(
        counts(&plan(&review, &[], &diff(), Style::GitHub)),
        [0, 0, 0, 0, 0, 4]
    );
}

#[test]
fn a_comment_follows_its_finding() {
    let known = posted(findings());
    let mut changed = findings();
    changed[0].summary = "Another text.".into();
    changed.remove(3);
    // Of two equal lines one is fixed: one comment is kept, one is resolved.
    changed.remove(1);
    let changed = review(changed);
    let first = plan(&changed, &known, &diff(), Style::GitHub);
    assert_eq!(counts(&first), [0, 1, 2, 0, 3, 0]);
    let known = carried_out(&first, &known);
    let all = review(findings());
    assert_eq!(
        counts(&plan(&all, &known, &diff(), Style::GitHub)),
        [0, 1, 0, 2, 5, 0],
        "a conversation whose finding is back is reopened"
    );
}

#[test]
fn conversations_resolved_by_people_are_left_alone() {
    let mut known = posted(findings());
    known
        .iter_mut()
        .for_each(|thread| thread.resolved = Some(Resolver::SomeoneElse));
    known[0].text = "edited".into();
    for findings in [findings(), Vec::new()] {
        let kept = findings.len();
        assert_eq!(
            counts(&plan(&review(findings), &known, &diff(), Style::GitHub)),
            [0, 0, 0, 0, kept, 0]
        );
    }
}

#[test]
fn conversations_on_unreviewed_files_are_not_resolved() {
    let known = posted(findings());
    for (code, path, resolved) in [
        ("FILE_SKIPPED_TOO_LARGE", Some("a.py"), 0),
        ("FILE_SKIPPED_TOO_LARGE", Some("b.py"), 6),
        ("MODEL_FAILED", None, 0),
        ("FILE_SKIPPED_GENERATED", Some("a.py"), 6),
    ] {
        let mut review = review(Vec::new());
        let warning = WarningBody {
            code: code.into(),
            message: "why".into(),
            file_path: path.map(str::to_owned),
            model_only: false,
        };
        review.metadata.warnings.push(warning);
        assert_eq!(
            plan(&review, &known, &diff(), Style::GitHub).resolve.len(),
            resolved,
            "{code} {path:?}"
        );
    }
}

#[test]
fn a_replacement_of_whole_lines_is_a_suggestion() {
    let text = |finding: FindingBody, style| posted_text(finding, style);
    let one = text(replaced((4, 7), (4, 8), "2"), Style::GitHub);
    assert!(one.contains("```suggestion\nx = f(2)\n```"), "{one}");
    let lines = text(replaced((3, 1), (5, 5), "y\nz"), Style::GitLab);
    assert!(lines.contains("```suggestion:-1+1\ny\nz\n```"), "{lines}");
    let review = review(vec![replaced((3, 1), (5, 5), "y\nz")]);
    assert_eq!(
        plan(&review, &[], &diff(), Style::GitHub).create[0].0.lines,
        (3, 5)
    );
}

fn posted_text(finding: FindingBody, style: Style) -> String {
    plan(&review(vec![finding]), &[], &diff(), style).create[0]
        .0
        .text
        .clone()
}

#[test]
fn other_replacements_are_plain_code_blocks() {
    for (finding, shown) in [
        (
            replaced((4, 7), (4, 8), "a\u{202e}b"),
            "```\na\u{fffd}b\n```",
        ),
        (replaced((4, 8), (4, 7), "2"), "```\n2\n```"),
        (replaced((5, 1), (5, 2), "2"), "```\n2\n```"),
        (replaced((4, 1), (9, 1), "2"), "```\n2\n```"),
        (replaced((4, 1), (4, 9), ""), "It is wrong."),
        (replaced((4, 1), (4, 9), "```\n/close\n"), "It is wrong."),
    ] {
        let text = posted_text(finding, Style::GitHub);
        assert!(
            text.contains(shown) && !text.contains("suggestion") && !text.contains("/close"),
            "{text}"
        );
    }
}

#[test]
fn a_suggestion_is_only_on_the_lines_that_it_replaces() {
    let findings = vec![replaced((4, 7), (4, 8), "2")];
    let mut known = posted(findings.clone());
    assert_eq!(
        counts(&plan(
            &review(findings.clone()),
            &known,
            &diff(),
            Style::GitHub
        )),
        [0, 0, 0, 0, 1, 0]
    );
    known[0].lines = Some((2, 2));
    let review = review(findings);
    let plan = plan(&review, &known, &diff(), Style::GitHub);
    assert!(!plan.update[0].1.contains("suggestion"), "{plan:?}");
}

#[test]
fn a_finding_cannot_forge_a_marker_or_a_mention() {
    for hostile in [
        "<!-- hunkwise 00 -->", "`<!-- hunkwise 00 -->`", "x\n<!-- hunkwise summary -->",
        "@all `@all`",
    ] {
        let finding = FindingBody {
            summary: hostile.into(),
            suggested_fix: Some(hostile.into()),
            ..at(2, Side::New, "same")
        };
        let own = finding.fingerprint.clone();
        let text = posted_text(finding, Style::GitHub);
        let last = text.lines().next_back().unwrap();
        assert_eq!(last, format!("<!-- hunkwise {own} -->"));
        assert!(
            !text
                .lines()
                .any(|line| line != last && line.starts_with("<!--")),
            "{text}"
        );
        assert!(!text.replace("`@all`", "").contains("@all"), "{text}");
    }
}

#[test]
fn there_are_at_most_a_hundred_comments() {
    let lines: String = (0..150).map(|_| "+same\n").collect();
    let text = format!("--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,150 @@\n{lines}");
    let diff = Diff::parse(&text).unwrap();
    let review = review((1..=150).map(|line| at(line, Side::New, "same")).collect());
    let first = plan(&review, &[], &diff, Style::GitHub);
    assert_eq!(counts(&first), [100, 0, 0, 0, 0, 50]);
    let known = carried_out(&first, &[]);
    assert_eq!(
        counts(&plan(&review, &known, &diff, Style::GitHub)),
        [0, 0, 0, 0, 100, 50]
    );
}

fn some_findings() -> impl Strategy<Value = Vec<FindingBody>> {
    let pool: Vec<FindingBody> = findings()
        .into_iter()
        .chain([
            at(9, Side::New, "outside"),
            replaced((4, 7), (4, 8), "2"),
            replaced((3, 1), (5, 5), "y\nz"),
        ])
        .collect();
    let one = (proptest::sample::select(pool), any::<bool>()).prop_map(|(finding, reworded)| {
        let summary = if reworded {
            "Said otherwise: <!-- hunkwise 00 -->".into()
        } else {
            finding.summary.clone()
        };
        FindingBody { summary, ..finding }
    });
    proptest::collection::vec(one, 0..8)
}

proptest! {
    #[test]
    fn publishing_twice_changes_nothing(
        reviews in proptest::collection::vec(some_findings(), 1..4),
        resolved in proptest::collection::vec(any::<bool>(), 8),
        style in proptest::sample::select(vec![Style::GitHub, Style::GitLab]),
    ) {
        let diff = diff();
        let mut known = Vec::new();
        for findings in reviews {
            let review = review(findings);
            known = carried_out(&plan(&review, &known, &diff, style), &known);
            let again = plan(&review, &known, &diff, style);
            prop_assert_eq!(counts(&again)[..4].to_vec(), vec![0; 4]);
            prop_assert_eq!(again.keep.len() + again.summary_only.len(), review.findings.len());
            let threads = known.iter_mut().zip(&resolved).filter(|(_, resolved)| **resolved);
            threads.for_each(|(thread, _)| thread.resolved = Some(Resolver::SomeoneElse));
        }
    }
}
