//! Suppression comments.

use std::borrow::Cow;

use lint::{Report, scan, suppression_comment};
use review::{Chunk, ChunkHunk, Language, Line, LineKind, Status, WarningCode};
use syntax::language::Grammar;
use syntax::parse::Limits;

/// Scans a Python hunk of lines with their diff marks.
fn scan_hunk(body: &str) -> Report {
    let (mut old, mut new) = (0, 0);
    let lines: Vec<Line<'_>> = body
        .lines()
        .map(|row| {
            let kind = match row.get(..1) {
                Some("+") => LineKind::Added,
                Some("-") => LineKind::Removed,
                _ => LineKind::Context,
            };
            old += u32::from(kind != LineKind::Added);
            new += u32::from(kind != LineKind::Removed);
            let old = (kind != LineKind::Added).then_some(old);
            let new = (kind != LineKind::Removed).then_some(new);
            Line {
                kind,
                old,
                new,
                text: row.get(1..).unwrap_or_default(),
                terminated: true,
            }
        })
        .collect();
    let file = Chunk {
        index: 3,
        path: Cow::Borrowed("src/a.py"),
        language: Language::find("Python"),
        status: Status::Modified,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(""),
            lines: Cow::Owned(lines),
        }],
    };
    scan(&file, rules::built_in(), &Limits::default())
}

/// The rules with findings that no comment suppresses.
fn rules(report: &Report) -> Vec<&str> {
    let open = report
        .candidates
        .iter()
        .filter(|found| found.suppression.is_none());
    open.filter_map(|found| found.rule_id()).collect()
}

#[test]
fn a_suppression_in_a_string_has_no_effect() {
    let mark = "# hunkwise:ignore python/mutable-default-argument it is right";
    let rules_after = |line: String| {
        rules(&scan_hunk(&format!(
            " {line}\n+def f(x=[]):\n+    return x\n"
        )))
        .len()
    };
    assert_eq!(rules_after(mark.to_owned()), 0);
    assert_eq!(rules_after(format!("a = \"b\"  {mark}")), 0);
    assert_eq!(rules_after(format!("a = \"{mark}\"")), 1);
}

#[test]
fn a_finding_is_kept_with_its_comment_if_the_change_adds_the_comment_or_the_line() {
    let ignore = "# hunkwise:ignore python/mutable-default-argument";
    let function = "+def f(x=[]):\n+    return x\n";
    for (body, expected) in [
        (
            format!("+{ignore} never changed\n{function}"),
            Some((1, "never changed")),
        ),
        (
            format!(" {ignore} never changed\n{function}"),
            Some((1, "never changed")),
        ),
        (
            format!("+x = 1\n+def f(x=[]):  {ignore} it is new\n+    return x\n"),
            Some((2, "it is new")),
        ),
        (
            format!(" {ignore} it is old\n+def f(x=[]):  {ignore} it is new\n+    return x\n"),
            Some((2, "it is new")),
        ),
        (
            "+def f(x=[]):  # noqa: B006\n+    return x\n".to_owned(),
            Some((1, "noqa: B006")),
        ),
        (format!(" # noqa\n{function}"), Some((1, "noqa"))),
        (
            format!(
                "+{ignore} password='hunter2hunter2' {}\n{function}",
                "x".repeat(1_000)
            ),
            Some((1, "password='")),
        ),
    ] {
        let report = scan_hunk(&body);
        let kept: Vec<_> = report
            .candidates
            .iter()
            .filter_map(|found| found.suppression.as_ref())
            .collect();
        let shown = kept.first().map(|kept| (kept.line, kept.reason.as_str()));
        let is_expected = match (shown, expected) {
            (Some((line, reason)), Some((number, start))) => {
                line == number && reason.starts_with(start)
            }
            (shown, expected) => shown == expected,
        };
        assert!(is_expected && kept.len() < 2, "{body}: {shown:?}");
        assert!(
            !shown.is_some_and(
                |(_, reason)| reason.contains("hunter2") || reason.chars().count() > 200
            ),
            "{shown:?}"
        );
        assert_eq!(report.warnings.len(), 1, "{body}");
    }
}

