//! The test kit for rules. Examples are diffs with marks in them.
//!
//! An example is the body of a diff. Lines start with `+`, `-` or a space. A line that starts with `^` marks the line
//! above as an expected finding. `@@ heading` starts a hunk (optional for the first one), and a line `path: src/a.py`
//! starts a file. A finding without a mark fails, and so does a mark without a finding.

mod catalog;
mod example;
mod explain;
mod files;
mod reading;
mod replacements;
mod repository;

use std::collections::BTreeSet;
use std::fmt::Write;

use review::{Chunk, LineKind, Side};

use crate::registry::RuleSet;
use crate::registry::{Problem, RuleFile};
use crate::rule::yaml::is_id;
use crate::rule::{RuleInfo, is_reference};
pub use catalog::check_catalog;
pub use example::reported;
use example::{Example, example_files};
pub use files::ExampleFiles;
pub use reading::{Reading, readings};
use syntax::language::Grammar;

/// Checks the examples and the metadata of a rule. Returns one text per failure.
#[must_use]
pub fn check(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let mut failures = check_form(rule);
    for (name, outcome) in run_examples(set, rule) {
        failures.extend(
            outcome
                .err()
                .map(|reason| format!("{} {name}: {reason}", rule.id)),
        );
    }
    failures
}

/// Runs a rule of a set on its examples, positive ones first; returns the name and the failure of each.
pub(crate) fn run_examples(set: &RuleSet, rule: &RuleInfo) -> Vec<(String, Result<(), String>)> {
    let named = |name, examples: &'_ [String], fires| {
        let run = |(number, text): (usize, &String)| {
            (
                format!("{name}[{number}]"),
                check_example(set, rule, text, fires),
            )
        };
        examples.iter().enumerate().map(run).collect::<Vec<_>>()
    };
    [
        named("positive", &rule.positive, true),
        named("negative", &rule.negative, false),
    ]
    .concat()
}

/// Checks a rule file on its own: it parses, compiles for its languages, and passes its examples.
///
/// # Errors
/// The problems, one or more lines.
pub fn check_yaml(text: &str) -> Result<RuleSet, String> {
    let file = RuleFile {
        name: "rule".to_owned(),
        text: text.to_owned(),
    };
    let lines = |problems: Vec<Problem>| {
        problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let set = RuleSet::from_files(&[file]).map_err(lines)?;
    let failures: Vec<String> = set
        .rules()
        .iter()
        .flat_map(|rule| check(&set, rule))
        .collect();
    if failures.is_empty() {
        Ok(set)
    } else {
        Err(failures.join("\n"))
    }
}

fn check_form(rule: &RuleInfo) -> Vec<String> {
    let checks = [
        (is_id(&rule.id), "the id is not folder/kebab-case-name"),
        (
            rule.languages
                .iter()
                .all(|name| Grammar::find(name).is_some()),
            "a language has no grammar",
        ),
        (
            !rule.title.trim().is_empty() && !rule.title.contains('\n'),
            "the title is not one line",
        ),
        (rule.why.trim().len() >= 30, "`why` is missing or too short"),
        (rule.fix.trim().len() >= 10, "`fix` is missing or too short"),
        (
            rule.references.iter().all(|text| is_reference(text)),
            "a reference is neither `CWE-89` nor an https address",
        ),
        (
            rule.confidence > 0.0 && rule.confidence <= 1.0,
            "the confidence is not between 0 and 1",
        ),
        (!rule.positive.is_empty(), "there is no positive example"),
        (!rule.negative.is_empty(), "there is no negative example"),
    ];
    checks
        .into_iter()
        .filter(|(good, _)| !good)
        .map(|(_, what)| format!("{}: {what}", rule.id))
        .collect()
}

/// Checks one example of a rule, which the rule must report or not.
///
/// # Errors
/// The difference between the marked and the reported lines.
pub fn check_example(
    set: &RuleSet,
    rule: &RuleInfo,
    text: &str,
    fires: bool,
) -> Result<(), String> {
    let example = Example::parse(text)?;
    if fires == example.marks.is_empty() {
        return Err(if fires {
            "no line is marked with ^"
        } else {
            "a line is marked with ^"
        }
        .to_owned());
    }
    let files = example_files(rule, &example)?;
    let found = reported(set, rule, &files).map_err(|warning| format!("{warning}\n{text}"))?;
    let reported: BTreeSet<(Side, u32)> =
        found.iter().map(|found| (found.side, found.line)).collect();
    if reported == example.marks {
        return replacements::check(set, rule, &example, &found);
    }
    let messages: Vec<&str> = found.iter().map(|found| found.summary.as_str()).collect();
    let missed = example.marks.difference(&reported).copied().collect();
    Err(
        marked_example(&files.changed, &example.marks, &reported, &messages)
            + &explain::missed(set, rule, &files.changed, &missed),
    )
}

/// The summaries of a rule's findings on its positive examples.
#[must_use]
pub fn summaries(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let of_example = |text: &String| {
        let example = Example::parse(text).ok()?;
        let files = example_files(rule, &example).ok()?;
        Some(
            reported(set, rule, &files)
                .ok()?
                .into_iter()
                .map(|found| found.summary)
                .collect::<Vec<_>>(),
        )
    };
    rule.positive
        .iter()
        .filter_map(of_example)
        .flatten()
        .collect()
}

/// The files of a rule's example; none if it cannot be parsed.
#[must_use]
pub fn files<'a>(rule: &RuleInfo, text: &'a str) -> ExampleFiles<'a> {
    Example::parse(text)
        .and_then(|example| example_files(rule, &example))
        .unwrap_or_default()
}

/// The languages of an example: those of its files with a mark, or of all that it changes if nothing is marked.
#[must_use]
pub fn languages(rule: &RuleInfo, text: &str) -> BTreeSet<&'static str> {
    let marks = Example::parse(text).unwrap_or_default().marks;
    let is_marked = |file: &Chunk<'_>| {
        let mut lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        lines.any(|line| marks.contains(&(line.side(), line.number().unwrap_or_default())))
    };
    files(rule, text)
        .changed
        .iter()
        .filter(|file| marks.is_empty() || is_marked(file))
        .filter_map(|file| Some(Grammar::find(file.language?.name())?.name()))
        .collect()
}

/// The example with actual and expected findings.
fn marked_example(
    files: &[Chunk<'_>],
    marks: &BTreeSet<(Side, u32)>,
    reported: &BTreeSet<(Side, u32)>,
    messages: &[&str],
) -> String {
    let mut out = String::from("reported and marked lines differ\n");
    for line in files
        .iter()
        .flat_map(|file| &file.hunks)
        .flat_map(|hunk| hunk.lines.iter())
    {
        let sign = match line.kind {
            LineKind::Added => '+',
            LineKind::Removed => '-',
            LineKind::Context => ' ',
        };
        let place = (line.side(), line.number().unwrap_or_default());
        let note = match (marks.contains(&place), reported.contains(&place)) {
            (true, true) => "   <- reported, as marked",
            (true, false) => "   <- MARKED, NOT REPORTED",
            (false, true) => "   <- REPORTED, NOT MARKED",
            (false, false) => "",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    {sign}{}{note}", line.text);
    }
    for text in messages {
        let _ = writeln!(out, "    says: {text}");
    }
    out
}
