//! The test kit for rules: examples are diffs with marks in them.
//!
//! An example is the body of a diff. Lines start with `+`, `-` or a space; a line that starts with `^` marks the line
//! above it as one that must be reported. `@@ heading` starts a hunk (the first one may be left out), and a first line
//! `path: src/a.py` names the file. Whatever is reported and not marked fails, and so does a mark without a report.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use review::{ChunkFile, ChunkHunk, Language, Line, LineKind, Side, Status, WarningCode};

use crate::fragment::{Fragment, SideText};
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::rule::hunks;
use crate::rules::{RuleInfo, RuleSet};
use crate::scan::scan_with;

/// An example that was read.
struct Example<'a> {
    path: Option<&'a str>,
    hunks: Vec<ChunkHunk<'a>>,
    marks: BTreeSet<(Side, u32)>,
}

impl<'a> Example<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let mut example = Self { path: None, hunks: Vec::new(), marks: BTreeSet::new() };
        let (mut old, mut new) = (1, 1);
        let mut heading = "";
        let mut lines: Vec<Line<'a>> = Vec::new();
        for (index, row) in text.lines().enumerate() {
            if let Some(path) = row.strip_prefix("path:").filter(|_| index == 0) {
                example.path = Some(path.trim());
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
        if !lines.is_empty() {
            self.hunks.push(ChunkHunk { heading: Cow::Borrowed(heading), lines: Cow::Owned(std::mem::take(lines)) });
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

/// An example without its marks, as it is shown to people.
#[must_use]
pub fn plain(example: &str) -> String {
    let shown =
        example.lines().filter(|line| !line.starts_with('^') && !line.starts_with("path:") && line.trim() != "@@");
    shown.collect::<Vec<_>>().join("\n")
}

/// Checks a rule of a set against its own examples and its form. One text for each failure; empty if all is well.
#[must_use]
pub fn check(set: &RuleSet, rule: &RuleInfo) -> Vec<String> {
    let mut failures = check_form(rule);
    for (examples, fires) in [(&rule.fires, true), (&rule.quiet, false)] {
        for (number, text) in examples.iter().enumerate() {
            let name = format!("{} {}[{number}]", rule.id, if fires { "fires" } else { "quiet" });
            failures.extend(check_example(set, rule, text, fires).err().map(|reason| format!("{name}: {reason}")));
        }
    }
    failures
}

/// Checks a rule file on its own: that it can be read, compiles for its languages and does what its examples say.
///
/// # Errors
/// What is wrong with it, in as many lines as it takes.
pub fn check_yaml(text: &str) -> Result<(), String> {
    let set = RuleSet::from_yaml(&[("rule", text)])?;
    let failures: Vec<String> = set.rules().iter().flat_map(|rule| check(&set, rule)).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn check_form(rule: &RuleInfo) -> Vec<String> {
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let parts: Vec<&str> = rule.id.split('/').collect();
    let checks = [
        (parts.len() == 2 && parts.iter().all(|part| is_name(part)), "the id is not folder/kebab-case-name"),
        (rule.languages.iter().all(|name| Grammar::find(name).is_some()), "a language has no grammar"),
        (!rule.title.trim().is_empty() && !rule.title.contains('\n'), "the title is not one line"),
        (rule.why.trim().len() >= 30, "`why` is missing or too short"),
        (rule.fix.trim().len() >= 10, "`fix` is missing or too short"),
        (rule.confidence > 0.0 && rule.confidence <= 1.0, "the confidence is not between 0 and 1"),
        (!rule.fires.is_empty(), "there is no example on which it fires"),
        (!rule.quiet.is_empty(), "there is no example on which it keeps quiet"),
    ];
    checks.into_iter().filter(|(good, _)| !good).map(|(_, what)| format!("{}: {what}", rule.id)).collect()
}

fn check_example(set: &RuleSet, rule: &RuleInfo, text: &str, fires: bool) -> Result<(), String> {
    let example = Example::parse(text)?;
    if fires == example.marks.is_empty() {
        return Err(if fires { "no line is marked with ^" } else { "a line is marked with ^" }.to_owned());
    }
    let file = example_file(rule, &example)?;
    let limits = Limits::default();
    let others = scan_with(&file, set, &limits, None);
    let found = scan_with(&file, set, &limits, Some(&rule.id));
    let failed = others.warnings.iter().chain(&found.warnings).find(|warning| warning.code == WarningCode::RuleFailed);
    if let Some(warning) = failed {
        return Err(format!("{}\n{text}", warning.message));
    }
    let reported: BTreeSet<(Side, u32)> = found.candidates.iter().map(|found| (found.side, found.line)).collect();
    if reported == example.marks {
        return Ok(());
    }
    let said: Vec<&str> = found.candidates.iter().map(|found| found.summary.as_str()).collect();
    Err(picture(&file, &example.marks, &reported, &said))
}

fn example_file<'a>(rule: &RuleInfo, example: &Example<'a>) -> Result<ChunkFile<'a>, String> {
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
    Ok(ChunkFile {
        index: 0,
        is_test: path.contains("test"),
        path: Cow::Owned(path),
        language,
        status: if all_added && example.hunks.len() == 1 { Status::Added } else { Status::Modified },
        hunks: example.hunks.clone(),
    })
}

/// The example with what was reported and what should have been.
fn picture(
    file: &ChunkFile<'_>,
    marks: &BTreeSet<(Side, u32)>,
    reported: &BTreeSet<(Side, u32)>,
    said: &[&str],
) -> String {
    let mut out = String::from("reported and marked lines differ\n");
    for line in file.hunks.iter().flat_map(|hunk| hunk.lines.iter()) {
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

/// How well one side of a hunk could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The side.
    pub side: Side,
    /// Bytes of its text.
    pub bytes: usize,
    /// Bytes that the parser made no sense of.
    pub error_bytes: usize,
    /// It was read without any error and without a token missing.
    pub clean: bool,
    /// How many readings were tried.
    pub tries: usize,
    /// What was put before and after it.
    pub context: (String, String),
}

/// How well the hunks of a file can be read: the measure of fragment parsing. Empty without a grammar.
#[must_use]
pub fn readings(file: &ChunkFile<'_>, limits: &Limits) -> Vec<Reading> {
    let Some(grammar) = file.language.and_then(|language| Grammar::find(language.name())) else { return Vec::new() };
    let whole = matches!(file.status, Status::Added | Status::Removed);
    let sides = hunks(file).flat_map(|hunk| [(hunk, Side::New), (hunk, Side::Old)]);
    let read = sides.filter_map(|(hunk, side)| {
        let text = SideText::new(hunk, side, limits);
        let bytes = text.text.len();
        let fragment = Fragment::parse(grammar, text, hunk.heading, whole, None, limits).ok().filter(|_| bytes > 0)?;
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
