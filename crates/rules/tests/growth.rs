//! The cost of a scan is linear in the size of the text, regardless of its content. Steps are counted, not time.

use std::borrow::Cow;

use lint::{Cost, Report, measure};
use review::{Chunk, ChunkHunk, Language, Line, LineKind, Status};
use syntax::parse::Limits;

/// Number of repetitions.
const FEW: usize = 1_200;
/// Factor for the comparison.
const TIMES: usize = 8;

fn lines(text: &str, kind: LineKind) -> Vec<Line<'_>> {
    let line = |(number, text)| Line {
        kind,
        old: (kind != LineKind::Added).then_some(number),
        new: (kind != LineKind::Removed).then_some(number),
        text,
        terminated: true,
    };
    (1..).zip(text.lines()).map(line).collect()
}

fn scan(language: &str, status: Status, lines: Vec<Line<'_>>) -> (Report, Cost) {
    let file = Chunk {
        index: 0,
        path: Cow::Borrowed("src/large"),
        language: Language::find(language),
        status,
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
    measure(&file, rules::built_in(), &Limits::default())
}

fn added(language: &str, text: &str) -> Cost {
    scan(language, Status::Added, lines(text, LineKind::Added)).1
}

/// A change that replaces each line of the first text by a line of the second.
fn edited(language: &str, old: &str, new: &str) -> Cost {
    let (old, new) = (lines(old, LineKind::Removed), lines(new, LineKind::Added));
    scan(
        language,
        Status::Modified,
        old.into_iter()
            .zip(new)
            .flat_map(|(old, new)| [old, new])
            .collect(),
    )
    .1
}

/// Fails for each rule that took more than `size^1.2` steps or exceeded its allowance.
fn assert_linear(what: &str, cost: impl Fn(usize) -> Cost) {
    const FLOOR: u64 = 20_000;
    let (few, many) = (cost(FEW), cost(FEW * TIMES));
    let most = |steps: u64| u128::from(steps.max(FLOOR)) * 1_213 / 100;
    let mut faults: Vec<String> = many
        .ended
        .iter()
        .map(|rule| format!("{rule} was ended"))
        .collect();
    for (rule, steps) in &many.by_rule {
        let before = few.by_rule.get(rule).copied().unwrap_or(0);
        if u128::from(*steps) > most(before) {
            faults.push(format!("{rule}: {before} steps became {steps}"));
        }
    }
    assert!(faults.is_empty(), "{what}: {faults:#?}");
    assert!(!many.by_rule.is_empty(), "{what}: no rule examined it");
}

/// One line for each number, identical ones if the line has no placeholder.
fn numbered(line: &str, count: usize) -> String {
    (0..count)
        .map(|number| line.replace('#', &number.to_string()) + "\n")
        .collect()
}

#[test]
fn python_calls_of_one_function() {
    let head = "def go(a, b):\n    return a\n\n";
    assert_linear("calls", |count| {
        added("Python", &format!("{head}{}", numbered("go(1, #)", count)))
    });
}

#[test]
fn a_wrong_call_is_found_after_thousands_of_correct_ones() {
    let text = format!(
        "def go(a, b):\n    return a\n\n{}go(1)\n",
        "go(1, 2)\n".repeat(5_000)
    );
    let report = scan("Python", Status::Added, lines(&text, LineKind::Added)).0;
    let rule = "python/call-arguments-mismatch";
    let found = report
        .candidates
        .iter()
        .filter(|found| found.rule_id() == Some(rule));
    assert_eq!(found.map(|found| found.line).collect::<Vec<_>>(), [5_004]);
}

#[test]
fn python_statements() {
    assert_linear("alike", |count| {
        added("Python", &numbered("x = y + 1", count))
    });
    assert_linear("each another", |count| {
        added("Python", &numbered("x# = y# + 1", count))
    });
}

#[test]
fn python_strings() {
    assert_linear("strings", |count| {
        added("Python", &numbered("x = \"a#\" + y", count))
    });
    assert_linear("joined", |count| {
        added("Python", &numbered("x = \"a#\".join(y)", count))
    });
}

#[test]
fn statements_in_braces() {
    let body = |head: &str, line: &str, count| format!("{head}{}}}\n", numbered(line, count));
    assert_linear("JavaScript", |count| {
        added("JavaScript", &body("function f() {\n", "x = y + #;", count))
    });
    assert_linear("Go", |count| {
        added("Go", &body("func f() {\n", "x = y + #", count))
    });
}

#[test]
fn statements_of_long_functions() {
    let body = |head: &str, line: &str, count| format!("{head}{}}}\n", numbered(line, count));
    for line in [
        "x = y + #;",
        "int x# = #;",
        "for (int i = 0; i <= n; i++) a#[i] = 1;",
    ] {
        assert_linear(line, |count| {
            added("C", &body("int f(void) {\n", line, count))
        });
        assert_linear(line, |count| {
            added("C++", &body("int f() {\n", line, count))
        });
    }
    for line in ["x = y + #;", "int x# = #;"] {
        let head = "class A { void m() {\n";
        assert_linear(line, |count| {
            added("Java", &format!("{}}}\n", body(head, line, count)))
        });
        assert_linear(line, |count| {
            added("C#", &format!("{}}}\n", body(head, line, count)))
        });
    }
}

#[test]
fn removed_statements() {
    let removed =
        |language, text: &str| scan(language, Status::Modified, lines(text, LineKind::Removed)).1;
    assert_linear("on lines", |count| {
        removed("C", &numbered("x# = y + 1;", count))
    });
    assert_linear("of Java", |count| {
        removed("Java", &numbered("int x# = 1;", count))
    });
}

#[test]
fn edits() {
    let edit = |language: &str, old: &str, new: &str, count| {
        edited(language, &numbered(old, count), &numbered(new, count))
    };
    assert_linear("the same", |count| {
        edit("Python", "x = y + 1", "x = y + 2", count)
    });
    assert_linear("each another", |count| {
        edit("Python", "x# = y# + 1", "x# = y# + 2", count)
    });
    assert_linear("conditions", |count| {
        edit(
            "JavaScript", "if (a == #) { b(); }", "if (a > #) { b(); }", count,
        )
    });
}
