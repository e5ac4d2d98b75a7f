//! The test kit for rules: examples are diffs with marks in them.
//!
//! An example is the body of a diff. Lines start with `+`, `-` or a space; a line that starts with `^` marks the line above as
//! an expected finding. `@@ heading` starts a hunk (optional for the first one), and a line `path: src/a.py` starts a file. A
//! finding without a mark fails, and so does a mark without a finding.

mod replacements;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use review::{Candidate, Chunk, ChunkHunk, Language, Line, LineKind, Side, Status, WarningCode};

use crate::language::Grammar;
use crate::parse::hunks;
use crate::parse::{Fragment, Limits, SideText};
use crate::registry::RuleSet;
use crate::registry::{Problem, RuleFile};
use crate::rule::yaml::is_id;
use crate::rule::{RuleInfo, is_reference};
use crate::scan::conclude_at_once;
use crate::scan::scan_with;

/// A parsed example. Line numbers continue from file to file, so that a line number identifies the file.
#[derive(Default)]
struct Example<'a> {
    files: Vec<ExampleFile<'a>>,
    marks: BTreeSet<(Side, u32)>,
}

#[derive(Default)]
struct ExampleFile<'a> {
    path: Option<&'a str>,
    hunks: Vec<ChunkHunk<'a>>,
}

impl<'a> Example<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let mut example = Self { files: vec![ExampleFile::default()], ..Self::default() };
        let (mut old, mut new) = (1, 1);
        let mut heading = "";
        let mut lines: Vec<Line<'a>> = Vec::new();
        for (index, row) in text.lines().enumerate() {
            if let Some(path) = row.strip_prefix("path:") {
                example.push(heading, &mut lines);
                example.files.extend((index > 0).then(ExampleFile::default));
                example.files.last_mut().ok_or("no file")?.path = Some(path.trim());
                (heading, old, new) = ("", old + 100, new + 100);
            } else if let Some(next) = row.strip_prefix("@@") {
                example.push(heading, &mut lines);
                heading = next.trim();
                (old, new) = (old + 100, new + 100);
            } else if row.starts_with('^') {
                let line = lines.last().ok_or("a mark without a line above it")?;
                example.marks.insert((line.side(), line.number().unwrap_or_default()));
            } else {
                lines
                    .push(read_line(row, &mut old, &mut new).ok_or_else(|| {
                        format!("line {}: starts with none of + - ^ @@ or a space: {row}", index + 1)
                    })?);
            }
        }
        example.push(heading, &mut lines);
        Ok(example)
    }

    fn push(&mut self, heading: &'a str, lines: &mut Vec<Line<'a>>) {
        if let Some(file) = self.files.last_mut().filter(|_| !lines.is_empty()) {
            file.hunks.push(ChunkHunk { heading: Cow::Borrowed(heading), lines: Cow::Owned(std::mem::take(lines)) });
        }
    }
}

fn read_line<'a>(row: &'a str, old: &mut u32, new: &mut u32) -> Option<Line<'a>> {
    let kind = match row.bytes().next() {
        Some(b'+') => LineKind::Added,
        Some(b'-') => LineKind::Removed,
        Some(b' ') | None => LineKind::Context,
        Some(_) => return None,
    };
    let take = |counter: &mut u32| {
        *counter += 1;
        Some(*counter - 1)
    };
    let old = if kind == LineKind::Added { None } else { take(old) };
    let new = if kind == LineKind::Removed { None } else { take(new) };
    Some(Line { kind, old, new, text: row.get(1..).unwrap_or_default(), terminated: true })
}

/// Checks a rule of a set: its examples and its form. Returns one text per failure.
#[must_use]
pub fn check(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let mut failures = check_form(rule);
    for (name, outcome) in run_examples(set, rule) {
        failures.extend(outcome.err().map(|reason| format!("{} {name}: {reason}", rule.id)));
    }
    failures
}

