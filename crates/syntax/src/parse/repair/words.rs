//! Leaves out words and punctuation that a grammar does not know.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::text::{blank, errors};
use crate::parse::fragment::Fragment;
use crate::parse::limits::Limits;

/// Maximum number of places where something is left out.
const PLACES: usize = 16;
/// Maximum number of bytes at one place.
const BYTES: usize = 48;
/// Maximum number of words at one place.
const WORDS: usize = 2;
/// Tokens before an error that are tried.
const BEFORE: usize = 4;
/// Punctuation that begins neither a string nor a comment nor a block.
const PUNCTUATION: &str = "?<>().,:;=!&|+-~^";

type Read = (Fragment, Tree);

/// Leaves out one thing after the other, as long as each makes the errors fewer.
pub(super) fn read(
    fragment: &Fragment,
    parsed: &Tree,
    attempts: usize,
    limits: &Limits,
) -> Option<Read> {
    let mut now = (fragment.clone(), parsed.clone());
    let mut attempts = attempts;
    for _ in 0..PLACES {
        if now.0.score == 0 {
            return Some(now);
        }
        now = better(&now, &mut attempts, limits)?;
    }
    (now.0.score == 0).then_some(now)
}

/// The text with one thing less in it, and with fewer errors.
fn better((fragment, tree): &Read, attempts: &mut usize, limits: &Limits) -> Option<Read> {
    let error = *errors(tree)
        .iter()
        .find(|node| is_own(fragment, node.byte_range()))?;
    for edit in edits(fragment, tree, error) {
        *attempts = attempts.checked_sub(1)?;
        let mut text = fragment.text().to_owned();
        match edit {
            Edit::Blank(range) => blank(&mut text, range),
            Edit::End(at) => text.insert(at, ';'),
        }
        if let Some(read) = fragment.with_text(&text, limits)
            && read.0.score < fragment.score
        {
            return Some(read);
        }
    }
    None
}

/// A change of a text that may make it readable. Positions are those of the hunk's text.
enum Edit {
    Blank(Range<usize>),
    /// A `;` at the end of a line, after a macro that is a statement.
    End(usize),
}

fn is_own(fragment: &Fragment, range: Range<usize>) -> bool {
    fragment.prefix <= range.start && range.end <= fragment.end
}

/// The changes to try at an error, best first.
fn edits(fragment: &Fragment, tree: &Tree, error: Node<'_>) -> Vec<Edit> {
    let own = |range: Range<usize>| range.start - fragment.prefix..range.end - fragment.prefix;
    let text = fragment.text();
    let at = own(error.byte_range());
    if error.is_missing() {
        let (_, after) = text.split_at_checked(at.start).unwrap_or_default();
        let ends_line = after
            .lines()
            .next()
            .is_none_or(|rest| rest.trim().is_empty());
        let is_end = error.kind() == ";" && ends_line;
        return is_end.then_some(Edit::End(at.start)).into_iter().collect();
    }
    let before = tokens_before(tree.root_node(), error)
        .into_iter()
        .filter(|token| is_own(fragment, token.byte_range()))
        .map(|token| own(token.byte_range()));
    [at].into_iter()
        .chain(before)
        .filter(|range| text.get(range.clone()).is_some_and(is_little))
        .map(Edit::Blank)
        .collect()
}

/// The tokens before an error on its line, the nearest first.
fn tokens_before<'t>(root: Node<'t>, error: Node<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut at = error.start_byte();
    while found.len() < BEFORE
        && let Some(end) = at.checked_sub(1)
        && let Some(token) = root.descendant_for_byte_range(end, end)
        && token.start_position().row == error.start_position().row
    {
        if token.child_count() == 0 && token.end_byte() <= error.start_byte() {
            at = token.start_byte();
            found.push(token);
        } else {
            // White space between tokens.
            at = end;
        }
    }
    found
}

/// Whether a text is one or two words, or balanced punctuation. Such a text contains no value, no argument and no block.
fn is_little(text: &str) -> bool {
    let text = text.trim();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has_words = text.contains(is_word);
    let is_words =
        text.chars().all(|c| is_word(c) || c == ' ') && !text.starts_with(char::is_numeric);
    let is_punctuation = text.chars().all(|c| PUNCTUATION.contains(c) || c == ' ');
    !text.is_empty()
        && text.len() <= BYTES
        && (has_words && is_words && text.split_whitespace().count() <= WORDS
            || is_punctuation && is_balanced(text))
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        depth = match c {
            '(' => depth + 1,
            ')' => match depth.checked_sub(1) {
                Some(depth) => depth,
                None => return false,
            },
            _ => depth,
        };
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::is_little;

    #[test]
    fn only_words_or_balanced_punctuation_are_left_out() {
        for text in ["__init", ">()", "?", "= ", "static inline"] {
            assert!(is_little(text), "{text}");
        }
        for text in [
            "", "= 1; g", "f(x)", ">(x)", "(", "'a'", "\"", "`", "{", "/*", "//", "#", "a b c", "1",
        ] {
            assert!(!is_little(text), "{text}");
        }
    }
}
