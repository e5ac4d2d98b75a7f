//! Shortened hunks: a part of a hunk must not have findings that the whole hunk does not have.

use std::collections::BTreeSet;
use std::ops::Range;

use lint::testing::{files, reported};
use lint::{RuleInfo, RuleSet};
use review::{Around, Candidate, Chunk, ChunkHunk, LineKind, Side, Status};

use crate::built_in;

/// The parts of an example that remain on one side of a cut. Edit blocks that replace lines stay whole, as in any diff.
fn parts(hunk: &ChunkHunk<'_>) -> Vec<Range<usize>> {
    let lines = &hunk.lines;
    let is = |index: usize, kind: LineKind| lines.get(index).is_some_and(|line| line.kind == kind);
    let replaces = |index: usize| {
        let start = (0..index)
            .rev()
            .take_while(|at| !is(*at, LineKind::Context))
            .last()
            .unwrap_or(index);
        let changed = (start..lines.len()).take_while(|at| !is(*at, LineKind::Context));
        changed.into_iter().any(|at| is(at, LineKind::Removed))
    };
    let may_cut =
        |at: usize| is(at - 1, LineKind::Context) || is(at, LineKind::Context) || !replaces(at - 1);
    let cuts: Vec<usize> = (1..lines.len()).filter(|at| may_cut(*at)).collect();
    let mut parts: Vec<Range<usize>> = Vec::new();
    parts.extend(cuts.iter().map(|at| *at..lines.len()));
    parts.extend(cuts.iter().map(|at| 0..*at));
    let half = cuts.len() / 2;
    parts.extend(
        cuts.iter()
            .take(half)
            .zip(cuts.iter().rev())
            .map(|(from, to)| *from..*to),
    );
    parts.retain(|part| {
        lines
            .get(part.clone())
            .unwrap_or_default()
            .iter()
            .any(|line| line.kind != LineKind::Context)
    });
    parts
}

/// The lines of findings.
fn places(found: &[Candidate]) -> BTreeSet<(Side, u32)> {
    let lines = |found: &Candidate| {
        (
            found.line..=found.span.map_or(found.line, |span| span.end_line),
            found.side,
        )
    };
    found
        .iter()
        .map(lines)
        .flat_map(|(lines, side)| lines.map(move |line| (side, line)))
        .collect()
}

/// The findings of a rule in parts of an example that the whole example does not have.
fn surplus(set: &RuleSet, rule: &RuleInfo, text: &str) -> Vec<String> {
    let files = files(rule, text);
    let longer = reported(set, rule, &files)
        .map(|found| places(&found))
        .unwrap_or_default();
    let mut messages = Vec::new();
    for (at, file) in files.changed.iter().enumerate() {
        for (of, hunk) in file.hunks.iter().enumerate() {
            for part in parts(hunk) {
                let cut = cut(file, of, part.clone());
                let mut own = files.clone();
                if let Some(slot) = own.changed.get_mut(at) {
                    *slot = cut;
                }
                let found = reported(set, rule, &own).unwrap_or_default();
                if let Some(new) = found
                    .iter()
                    .find(|found| !longer.contains(&(found.side, found.line)))
                {
                    messages.push(format!(
                        "{}: lines {part:?}, line {}: {}\n{text}",
                        rule.id, new.line, new.summary
                    ));
                }
            }
        }
    }
    messages
}

/// A file with one hunk replaced by a part of it. The heading no longer applies.
fn cut<'a>(file: &Chunk<'a>, of: usize, part: Range<usize>) -> Chunk<'a> {
    let mut cut = Chunk {
        status: Status::Modified,
        is_complete: false,
        around: Around::Unknown,
        ..file.clone()
    };
    if let Some(hunk) = cut.hunks.get_mut(of) {
        let lines = hunk.lines.get(part).unwrap_or_default().to_vec();
        *hunk = ChunkHunk {
            heading: "".into(),
            lines: lines.into(),
        };
    }
    cut
}

/// Rules with additional findings in a part, each for a reason. Usually code that a part does not show is a reason not
/// to report. The exceptions are rules that could not report anything on any hunk that way.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    (
        "a name, a type or a setting further up makes an exception of code that is usually wrong",
        &[
            "any/collection-changed-while-iterated", "any/command-built",
            "any/cross-site-scripting", "any/error-kept-quiet", "any/same-operand-twice",
            "any/server-side-request-forgery", "any/sql-injection", "any/xml-from-request",
            "go/certificate-check-off", "java/value-identity", "java/weak-hash",
            "php/certificate-check-off", "python/certificate-check-off", "python/exit-in-finally",
            "python/password-hashed-fast",
        ],
    ),
    (
        "it compares the two sides of what is shown",
        &[
            "any/guard-removed", "any/null-check-removed", "any/release-removed",
            "any/value-of-neighbour",
        ],
    ),
    (
        "the import that gives the name another meaning is not shown",
        &["any/removed-function-called"],
    ),
    (
        "the condition of the job is not shown",
        &["yaml/event-text-in-script"],
    ),
    (
        "the comment that suppresses it is not shown",
        &["any/unused-suppression"],
    ),
];

#[test]
fn a_part_of_a_hunk_has_no_findings_that_the_whole_hunk_lacks() {
    let set = built_in();
    let of = |rule: &RuleInfo| -> Vec<(String, String)> {
        let messages = rule
            .positive
            .iter()
            .chain(&rule.negative)
            .flat_map(|text| surplus(set, rule, text));
        messages
            .map(|messages| (rule.id.clone(), messages))
            .collect()
    };
    let (left, right) = set.rules().split_at(set.rules().len() / 2);
    let messages: Vec<(String, String)> = std::thread::scope(|scope| {
        let halves = [left, right]
            .map(|half| scope.spawn(move || half.iter().flat_map(of).collect::<Vec<_>>()));
        halves
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    });
    let excepted: BTreeSet<&str> = EXCEPTIONS
        .iter()
        .flat_map(|(_, rules)| *rules)
        .copied()
        .collect();
    let wrong: Vec<&str> = messages
        .iter()
        .filter(|(rule, _)| !excepted.contains(rule.as_str()))
        .map(|(_, messages)| messages.as_str())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let needed: BTreeSet<&str> = messages.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(needed, excepted, "exceptions that are not needed");
}