/// Runs a rule of a set on its examples, positive ones first; returns the name and the failure of each.
pub(crate) fn run_examples(set: &RuleSet, rule: &RuleInfo) -> Vec<(String, Result<(), String>)> {
    let named = |name, examples: &'_ [String], fires| {
        let run =
            |(number, text): (usize, &String)| (format!("{name}[{number}]"), check_example(set, rule, text, fires));
        examples.iter().enumerate().map(run).collect::<Vec<_>>()
    };
    [named("positive", &rule.positive, true), named("negative", &rule.negative, false)].concat()
}

/// Checks a rule file on its own: it parses, compiles for its languages, and passes its examples.
///
/// # Errors
/// The problems, one or more lines.
pub fn check_yaml(text: &str) -> Result<RuleSet, String> {
    let file = RuleFile { name: "rule".to_owned(), text: text.to_owned() };
    let lines = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let set = RuleSet::from_files(&[file]).map_err(lines)?;
    let failures: Vec<String> = set.rules().iter().flat_map(|rule| check(&set, rule)).collect();
    if failures.is_empty() { Ok(set) } else { Err(failures.join("\n")) }
}

fn check_form(rule: &RuleInfo) -> Vec<String> {
    let checks = [
        (is_id(&rule.id), "the id is not folder/kebab-case-name"),
        (rule.languages.iter().all(|name| Grammar::find(name).is_some()), "a language has no grammar"),
        (!rule.title.trim().is_empty() && !rule.title.contains('\n'), "the title is not one line"),
        (rule.why.trim().len() >= 30, "`why` is missing or too short"),
        (rule.fix.trim().len() >= 10, "`fix` is missing or too short"),
        (rule.references.iter().all(|text| is_reference(text)), "a reference is neither `CWE-89` nor an https address"),
        (rule.confidence > 0.0 && rule.confidence <= 1.0, "the confidence is not between 0 and 1"),
        (!rule.positive.is_empty(), "there is no positive example"),
        (!rule.negative.is_empty(), "there is no negative example"),
    ];
    checks.into_iter().filter(|(good, _)| !good).map(|(_, what)| format!("{}: {what}", rule.id)).collect()
}

fn check_example(set: &RuleSet, rule: &RuleInfo, text: &str, fires: bool) -> Result<(), String> {
    let example = Example::parse(text)?;
    if fires == example.marks.is_empty() {
        return Err(if fires { "no line is marked with ^" } else { "a line is marked with ^" }.to_owned());
    }
    let files = example_files(rule, &example)?;
    let found = reported(set, rule, &files).map_err(|warning| format!("{warning}\n{text}"))?;
    let reported: BTreeSet<(Side, u32)> = found.iter().map(|found| (found.side, found.line)).collect();
    if reported == example.marks {
        return replacements::check(set, rule, &example, &found);
    }
    let said: Vec<&str> = found.iter().map(|found| found.summary.as_str()).collect();
    Err(picture(&files, &example.marks, &reported, &said))
}

/// The summaries of a rule's findings on its positive examples.
#[must_use]
pub fn summaries(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let said = |text: &String| {
        let example = Example::parse(text).ok()?;
        let files = example_files(rule, &example).ok()?;
        Some(reported(set, rule, &files).ok()?.into_iter().map(|found| found.summary).collect::<Vec<_>>())
    };
    rule.positive.iter().filter_map(said).flatten().collect()
}

