//! Findings on lines that a change only formats: the code was there before, so the change is not the cause.

use std::ops::RangeInclusive;

use review::{Candidate, Lexical, Line, LineKind, Side};
use syntax::parse::Hunk;

/// Shorter code can be the same by chance.
const DISTINCTIVE: usize = 12;
/// Marks of comments and strings that span lines. Code that comes out of one of them is new.
const BLOCKS: &[&str] = &["/*", "*/", "\"\"\"", "'''", "<!--", "`", "=begin"];

/// Whether the lines of a finding have, except for white space, the text of removed lines of the same edit. Code with another
/// indentation may be in another block, where it can be wrong.
pub(super) fn is_only_formatted(hunk: Hunk<'_>, language: &str, found: &Candidate) -> bool {
    if found.side != Side::New {
        return false;
    }
    let last = found.span.map_or(found.line, |span| span.end_line);
    let Some(edit) = edit_of(hunk.lines, found.line..=last) else {
        return false;
    };
    let is_reported = |line: &&Line<'_>| {
        line.kind == LineKind::Added
            && line
                .new
                .is_some_and(|number| (found.line..=last).contains(&number))
    };
    let reported: Vec<&str> = edit
        .iter()
        .filter(is_reported)
        .map(|line| line.text)
        .collect();
    let depth = reported.first().map(|text| indent(text));
    let now: String = reported.iter().map(|text| squeezed(text)).collect();
    let now = now.trim_end_matches([',', ';']);
    if now.len() < DISTINCTIVE {
        return false;
    }
    let lexical = Lexical::or_any(Some(language));
    let removed: Vec<&str> = edit
        .iter()
        .filter(|line| line.kind == LineKind::Removed)
        .map(|line| line.text)
        .collect();
    let is_plain = |text: &&str| {
        !lexical.is_comment_line(text) && !BLOCKS.iter().any(|mark| text.contains(mark))
    };
    let is_same = |at: usize| {
        removed.get(at).map(|text| indent(text)) == depth && starts_with(removed.get(at..), now)
    };
    removed.iter().all(is_plain) && (0..removed.len()).any(is_same)
}

/// Whether lines begin with a text, which ends at the end of one of them.
fn starts_with(lines: Option<&[&str]>, text: &str) -> bool {
    let mut rest = text;
    for line in lines.unwrap_or_default() {
        let line = squeezed(line);
        match rest.strip_prefix(line.as_str()) {
            Some(after) => rest = after,
            None => return !rest.is_empty() && line.trim_end_matches([',', ';']) == rest,
        }
        if rest.is_empty() {
            return true;
        }
    }
    false
}

/// The added and removed lines around these lines of the new side, if all of them are added.
fn edit_of<'h, 'd>(lines: &'h [Line<'d>], wanted: RangeInclusive<u32>) -> Option<&'h [Line<'d>]> {
    let has =
        |line: &Line<'_>, number: u32| line.new == Some(number) && line.kind == LineKind::Added;
    let first = lines.iter().position(|line| has(line, *wanted.start()))?;
    let is_changed = |line: &&Line<'_>| line.kind != LineKind::Context;
    let before = lines
        .get(..first)?
        .iter()
        .rev()
        .take_while(is_changed)
        .count();
    let after = lines.get(first..)?.iter().take_while(is_changed).count();
    let edit = lines.get(first - before..first + after)?;
    edit.iter()
        .any(|line| has(line, *wanted.end()))
        .then_some(edit)
}

fn indent(text: &str) -> &str {
    text.get(..text.len() - text.trim_start().len())
        .unwrap_or_default()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::{squeezed, starts_with};

    #[test]
    fn lines_are_compared_without_white_space() {
        let is_same = |old: &[&str], new: &str| {
            (0..old.len()).any(|at| starts_with(old.get(at..), &squeezed(new)))
        };
        let old = ["a();", "const b = c()", "  .d(1)", "  .e(2);"];
        assert!(is_same(&old, "const b = c().d(1).e(2)"));
        assert!(is_same(&old, "const b = c().d(1)"));
        assert!(!is_same(&old, "const b = c().d(1).e(3)"));
        assert!(!is_same(&old, "b = c().d(1).e(2)"));
        assert!(!is_same(&["x = 'eval(a.b.c)'"], "eval(a.b.c)"));
    }
}
