//! Changes of JavaScript code and their analysis.

use std::borrow::Cow;

use review::{Chunk, ChunkHunk, Language, Side, Status};
use syntax::language::Grammar;
use syntax::parse::{Extent, FileContext, Fragment, Limits, SideText, hunks};
use syntax::tree::Tree;

use super::added::Added;
use super::pairing::Change;
use crate::change::ChangeContext;
use crate::change::testing::lines;

/// Passes the change of a JavaScript file to a test; rows start as in a diff.
fn with_change(rows: &[&'static str], test: impl FnOnce(&ChangeContext<'_>)) {
    let hunk = ChunkHunk {
        heading: Cow::Borrowed(""),
        lines: Cow::Owned(lines(rows)),
    };
    let language = Language::find("JavaScript");
    let path = Cow::Borrowed("a.js");
    let file = Chunk {
        index: 0,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        path,
        language,
        status: Status::Modified,
        hunks: vec![hunk],
    };
    let grammar = Grammar::find("JavaScript").unwrap();
    let limits = Limits::default();
    let hunk = hunks(&file).next().unwrap();
    let parse = |side| {
        let text = SideText::new(hunk, side, &limits);
        Fragment::parse(grammar, text, "", Extent::Part, None, &limits)
            .ok()
            .unwrap()
    };
    let ((old, old_parsed), (new, new_parsed)) = (parse(Side::Old), parse(Side::New));
    let (old, new) = (
        Tree::new(&old, old_parsed, &limits),
        Tree::new(&new, new_parsed, &limits),
    );
    let added = Added::new(&file);
    let change = Change::new(hunk, &old, &new, &added);
    let file = FileContext {
        path: "a.js",
        language: "JavaScript",
        grammar: Some(grammar),
        is_test: false,
        is_script: false,
        version: None,
        status: Status::Modified,
        hidden: None,
        index: 0,
    };
    test(&ChangeContext {
        file,
        old: &old,
        new: &new,
        hunk,
        change: &change,
    });
}

#[test]
fn a_dropped_clause_is_distinguished_from_equal_words_after_it() {
    with_change(
        &[
            " f(",
            "-  user.home !== null && user.home.city,",
            "+  user.home.city,",
            " );",
        ],
        |context| {
            let lost = context.lost_clauses();
            assert_eq!(lost.len(), 1);
            assert_eq!(lost[0].clause.text(), "user.home !== null");
            assert_eq!(lost[0].left.text(), "user.home.city");
            assert_eq!(
                lost[0].opened().map(|value| value.text()),
                Some("user.home")
            );
        },
    );
}

#[test]
fn an_inserted_clause_is_aligned_with_the_syntax() {
    with_change(
        &[
            " f(",
            "-  user.home.city,",
            "+  user.home !== null && user.home.city,",
            " );",
        ],
        |context| {
            let fresh: Vec<&str> = context
                .inserted(context.new.root().unwrap())
                .map(|leaf| leaf.text())
                .collect();
            assert_eq!(fresh, ["user", "home", "null"]);
            assert!(context.lost_clauses().is_empty());
        },
    );
}

#[test]
fn a_removed_call_has_the_later_use_of_its_arguments() {
    with_change(&["-check(order);", " save(order);"], |context| {
        let calls = context.removed_calls();
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].call.name, "check");
        assert_eq!(calls[0].used.map(|node| node.text()), Some("order"));
        assert!(context.only_takes_away(calls[0].statement));
    });
}

#[test]
fn moved_and_replaced_code_is_not_removed() {
    with_change(
        &["-check(order);", " save(order);", "+check(order);"],
        |context| {
            assert!(context.removed_calls().is_empty());
        },
    );
    with_change(
        &["-check(order);", "+verify(order);", " save(order);"],
        |context| {
            assert!(context.removed_calls().is_empty());
        },
    );
}

#[test]
fn a_removal_is_judged_by_additions_in_its_own_function() {
    let rows = [
        " function one(a) {",
        "+  more(alpha, beta, gamma, delta, epsilon);",
        "   use(a);",
        " }",
        " function two(order) {",
        "-  check(order);",
        "   save(order);",
        " }",
    ];
    with_change(&rows, |context| {
        let calls = context.removed_calls();
        assert_eq!(calls.len(), 1);
        assert!(context.only_takes_away(calls[0].statement));
    });
    let in_one_function: Vec<&'static str> = rows
        .into_iter()
        .filter(|row| !matches!(*row, " }" | " function two(order) {"))
        .collect();
    with_change(&in_one_function, |context| {
        assert!(context.removed_calls().is_empty())
    });
}

#[test]
fn a_condition_on_a_removed_parameter_is_removed_with_it() {
    let rows = [
        "-function f(order, strict) {", "+function f(order) {", "-  if (order.open && strict) {",
        "+  if (order.open) {",
    ];
    let rest = ["     send(order);", "   }", " }"];
    with_change(&[rows.as_slice(), rest.as_slice()].concat(), |context| {
        assert!(context.lost_clauses().is_empty());
    });
    let kept = [
        " function f(order, strict) {", "-  if (order.open && strict) {", "+  if (order.open) {",
    ];
    with_change(&[kept.as_slice(), rest.as_slice()].concat(), |context| {
        assert_eq!(context.lost_clauses().len(), 1);
    });
}

#[test]
fn a_renamed_name_pairs_with_its_new_name() {
    let rows = [
        "-let order = next();", "-if (order.id > 0) send(order);", "+let parcel = next();",
        "+if (parcel.id > 0) send(parcel);",
    ];
    with_change(&rows, |context| {
        let was = context
            .old
            .with_role(syntax::language::Role::If)
            .next()
            .unwrap();
        assert_eq!(context.similarity_to_new(was), 100);
        assert!(context.only_takes_away(was));
        assert!(context.changed_conditions().is_empty());
    });
}
