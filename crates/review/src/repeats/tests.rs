use futures_executor::block_on;
use proptest::prelude::*;

use super::{Grouped, group};
use crate::anchor::{Anchor, Located};
use crate::budget::Budget;
use crate::candidate::{Candidate, MAX_RELATED, Origin};
use crate::diff::{Diff, Side};
use crate::finding::{Category, Finding, Priority};
use crate::mask::TextMask;

fn candidate(file: usize, line: u32, summary: &str) -> Candidate {
    Candidate {
        file,
        side: Side::New,
        line,
        origin: Origin::Rule("any/x".into()),
        priority: Priority::P1,
        category: Category::LogicBug,
        summary: summary.to_owned(),
        suggested_fix: None,
        confidence: 0.5,
        scope: None,
        span: None,
        related: Vec::new(),
        references: Vec::new(),
        replacement: None,
        lowered_in_test_code: false,
        suppression: None,
    }
}

/// A file in which each of these lines replaces another, with an unchanged line between them.
fn edits(lines: &[&str]) -> String {
    let body: String = lines
        .iter()
        .map(|line| format!(" same\n-old\n+{line}\n"))
        .collect();
    let count = lines.len() * 2;
    format!("--- a/x.py\n+++ b/x.py\n@@ -1,{count} +1,{count} @@\n{body}")
}

fn grouped(diff: &Diff<'_>, candidates: Vec<Candidate>) -> (Vec<Finding>, usize) {
    let (mut anchor, budget) = (
        Anchor::new(diff, TextMask::default()),
        Budget::of_bytes(100_000),
    );
    let located = |one| block_on(anchor.locate(one, &budget)).unwrap().unwrap();
    let located: Vec<Located> = candidates.into_iter().map(located).collect();
    let Grouped { kept, unnamed } = block_on(group(diff, located, &budget));
    (block_on(anchor.findings(kept, &budget)), unnamed.len())
}

/// The lines of each finding and its related places.
fn lines(of: &[Finding]) -> Vec<(u32, Vec<u32>)> {
    let related = |one: &Finding| {
        one.related()
            .iter()
            .map(|place| place.line_number())
            .collect()
    };
    of.iter()
        .map(|one| (one.line_number(), related(one)))
        .collect()
}

#[test]
fn copies_of_an_edit_become_one_finding_with_related_places() {
    let text = edits(&["get(x)", "  get(x)", "put(x)", "get(x)"]);
    let diff = Diff::parse(&text).unwrap();
    let candidates = [8, 6, 4].map(|line| candidate(0, line, if line == 6 { "t" } else { "s" }));
    let (found, _) = grouped(&diff, candidates.to_vec());
    assert_eq!(lines(&found), [(4, vec![8]), (6, vec![])]);
    assert_eq!(found[0].related()[0].file_path(), "x.py");
}

#[test]
fn different_texts_and_edits_are_kept() {
    let diff_text = edits(&["get(x)", "get(x)"]);
    let diff = Diff::parse(&diff_text).unwrap();
    let others = [
        candidate(0, 4, "t"),
        Candidate {
            origin: Origin::Rule("any/y".into()),
            ..candidate(0, 4, "s")
        },
        Candidate {
            origin: Origin::Model,
            ..candidate(0, 4, "s")
        },
        Candidate {
            priority: Priority::P2,
            ..candidate(0, 4, "s")
        },
        Candidate {
            suggested_fix: Some("fix it".to_owned()),
            ..candidate(0, 4, "s")
        },
        candidate(0, 3, "s"),
    ];
    for other in others {
        assert_eq!(grouped(&diff, vec![candidate(0, 2, "s"), other]).0.len(), 2);
    }
}

#[test]
fn equal_lines_within_one_edit_stay_separate_findings() {
    let text = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,5 @@\n a\n+b\n+b\n c\n d\n";
    let diff = Diff::parse(text).unwrap();
    let (found, _) = grouped(&diff, [2, 3].map(|line| candidate(0, line, "s")).to_vec());
    assert_eq!(lines(&found), [(2, vec![]), (3, vec![])]);
}

