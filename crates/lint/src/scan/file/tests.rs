use std::borrow::Cow;

use review::{Category, Chunk, ChunkHunk, Language, Line, LineKind, Priority, Status, WarningCode};
use syntax::language::Role;
use syntax::parse::Limits;
use syntax::tree::Node;

use super::scan_all;
use crate::registry::{Catalog, RuleSet};
use crate::rule::Source;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};

/// Reports a call unless there is a `z`, and reads the whole text for each call.
fn reads_all(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let root = node.ancestors().last().unwrap_or(node);
    if !root
        .descendants()
        .any(|node| node.has_role(Role::Name) && node.text() == "z")
    {
        sink.report(node, "no z");
    }
}

fn reads_one(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    sink.report(node, "a call");
}

const fn rule(id: &'static str, run: fn(Node<'_>, &NodeContext<'_>, &mut Sink<'_>)) -> Rule {
    Rule {
        id,
        languages: &["Python"],
        title: "",
        why: "",
        fix: "",
        references: &[],
        priority: Priority::P2,
        category: Category::LogicBug,
        tests: Tests::Include,
        check: Check::Node {
            on: On::Roles(&[Role::Call]),
            run,
        },
        positive: &[],
        negative: &[],
    }
}

static READS_ALL: Rule = rule("test/reads-all", reads_all);
static READS_ONE: Rule = rule("test/reads-one", reads_one);

/// An added Python file.
fn added(text: &str) -> Chunk<'_> {
    let line = |(number, text)| Line {
        kind: LineKind::Added,
        old: None,
        new: Some(number),
        text,
        terminated: true,
    };
    Chunk {
        index: 0,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        path: Cow::Borrowed("a.py"),
        language: Language::find("Python"),
        status: Status::Added,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(""),
            lines: (1..).zip(text.lines()).map(line).collect(),
        }],
    }
}

/// The number of each rule's findings on `count` calls followed by a `z`, and the warnings.
fn scan_calls(calls: usize) -> ([usize; 2], Vec<(WarningCode, String)>) {
    let text = format!("{}z\n", "f(1, 2, 3, 4)\n".repeat(calls));
    static BOTH: Catalog = Catalog {
        sources: &[
            Source::Rust("python", &READS_ALL),
            Source::Rust("python", &READS_ONE),
        ],
        ..Catalog::EMPTY
    };
    let rules = RuleSet::new(&BOTH);
    let report = scan_all(&added(&text), &rules, &Limits::default(), None).0;
    let of = |id: &str| {
        report
            .candidates
            .iter()
            .filter(|found| found.rule_id() == Some(id))
            .count()
    };
    let warnings = report
        .warnings
        .into_iter()
        .map(|warning| (warning.code, warning.message))
        .collect();
    ([of(READS_ALL.id), of(READS_ONE.id)], warnings)
}

/// The lines of an added Python file on which a call is reported.
fn lines_of_calls(text: &str) -> Vec<u32> {
    static ONE: Catalog = Catalog {
        sources: &[Source::Rust("python", &READS_ONE)],
        ..Catalog::EMPTY
    };
    let rules = RuleSet::new(&ONE);
    let report = scan_all(&added(text), &rules, &Limits::default(), None).0;
    report.candidates.iter().map(|found| found.line).collect()
}

#[test]
fn no_finding_in_or_next_to_a_part_that_could_not_be_parsed() {
    assert_eq!(
        lines_of_calls("f(1)\nf(2)\nf(3)\nf(4)\nf(5)\nf(6)\nf(7)\n"),
        [1, 2, 3, 4, 5, 6, 7]
    );
    let reported = lines_of_calls("f(1)\nf(2)\nf(3)\n) f(4) ?? ]\nf(5)\nf(6)\nf(7)\n");
    assert!(
        [3, 4, 5].iter().all(|line| !reported.contains(line)),
        "{reported:?}"
    );
    assert!(
        reported.contains(&1) && reported.contains(&7),
        "{reported:?}"
    );
}

#[test]
fn findings_of_a_rule_that_runs_out_of_steps_are_discarded_with_a_warning() {
    assert_eq!(scan_calls(100), ([0, 100], Vec::new()));
    let (found, warnings) = scan_calls(3_000);
    assert_eq!(found, [0, 3_000]);
    let codes: Vec<WarningCode> = warnings.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, [WarningCode::FilePartlyAnalyzed]);
    assert!(
        warnings[0].1.contains(READS_ALL.id) && !warnings[0].1.contains(READS_ONE.id),
        "{warnings:?}"
    );
}