/// A rule's findings in the files of an example.
///
/// # Errors
/// The message of a rule that failed.
fn reported(set: &RuleSet, rule: &RuleInfo, files: &[Chunk<'_>]) -> Result<Vec<Candidate>, String> {
    let limits = Limits::default();
    let mut warnings = Vec::new();
    let (mut facts, mut found) = (Vec::new(), Vec::new());
    for file in files {
        warnings.extend(scan_with(file, set, &limits, None).warnings);
        let report = scan_with(file, set, &limits, Some(&rule.id));
        warnings.extend(report.warnings);
        facts.push(report.facts);
        found.extend(report.candidates);
    }
    match warnings.iter().find(|warning| warning.code == WarningCode::RuleFailed) {
        Some(warning) => Err(warning.message.clone()),
        None => Ok(conclude_at_once(facts, found).candidates),
    }
}

fn example_files<'a>(rule: &RuleInfo, example: &Example<'a>) -> Result<Vec<Chunk<'a>>, String> {
    example.files.iter().enumerate().map(|(index, file)| example_file(rule, index, file)).collect()
}

fn example_file<'a>(rule: &RuleInfo, index: usize, example: &ExampleFile<'a>) -> Result<Chunk<'a>, String> {
    let from_path = |path: &str| Language::of_path(path, String::new);
    let language = match (example.path, rule.languages.first()) {
        (Some(path), _) => from_path(path),
        (None, Some(name)) => Language::find(name),
        (None, None) => {
            return Err("an example of a rule for any language needs a first line `path: a/b.py`".to_owned());
        }
    };
    let extension =
        language.and_then(|language| Grammar::find(language.name())).map_or("txt", |grammar| grammar.row().extension);
    let all_added = example.hunks.iter().flat_map(|hunk| hunk.lines.iter()).all(|line| line.kind == LineKind::Added);
    let path = example.path.map_or_else(|| format!("src/example.{extension}"), str::to_owned);
    Ok(Chunk {
        index,
        is_test: path.contains("test"),
        path: Cow::Owned(path),
        language,
        status: if all_added && example.hunks.len() == 1 { Status::Added } else { Status::Modified },
        hunks: example.hunks.clone(),
    })
}

/// The files of a rule's example; none if it cannot be parsed.
#[cfg(test)]
pub(crate) fn files<'a>(rule: &RuleInfo, text: &'a str) -> Vec<Chunk<'a>> {
    Example::parse(text).and_then(|example| example_files(rule, &example)).unwrap_or_default()
}

/// The example with actual and expected findings.
fn picture(
    files: &[Chunk<'_>],
    marks: &BTreeSet<(Side, u32)>,
    reported: &BTreeSet<(Side, u32)>,
    said: &[&str],
) -> String {
    let mut out = String::from("reported and marked lines differ\n");
    for line in files.iter().flat_map(|file| &file.hunks).flat_map(|hunk| hunk.lines.iter()) {
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
    for text in said {
        let _ = writeln!(out, "    says: {text}");
    }
    out
}

/// How well one side of a hunk was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The side.
    pub side: Side,
    /// Bytes of its text.
    pub bytes: usize,
    /// Bytes within error nodes.
    pub error_bytes: usize,
    /// It was parsed without an error or a missing token.
    pub clean: bool,
    /// How many contexts were tried.
    pub tries: usize,
    /// The text added before and after it.
    pub context: (String, String),
}

/// How well the hunks of a file are parsed: the metric of fragment parsing. Empty without a grammar.
#[must_use]
pub fn readings(file: &Chunk<'_>, limits: &Limits) -> Vec<Reading> {
    let Some(grammar) = file.language.and_then(|language| Grammar::find(language.name())) else { return Vec::new() };
    let whole = matches!(file.status, Status::Added | Status::Removed);
    let sides = hunks(file).flat_map(|hunk| [(hunk, Side::New), (hunk, Side::Old)]);
    let read = sides.filter_map(|(hunk, side)| {
        let text = SideText::new(hunk, side, limits);
        let bytes = text.text.len();
        let (fragment, _) =
            Fragment::parse(grammar, text, hunk.heading, whole, None, limits).ok().filter(|_| bytes > 0)?;
        Some(Reading {
            side,
            bytes,
            error_bytes: fragment.error_bytes,
            clean: fragment.score == 0,
            tries: fragment.tries,
            context: (fragment.context.before, fragment.context.after),
        })
    });
    read.collect()
}