#[test]
fn a_comment_with_a_reason_suppresses_the_rule_and_is_counted() {
    for body in [
        "+def f(x=[]):  # hunkwise:ignore python/mutable-default-argument never changed\n+    return x\n",
        "+# hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=[]):\n+    return x\n",
        " # hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=[]):\n+    return x\n",
    ] {
        let report = scan_hunk(body);
        assert!(rules(&report).is_empty(), "{body}");
        let warning = report.warnings.first().expect("a warning");
        assert_eq!(warning.code, WarningCode::FindingsSuppressed);
        assert!(
            warning
                .message
                .contains("python/mutable-default-argument (1)"),
            "{}",
            warning.message
        );
        assert_eq!(warning.file_path.as_deref(), Some("src/a.py"));
    }
}

#[test]
fn a_suppression_needs_a_reason_its_rule_its_line_and_a_comment() {
    for body in [
        "+def f(x=[]):  # hunkwise:ignore python/mutable-default-argument\n+    return x\n",
        "+def f(x=[]):  # hunkwise:ignore python/is-with-literal wrong rule\n+    return x\n",
        "+# hunkwise:ignore python/mutable-default-argument too far away\n+\n+def f(x=[]):\n+    return x\n",
        "+def f(x=[], y='hunkwise:ignore python/mutable-default-argument in a string'):\n+    return x\n",
        "-# hunkwise:ignore python/mutable-default-argument removed\n+def f(x=[]):\n+    return x\n",
    ] {
        let report = scan_hunk(body);
        let mut rules = rules(&report);
        rules.retain(|rule| *rule != "any/unused-suppression");
        assert_eq!(rules, ["python/mutable-default-argument"], "{body}");
        assert!(
            report
                .warnings
                .iter()
                .all(|warning| warning.code != WarningCode::FindingsSuppressed),
            "{body}"
        );
    }
}

/// The warnings about comments without effect.
fn ineffective(body: &str) -> Vec<String> {
    let warnings = scan_hunk(body).warnings;
    let own = warnings
        .into_iter()
        .filter(|warning| warning.code == WarningCode::SuppressionIneffective);
    own.map(|warning| warning.message).collect()
}

#[test]
fn a_comment_without_effect_is_reported_with_its_line_and_what_is_missing() {
    const MUTABLE: &str = "python/mutable-default-argument";
    let no_reason = |line| {
        format!(
            "line {line}: this suppression has no reason, so it has no effect: add one after the rule"
        )
    };
    let unknown = |name: &str, advice: &str| {
        format!("line 1: there is no rule {name:?}, so this suppression has no effect: {advice}")
    };
    let nearest = "did you mean python/mutable-default-argument?";
    let function = "+def f(x=[]):\n+    return x\n";
    for (body, expected) in [
        (
            format!("+# hunkwise:ignore {MUTABLE}\n{function}"),
            no_reason(1),
        ),
        (
            format!("+x = 1\n+def f(x=[]):  # hunkwise:ignore {MUTABLE} ...\n+    return x\n"),
            no_reason(2),
        ),
        (
            format!("+# hunkwise:ignore {MUTABLE}\n+x = 1\n"),
            no_reason(1),
        ),
        (
            format!(" # hunkwise:ignore {MUTABLE}\n{function}"),
            no_reason(1),
        ),
        (
            format!("+# hunkwise:ignore python/mutable-default never changed\n{function}"),
            unknown(
                "python/mutable-default", "`hunkwise rules list` shows all rules",
            ),
        ),
        (
            format!(
                "+# hunkwise:ignore python/mutable-default-arguments never changed\n{function}"
            ),
            unknown("python/mutable-default-arguments", nearest),
        ),
        (
            format!(" # hunkwise:ignore pyton/mutable-default-argument never changed\n{function}"),
            unknown("pyton/mutable-default-argument", nearest),
        ),
        (
            format!("+# hunkwise:ignore mutable-default-argument never changed\n{function}"),
            unknown("mutable-default-argument", nearest),
        ),
    ] {
        assert_eq!(ineffective(&body), [expected], "{body}");
    }
}

