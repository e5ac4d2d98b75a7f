//! A comment `hunkwise:ignore <rule-id> <reason>` on the line or on the line above suppresses a finding.
//!
//! The comment must exist after the change. Without a reason it has no effect, because later readers must learn why. A
//! warning gives the number of suppressed findings.
//!
//! A suppression comment for another analyser shows that the author knows of a peculiarity there, so it suppresses findings
//! that are not about security.

use std::collections::{BTreeMap, BTreeSet};

use review::{Candidate, Category, Chunk, Line, LineKind, Side, Warning, WarningCode};

use crate::language::Grammar;

const MARK: &str = "hunkwise:ignore";

/// Markers that suppress a finding of another analyser, on the same line or the next.
const FOREIGN_MARKS: &[&str] = &[
    "biome-ignore",
    "cppcheck-suppress",
    "eslint-disable-line",
    "eslint-disable-next-line",
    "NOLINT",
    "nolint:",
    "noinspection",
    "noqa",
    "NOSONAR",
    "oxlint-disable",
    "phpcs:ignore",
    "@phpstan-ignore",
    "pylint: disable",
    "rubocop:disable",
    "shellcheck disable",
];
/// Suppression by attributes and annotations.
const FOREIGN_ATTRIBUTES: &[&str] = &["#[allow(", "#[expect(", "@SuppressWarnings("];

/// Comment openers for languages without a grammar.
const ANY: &[&str] = &["#", "//", "/*", "<!--", "--", ";", "%", "*"];

/// A comment that suppresses a rule once a reason replaces the three dots; `None` for JSON, which has no comments.
#[must_use]
pub fn suppression_comment(grammar: Grammar, rule: &str) -> Option<String> {
    let row = grammar.row();
    let text = format!("{MARK} {rule} ...");
    match (row.line_comments.first(), row.block_comments.first()) {
        _ if row.name == "JSON" => None,
        (Some(opener), _) => Some(format!("{opener} {text}")),
        (None, Some((open, close))) => Some(format!("{open} {text} {close}")),
        (None, None) => None,
    }
}

/// The effect of a file's suppression comments.
#[derive(Default)]
pub(crate) struct Suppressions<'l> {
    /// The number of suppressed findings, by rule.
    pub(crate) warning: Option<Warning>,
    /// Comments that suppressed nothing.
    pub(crate) idle: Vec<Idle<'l>>,
    /// The rule that each comment names, by its line.
    by_line: BTreeMap<u32, &'l str>,
}

/// A comment that suppressed nothing.
pub(crate) struct Idle<'l> {
    /// Its line on the new side.
    pub(crate) line: u32,
    /// The rule that it names.
    pub(crate) rule: &'l str,
    /// The line of the code that it applies to: its own, or the next if its own contains nothing else.
    pub(crate) about: u32,
}

impl Suppressions<'_> {
    /// Whether a finding of a rule on a line of the new side is suppressed.
    pub(crate) fn cover(&self, line: u32, rule: &str) -> bool {
        self.covering(line, rule).next().is_some()
    }

    /// The lines of the comments that switch it off.
    fn covering(&self, line: u32, rule: &str) -> impl Iterator<Item = u32> {
        let lines = [Some(line), line.checked_sub(1)].into_iter().flatten();
        lines.filter(move |line| self.by_line.get(line) == Some(&rule))
    }
}

/// Whether a file may have comments of ours.
pub(crate) fn may_be_in(file: &Chunk<'_>) -> bool {
    file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).any(|line| line.text.contains(MARK))
}

