//! Scores counted by hand, and the sample tape end to end.

use std::path::Path;
use std::slice::from_ref;

use clap::Parser as _;
use review::Side;

use super::Judgement;
use super::arm_result::ArmFinding;
use super::bootstrap::interval;
use super::count::{Count, total};
use super::matching::{By, matched, repeats};
use crate::eval::corpus::{self, Label};
use crate::eval::{Args, model};

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn label(line: Option<u32>, note: &str) -> Label {
    Label {
        file_path: Some("a.py".to_owned()),
        line,
        note: Some(note.to_owned()),
        ..Label::default()
    }
}

fn found(line: u32, text: &str) -> ArmFinding {
    ArmFinding {
        path: "a.py".to_owned(),
        line: Some(line),
        side: Side::New,
        text: text.to_owned(),
        lost: None,
    }
}

fn count(labels: &[Label], findings: &[ArmFinding], by: By) -> usize {
    matched(
        &labels.iter().collect::<Vec<_>>(),
        &findings.iter().collect::<Vec<_>>(),
        by,
    )
}

/// The result of replaying the sample with these additional arguments.
fn replayed(words: &[&str]) -> Result<Judgement, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/tape/sample");
    let folder = folder.to_str().unwrap();
    let begin = [
        "eval", folder, "--engine", "llm", "--model", "sample", "--replay", folder,
    ];
    let args = Command::try_parse_from(begin.iter().chain(words))
        .unwrap()
        .args;
    let items = corpus::read(&args.paths)?;
    let jobs: Vec<_> = items.into_iter().map(|item| (item, false)).collect();
    assert!(args.model.compares(&jobs));
    model::compare(&jobs, &[], &args)
}

#[test]
fn a_finding_within_three_lines_is_at_the_place() {
    let labels = [label(Some(10), "")];
    assert_eq!(
        [6, 7, 13, 14].map(|line| count(&labels, &[found(line, "x")], By::Place)),
        [0, 1, 1, 0]
    );
}

#[test]
fn each_finding_matches_one_label_and_as_many_as_possible_are_matched() {
    let labels = [label(Some(10), ""), label(Some(12), "")];
    assert_eq!(count(&labels, &[found(11, "x")], By::Place), 1);
    // The first finding is near both labels, the second near the first label only.
    assert_eq!(
        count(&labels, &[found(11, "x"), found(7, "y")], By::Place),
        2
    );
    assert_eq!(
        count(
            &labels,
            &[found(11, "x"), found(11, "y"), found(11, "z")],
            By::Place
        ),
        2
    );
}

#[test]
fn meaning_requires_shared_words_and_without_a_line_only_these() {
    let right = found(10, "the ledger may be absent");
    let wrong = found(10, "a race between two threads");
    let labels = [label(Some(10), "absent ledger")];
    assert_eq!(count(&labels, from_ref(&right), By::Meaning), 1);
    assert_eq!(count(&labels, &[wrong], By::Meaning), 0);
    assert_eq!(
        count(
            &[label(None, "absent ledger")],
            from_ref(&right),
            By::Meaning
        ),
        1
    );
    assert_eq!(
        count(&[label(None, "absent ledger")], from_ref(&right), By::Place),
        0
    );
}

#[test]
fn a_repeat_is_near_and_makes_the_same_claim() {
    let all = [
        found(10, "ledger absent"),
        found(12, "absent ledger"),
        found(10, "division by zero"),
        found(40, "ledger absent"),
    ];
    assert_eq!(repeats(&all), 1);
}

#[test]
fn figures_are_computed_from_sums() {
    let all = total(&[
        Count {
            found: 3,
            labels: 2,
            right: 1,
        },
        Count {
            found: 1,
            labels: 2,
            right: 1,
        },
    ]);
    assert_eq!((all.precision(), all.recall(), all.f1()), (0.5, 0.5, 0.5));
    assert_eq!(Count::default().f1().to_bits(), 0.0f64.to_bits());
}

#[test]
fn the_interval_is_deterministic_and_contains_the_difference() {
    let good = vec![
        Count {
            found: 1,
            labels: 1,
            right: 1
        };
        20
    ];
    let mut mixed = good.clone();
    mixed
        .iter_mut()
        .step_by(2)
        .for_each(|count| count.right = 0);
    assert_eq!(interval(&good, &good), (0.0, 0.0));
    let (low, high) = interval(&good, &mixed);
    assert_eq!((low, high), interval(&good, &mixed));
    assert!(
        0.2 < low && low < 0.5 && 0.5 < high && high < 0.8,
        "{low} {high}"
    );
}

#[test]
fn the_sample_tape_yields_the_figures_counted_by_hand() {
    let judgement = replayed(&["--replay-missing", "item"]).unwrap();
    assert_eq!(
        (judgement.items, judgement.clean, judgement.left_out),
        (3, 1, 0)
    );
    let count = |found, labels, right| Count {
        found,
        labels,
        right,
    };
    let places: Vec<Count> = judgement.rows.iter().map(|row| total(&row.place)).collect();
    assert_eq!(
        places,
        [
            count(4, 3, 3),
            count(3, 3, 2),
            count(6, 3, 3),
            count(2, 3, 2)
        ]
    );
    let meanings: Vec<usize> = judgement
        .rows
        .iter()
        .map(|row| total(&row.meaning).right)
        .collect();
    assert_eq!(meanings, [3, 1, 3, 2]);
    assert_eq!(
        judgement
            .rows
            .iter()
            .map(|row| row.repeats)
            .collect::<Vec<_>>(),
        [1, 0, 1, 0]
    );
    assert_eq!(
        judgement
            .rows
            .iter()
            .map(|row| row.disturbed)
            .collect::<Vec<_>>(),
        [0, 1, 1, 0]
    );
    let spent: Vec<_> = judgement
        .rows
        .iter()
        .map(|row| (row.spent.calls, row.spent.sent, row.spent.received))
        .collect();
    let plain = (3, 3_000, 300);
    let ours = (5, 5_000, 500);
    assert_eq!(
        spent,
        [ours, plain, plain, plain],
        "one call per change in every arm, and a second turn of ours for two changes"
    );
    let steps: Vec<_> = judgement
        .waterfall
        .iter()
        .map(|(name, count)| (*name, count.found, count.right))
        .collect();
    let expected = [
        ("in the pool", 8, 3),
        ("read", 8, 3),
        ("placed", 7, 3),
        ("defended", 6, 3),
        ("deduplicated", 5, 3),
        ("selected", 4, 3),
    ];
    assert_eq!(steps, expected);
    assert!(judgement.to_string().contains("A: pasted diff"));
}

#[test]
fn items_missing_on_the_tape_are_named_or_counted() {
    let other = ["--max-output-tokens", "77"];
    let error = replayed(&other).err().unwrap();
    assert!(
        error.contains("ours sample/refund") && error.contains("pasted sample/retry"),
        "{error}"
    );
    let skipped = replayed(&[&other[..], &["--replay-missing", "skip"]].concat()).unwrap();
    assert_eq!((skipped.items, skipped.left_out), (0, 3));
}