#[test]
fn comments_with_an_effect_and_text_about_comments_are_not_reported() {
    for body in [
        "+# hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=[]):\n+    return x\n",
        "+# hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=None):\n+    return x\n",
        "+# hunkwise:ignore any/branch-removed a rule of an earlier version\n+x = 1\n",
        "+# hunkwise:ignore acme/raw-query a rule that another run knows\n+x = 1\n",
        "+# Suppress one with hunkwise:ignore <rule-id> <reason> above the line.\n+x = 1\n",
        "+# hunkwise:ignore comments are explained elsewhere\n+x = 1\n",
        "+x = 'hunkwise:ignore python/mutable-default-argument'\n",
        "-# hunkwise:ignore python/mutable-default-argument\n+x = 1\n",
        " # hunkwise:ignore python/mutable-default-argument\n+x = 1\n",
    ] {
        assert_eq!(ineffective(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn a_finding_on_a_removed_line_is_suppressed_at_its_old_place() {
    let guard = "-    if cart is None:\n-        return 0\n     return sum(cart.items)\n";
    let without = scan_hunk(&format!(" def total(cart):\n{guard}"));
    assert!(rules(&without).contains(&"any/guard-removed"));
    let ignore = "+    # hunkwise:ignore any/guard-removed the caller checks\n";
    let with = scan_hunk(&format!(" def total(cart):\n{ignore}{guard}"));
    assert!(!rules(&with).contains(&"any/guard-removed"));
}

#[test]
fn a_comment_for_another_analyser_suppresses_only_findings_not_about_security() {
    for body in [
        "+def f(x=[]):  # noqa: B006\n+    return x\n",
        " # pylint: disable=W0102\n+def f(x=[]):\n+    return x\n",
    ] {
        let report = scan_hunk(body);
        assert!(rules(&report).is_empty(), "{body}");
        let warning = report.warnings.first().expect("a warning");
        assert!(
            warning
                .message
                .contains("python/mutable-default-argument (1)"),
            "{}",
            warning.message
        );
    }
    for body in [
        "+def f(x=[], y='noqa'):\n+    return x\n",
        "+# noqa\n+\n+def f(x=[]):\n+    return x\n",
        "-# noqa\n+def f(x=[]):\n+    return x\n",
    ] {
        assert_eq!(
            rules(&scan_hunk(body)),
            ["python/mutable-default-argument"],
            "{body}"
        );
    }
    let command = "+import os\n+os.system('ls ' + request.args['x'])  # noqa\n";
    assert!(!rules(&scan_hunk(command)).is_empty());
}

#[test]
fn an_unused_suppression_is_reported_if_the_rule_ran_there() {
    let comment = "# hunkwise:ignore python/mutable-default-argument never changed\n";
    let report = scan_hunk(&format!("+{comment}+def f(x=None):\n+    return x\n"));
    assert_eq!(rules(&report), ["any/unused-suppression"]);
    let found = &report.candidates[0];
    assert_eq!((found.line, found.priority), (1, review::Priority::P3));
    assert!(
        found.summary.contains("python/mutable-default-argument"),
        "{}",
        found.summary
    );
    // Unchanged code, code that cannot be parsed, and code with a finding that another comment suppresses.
    for body in [
        format!("+{comment} def f(x=None):\n     return x\n"),
        format!("+{comment}+def f(x=None\n+@@@\n+) +\n"),
        format!(
            "+# hunkwise:ignore any/unused-suppression soon needed\n+{comment}+def f(x=None):\n+    return x\n"
        ),
    ] {
        assert!(rules(&scan_hunk(&body)).is_empty(), "{body}");
    }
}

#[test]
fn one_comment_that_suppresses_two_findings_is_used() {
    let body = "+# hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=[]): return lambda y=[]: x\n";
    assert!(!rules(&scan_hunk(body)).contains(&"any/unused-suppression"));
}

#[test]
fn a_generated_suppression_has_no_effect_until_it_has_a_reason() {
    let rule = "python/mutable-default-argument";
    let comment = suppression_comment(Grammar::find("Python").unwrap(), rule).unwrap();
    assert_eq!(
        comment,
        "# hunkwise:ignore python/mutable-default-argument ..."
    );
    let found = |comment: &str| {
        rules(&scan_hunk(&format!(
            "+{comment}\n+def f(x=[]):\n+    return x\n"
        )))
        .contains(&rule)
    };
    assert!(found(&comment));
    assert!(!found(&comment.replace("...", "never changed")));
}

#[test]
fn every_language_but_json_has_a_comment() {
    let without = Grammar::all().filter(|grammar| suppression_comment(*grammar, "a/b").is_none());
    assert_eq!(without.map(Grammar::name).collect::<Vec<_>>(), ["JSON"]);
}