#[test]
fn three_findings_with_the_same_text_become_one() {
    let text = edits(&["get(a)", "get(b)", "get(c)", "get(d)"]);
    let diff = Diff::parse(&text).unwrap();
    let (found, _) = grouped(
        &diff,
        [2, 4, 6].map(|line| candidate(0, line, "s")).to_vec(),
    );
    assert_eq!(lines(&found), [(2, vec![4, 6])]);
    let (found, _) = grouped(
        &diff,
        vec![
            candidate(0, 2, "s"),
            candidate(0, 4, "s"),
            candidate(0, 6, "t"),
        ],
    );
    assert_eq!(lines(&found), [(2, vec![]), (4, vec![]), (6, vec![])]);
    let all: Vec<String> = (0..=MAX_RELATED + 1).map(|n| format!("get({n})")).collect();
    let text = edits(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let diff = Diff::parse(&text).unwrap();
    let many = |count: usize| {
        (1..=count as u32)
            .map(|n| candidate(0, 2 * n, "s"))
            .collect()
    };
    let counts =
        [MAX_RELATED + 1, MAX_RELATED + 2].map(|count| grouped(&diff, many(count)).0.len());
    assert_eq!(counts, [1, MAX_RELATED + 2], "as many as can be listed");
}

#[test]
fn copies_in_another_file_stay_separate_findings() {
    let text = format!(
        "{}{}",
        edits(&["get(x)"]),
        edits(&["get(x)"]).replace("x.py", "y.py")
    );
    let diff = Diff::parse(&text).unwrap();
    let (found, _) = grouped(&diff, vec![candidate(0, 2, "s"), candidate(1, 2, "s")]);
    assert_eq!(lines(&found), [(2, vec![]), (2, vec![])]);
}

#[test]
fn related_places_can_be_on_the_old_side() {
    let text = edits(&["get(x)", "get(x)"]);
    let diff = Diff::parse(&text).unwrap();
    let old = |line| Candidate {
        side: Side::Old,
        ..candidate(0, line, "s")
    };
    let (found, _) = grouped(&diff, vec![old(2), old(4)]);
    assert_eq!(
        (found.len(), found[0].related()[0].line_side()),
        (1, Side::Old)
    );
}

#[test]
fn excess_related_places_are_counted() {
    let text = edits(&["get(x)"; 30]);
    let diff = Diff::parse(&text).unwrap();
    let (found, unnamed) = grouped(&diff, (1..=30).map(|n| candidate(0, 2 * n, "s")).collect());
    assert_eq!(
        (found.len(), found[0].related().len(), unnamed),
        (1, MAX_RELATED, 29 - MAX_RELATED)
    );
}

proptest! {
    #[test]
    fn grouping_loses_nothing_and_related_places_are_on_the_diff(
        texts in proptest::collection::vec(prop_oneof![Just("a"), Just("b")], 1..40),
        picks in proptest::collection::btree_set(1u32..80, 0..40),
    ) {
        let text = edits(&texts);
        let diff = Diff::parse(&text).unwrap();
        let picks: Vec<u32> = picks.into_iter().filter(|line| *line <= 2 * texts.len() as u32).collect();
        let (found, unnamed) = grouped(&diff, picks.iter().map(|line| candidate(0, *line, "s")).collect());
        let mut named: Vec<u32> = lines(&found).into_iter().flat_map(|(own, others)| [vec![own], others].concat()).collect();
        named.sort_unstable();
        prop_assert_eq!(named.len() + unnamed, picks.len());
        prop_assert!(named.iter().all(|line| picks.contains(line)));
        prop_assert!(found.iter().all(|one| one.related().len() <= MAX_RELATED));
    }
}
