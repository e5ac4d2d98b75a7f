//! `hunkwise:ignore <rule-id> <reason>` in a comment on the line or on the line above switches a finding off.
//!
//! The comment is read as it stands after the change. Without a reason it does nothing: whoever reads the code later
//! must learn why. What was switched off is counted and said in a warning.

use std::collections::BTreeMap;

use review::{Candidate, Chunk, Line, LineKind, Side, Warning, WarningCode};

use crate::language::Grammar;

const MARK: &str = "hunkwise:ignore";

/// Comment openers of languages without a grammar here.
const ANY: &[&str] = &["#", "//", "/*", "<!--", "--", ";", "%", "*"];

/// Takes the switched-off candidates out.
pub(crate) fn apply(file: &Chunk<'_>, grammar: Option<Grammar>, found: &mut Vec<Candidate>) -> Option<Warning> {
    let lines: Vec<&Line<'_>> = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).collect();
    let ignores: BTreeMap<u32, &str> =
        lines.iter().filter_map(|line| Some((line.new?, ignored_rule(line.text, grammar)?))).collect();
    if ignores.is_empty() {
        return None;
    }
    let mut by_rule = BTreeMap::<String, usize>::new();
    found.retain(|candidate| {
        let here = match candidate.side {
            Side::New => Some(candidate.line),
            Side::Old => place_of_removed(&lines, candidate.line),
        };
        let rule = candidate.rule_id().unwrap_or_default();
        let ignored = here.is_some_and(|line| {
            [Some(line), line.checked_sub(1)].into_iter().flatten().any(|line| ignores.get(&line) == Some(&rule))
        });
        if ignored {
            *by_rule.entry(rule.to_owned()).or_default() += 1;
        }
        !ignored
    });
    let sum: usize = by_rule.values().sum();
    let names: Vec<String> = by_rule.into_iter().map(|(rule, count)| format!("{rule} ({count})")).collect();
    let plural = if sum == 1 { "finding was" } else { "findings were" };
    (sum > 0).then(|| {
        let message = format!("{sum} {plural} switched off by comments in the code: {}.", names.join(", "));
        Warning::file(WarningCode::FindingsSuppressed, &file.path, message)
    })
}

/// The lines of the new side with such a comment, and the rule that each names.
pub(crate) fn ignores<'l>(
    lines: &'l [&Line<'l>],
    grammar: Option<Grammar>,
) -> impl Iterator<Item = (u32, String)> + use<'l> {
    lines.iter().filter_map(move |line| Some((line.new?, ignored_rule(line.text, grammar)?.to_owned())))
}

/// The new-side line that stands where a removed line stood: the next one, so that a comment above it counts.
fn place_of_removed(lines: &[&Line<'_>], old: u32) -> Option<u32> {
    let at = lines.iter().position(|line| line.kind == LineKind::Removed && line.old == Some(old))?;
    let before = || lines.iter().take(at).rev().find_map(|line| line.new).map(|line| line + 1);
    lines.iter().skip(at).find_map(|line| line.new).or_else(before)
}

/// The rule that a line's comment names, if it gives a reason too.
fn ignored_rule(line: &str, grammar: Option<Grammar>) -> Option<&str> {
    let (before, after) = line.split_once(MARK)?;
    let is_comment = |opener: &&str| before.contains(*opener);
    let commented = match grammar.map(Grammar::row) {
        Some(row) => {
            row.line_comments.iter().any(is_comment) || row.block_comments.iter().any(|(open, _)| before.contains(open))
        }
        None => ANY.iter().any(is_comment),
    };
    let mut words = after.split_whitespace();
    let rule = words.next().filter(|_| after.starts_with(char::is_whitespace))?;
    let has_reason = words.any(|word| word.chars().any(char::is_alphanumeric));
    (commented && has_reason).then_some(rule)
}
