//! Leaves out words and punctuation that a grammar does not know.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::effort::Effort;
use super::text::{blank, errors};
use crate::parse::fragment::Fragment;
use crate::parse::limits::Limits;

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
pub(super) fn read(fragment: &Fragment, parsed: &Tree, effort: Effort, limits: &Limits) -> Read {
    let mut now = (fragment.clone(), parsed.clone());
    let mut attempts = effort.attempts(&fragment.source);
    for _ in 0..effort.places {
        match better(&now, &mut attempts, limits) {
            Some(better) => now = better,
            None => break,
        }
    }
    now
}

/// The text with one thing less in it, and with fewer errors: in a changed line if there is an error in one.
fn better((fragment, tree): &Read, attempts: &mut usize, limits: &Limits) -> Option<Read> {
    let is_changed = |node: &Node<'_>| {
        let mut rows = node.start_position().row..=node.end_position().row;
        rows.any(|row| {
            let line = fragment.line_of_row(row);
            line.is_some_and(|(_, line)| line.changed)
        })
    };
    let errors: Vec<_> = errors(tree)
        .into_iter()
        .filter(|node| is_own(fragment, node.byte_range()))
        .collect();
    let error = *errors
        .iter()
        .find(|node| is_changed(node))
        .or_else(|| errors.first())?;
    for edit in edits(fragment, tree, error) {
        *attempts = attempts.checked_sub(1)?;
        let mut text = fragment.text().to_owned();
        let (range, length) = match edit {
            Edit::Blank(range) => {
                blank(&mut text, range.clone());
                (range.clone(), range.len())
            }
            Edit::End(at) => {
                text.insert(at, ';');
                (at..at, 1)
            }
        };
        if let Some(read) = fragment.with_edit(tree, &text, range, length, limits)
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
    /// A `;` after a statement, such as a macro or a member of a type.
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
    let end = line_end(fragment.grammar.name(), text, at.start);
    if error.is_missing() {
        let (_, after) = text.split_at_checked(at.start).unwrap_or_default();
        let ends_line = after
            .lines()
            .next()
            .is_none_or(|rest| rest.trim().is_empty());
        let is_end = ends_line && [";", "}"].contains(&error.kind());
        return is_end
            .then_some(Edit::End(at.start))
            .into_iter()
            .chain(end)
            .collect();
    }
    let root = tree.root_node();
    // The last words of an error can be what the grammar does not know: an attribute after a declaration.
    let last = tokens_before(root, error.end_byte(), error.end_position().row, 2);
    let before = tokens_before(root, error.start_byte(), error.start_position().row, BEFORE)
        .into_iter()
        .chain(last)
        .filter(|token| is_own(fragment, token.byte_range()))
        .map(|token| own(token.byte_range()));
    [at].into_iter()
        .chain(before)
        .filter(|range| text.get(range.clone()).is_some_and(is_little))
        .map(Edit::Blank)
        .chain(end)
        .collect()
}

/// The end of a statement that a grammar may miss: of a member of a type before one with the name of an operator, and of a macro with
/// parentheses, which may begin a block.
fn line_end(language: &str, text: &str, at: usize) -> Option<Edit> {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    match language {
        "TypeScript" | "TSX" => {
            let above = before.get(..start).unwrap_or_default();
            Some(Edit::End(above.trim_end().len()))
        }
        "C" | "C++" => {
            let end = at + after.find('\n').unwrap_or(after.len());
            let line = text.get(start..end).unwrap_or_default().trim_end();
            let code = line.strip_suffix('{').unwrap_or(line).trim_end();
            let is_call = code.ends_with(')') && !code.trim_start().starts_with('#');
            is_call.then_some(Edit::End(start + code.len()))
        }
        _ => None,
    }
}

/// Up to `most` tokens of a row before a place in it, the nearest first.
fn tokens_before(root: Node<'_>, place: usize, row: usize, most: usize) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut at = place;
    while found.len() < most
        && let Some(end) = at.checked_sub(1)
        && let Some(token) = root.descendant_for_byte_range(end, end)
        && token.end_position().row == row
    {
        if token.child_count() == 0 && token.end_byte() <= place {
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