/// Takes the switched-off candidates out.
pub(crate) fn apply<'l>(file: &'l Chunk<'_>, grammar: Option<Grammar>, found: &mut Vec<Candidate>) -> Suppressions<'l> {
    let lines: Vec<&Line<'_>> = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).collect();
    let by_line = lines.iter().filter_map(|line| Some((line.new?, ignored_rule(line.text, grammar)?))).collect();
    let mut suppressions = Suppressions { by_line, ..Suppressions::default() };
    let marked: BTreeSet<u32> = lines.iter().flat_map(|line| suppressed_lines(line, grammar)).collect();
    if suppressions.by_line.is_empty() && marked.is_empty() {
        return suppressions;
    }
    let mut used = BTreeSet::new();
    let mut by_rule = BTreeMap::<String, usize>::new();
    found.retain(|candidate| {
        let here = match candidate.side {
            Side::New => Some(candidate.line),
            Side::Old => place_of_removed(&lines, candidate.line),
        };
        let rule = candidate.rule_id().unwrap_or_default();
        let is_marked = here.is_some_and(|line| may_be_suppressed(candidate) && marked.contains(&line));
        let by: Vec<u32> = here.into_iter().flat_map(|line| suppressions.covering(line, rule)).collect();
        let ignored = is_marked || !by.is_empty();
        used.extend(by);
        if ignored {
            *by_rule.entry(rule.to_owned()).or_default() += 1;
        }
        !ignored
    });
    let sum: usize = by_rule.values().sum();
    let names: Vec<String> = by_rule.into_iter().map(|(rule, count)| format!("{rule} ({count})")).collect();
    let plural = if sum == 1 { "finding was" } else { "findings were" };
    suppressions.warning = (sum > 0).then(|| {
        let message = format!("{sum} {plural} switched off by comments in the code: {}.", names.join(", "));
        Warning::file(WarningCode::FindingsSuppressed, &file.path, message)
    });
    suppressions.idle = lines.iter().filter_map(|line| idle(line, &suppressions.by_line, &used)).collect();
    suppressions
}

/// The comment on a line, if it suppressed nothing.
fn idle<'l>(line: &Line<'l>, by_line: &BTreeMap<u32, &'l str>, used: &BTreeSet<u32>) -> Option<Idle<'l>> {
    let number = line.new.filter(|number| !used.contains(number))?;
    let rule = *by_line.get(&number)?;
    let has_code = line.text.split(MARK).next().is_some_and(|before| before.contains(char::is_alphanumeric));
    Some(Idle { line: number, rule, about: if has_code { number } else { number.saturating_add(1) } })
}

/// Whether another analyser's comment can apply: the finding is about added code and not about security.
fn may_be_suppressed(candidate: &Candidate) -> bool {
    candidate.side == Side::New && !matches!(candidate.category, Category::Security | Category::SecretExposure)
}

/// The lines for which a line suppresses another analyser: for a comment its own and the next, for an attribute the next.
fn suppressed_lines(line: &Line<'_>, grammar: Option<Grammar>) -> impl Iterator<Item = u32> + use<> {
    let is_said = |mark: &&str| line.text.split_once(*mark).is_some_and(|(before, _)| is_commented(before, grammar));
    let is_comment = FOREIGN_MARKS.iter().any(is_said);
    let is_attribute = FOREIGN_ATTRIBUTES.iter().any(|mark| line.text.trim_start().starts_with(mark));
    let own = line.new.filter(|_| is_comment);
    own.into_iter().chain(line.new.filter(|_| is_comment || is_attribute).map(|line| line + 1))
}

/// The lines of the new side with a suppression comment, and the rule that each names.
pub(crate) fn ignores<'l>(
    lines: &'l [&Line<'l>],
    grammar: Option<Grammar>,
) -> impl Iterator<Item = (u32, String)> + use<'l> {
    lines.iter().filter_map(move |line| Some((line.new?, ignored_rule(line.text, grammar)?.to_owned())))
}

/// The new-side line in the place of a removed line: the next one, so that a comment above it counts.
fn place_of_removed(lines: &[&Line<'_>], old: u32) -> Option<u32> {
    let at = lines.iter().position(|line| line.kind == LineKind::Removed && line.old == Some(old))?;
    let before = || lines.iter().take(at).rev().find_map(|line| line.new).map(|line| line + 1);
    lines.iter().skip(at).find_map(|line| line.new).or_else(before)
}

/// The rule that a line's comment names, if it also gives a reason.
fn ignored_rule(line: &str, grammar: Option<Grammar>) -> Option<&str> {
    let (before, after) = line.split_once(MARK)?;
    let commented = is_commented(before, grammar);
    let mut words = after.split_whitespace();
    let rule = words.next().filter(|_| after.starts_with(char::is_whitespace))?;
    let has_reason = words.any(|word| word.chars().any(char::is_alphanumeric));
    (commented && has_reason).then_some(rule)
}

/// Whether a comment starts in the text before a word.
fn is_commented(before: &str, grammar: Option<Grammar>) -> bool {
    let is_comment = |opener: &&str| before.contains(*opener);
    match grammar.map(Grammar::row) {
        Some(row) => {
            row.line_comments.iter().any(is_comment) || row.block_comments.iter().any(|(open, _)| before.contains(open))
        }
        None => ANY.iter().any(is_comment),
    }
}
