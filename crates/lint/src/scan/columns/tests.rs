use std::borrow::Cow;

use review::{Category, Chunk, ChunkHunk, Diff, Language, Priority, Side, Status};
use syntax::language::Role;
use syntax::parse::Limits;
use syntax::tree::Node;

use crate::registry::{Catalog, RuleSet};
use crate::rule::{ChangeContext, Check, NodeContext, On, Rule, Sink, Source, Tests};
use crate::scan::scan;

fn call(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    sink.report(node, "a call");
}

fn old_call(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for node in context
        .old
        .nodes()
        .filter(|node| node.has_role(Role::Call) && node.touches_change())
    {
        sink.report(node, "a call that was there");
    }
}

const fn rule(id: &'static str, check: Check) -> Rule {
    Rule {
        id,
        languages: &[],
        title: "",
        why: "",
        fix: "",
        references: &[],
        priority: Priority::P2,
        category: Category::LogicBug,
        tests: Tests::Include,
        check,
        positive: &[],
        negative: &[],
    }
}

static CALL: Rule = rule(
    "test/call",
    Check::Node {
        on: On::Roles(&[Role::Call]),
        run: call,
    },
);
static OLD_CALL: Rule = rule("test/old-call", Check::Change { run: old_call });

/// Line, first column, last line and end column.
type Found = (u32, Option<(u32, u32, u32)>);

/// The findings on a side of a hunk.
fn found(language: &str, side: Side, body: &str) -> Vec<Found> {
    let count = |marker| {
        body.lines()
            .filter(|line| line.starts_with([' ', marker]))
            .count()
    };
    let text = format!(
        "--- a/x\n+++ b/x\n@@ -1,{} +1,{} @@\n{body}",
        count('-'),
        count('+')
    );
    let diff = Diff::parse(&text).unwrap();
    let lines = Cow::Borrowed(diff.files[0].hunks[0].lines.as_slice());
    let file = Chunk {
        index: 0,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        path: Cow::Borrowed("x"),
        language: Language::find(language),
        status: Status::Modified,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(""),
            lines,
        }],
    };
    static CATALOG: Catalog = Catalog {
        sources: &[Source::Rust("any", &CALL), Source::Rust("any", &OLD_CALL)],
        ..Catalog::EMPTY
    };
    let rules = RuleSet::new(&CATALOG);
    let candidates = scan(&file, &rules, &Limits::default())
        .candidates
        .into_iter();
    let span = |of: &review::Candidate| {
        of.span
            .map(|span| (span.start_column, span.end_line, span.end_column))
    };
    candidates
        .filter(|one| one.side == side)
        .map(|one| (one.line, span(&one)))
        .collect()
}

#[test]
fn columns_count_characters() {
    assert_eq!(
        found("Python", Side::New, "+x = \"é🙂\" + f(\"ü\")\n"),
        [(1, Some((12, 1, 18)))]
    );
}

#[test]
fn a_tab_is_one_column_and_a_carriage_return_none() {
    assert_eq!(
        found("Go", Side::New, " func a() {\r\n+\t\tf(x)\r\n }\r\n"),
        [(2, Some((3, 2, 7)))]
    );
}

#[test]
fn the_context_of_a_fragment_does_not_shift_columns() {
    assert_eq!(
        found("Java", Side::New, " int a = 1;\n+int b = f(a);\n"),
        [(2, Some((9, 2, 13)))]
    );
}

#[test]
fn text_outside_php_tags_counts_in_columns() {
    assert_eq!(
        found("PHP", Side::New, "+<b>é</b><?php f(1); ?>\n"),
        [(1, Some((15, 1, 19)))]
    );
}

#[test]
fn a_node_of_several_lines_ends_on_its_last() {
    assert_eq!(
        found("Python", Side::New, "+f(1,\n+  2)\n"),
        [(1, Some((1, 2, 5)))]
    );
    assert_eq!(
        found("Python", Side::New, " f(1,\n+  2,\n   3)\n"),
        [(2, Some((3, 3, 5)))],
        "from the changed line on"
    );
}

#[test]
fn on_the_old_side_a_node_ends_on_a_removed_line() {
    assert_eq!(
        found("Python", Side::Old, "-f(1,\n-  22,\n   3)\n+g(3)\n"),
        [(1, Some((1, 2, 6)))]
    );
    assert_eq!(
        found("Python", Side::Old, "-f(1)\n+g()\n"),
        [(1, Some((1, 1, 5)))]
    );
}
