//! Escaping of text within a paragraph of GitHub's or GitLab's Markdown.

use crate::output::text::plain;

/// Characters with a meaning in Markdown or in the hosts' extensions: emphasis, code, links, HTML, tables, formulas, emoji,
/// mentions.
const SPECIAL: &str = "\\`*_[]<>|~&!$:^={}@#";
/// Inserted between a sigil and a name, so that no user is notified and no issue is linked.
const APART: char = '\u{200b}';

/// Escapes a sentence. Text in single backticks stays code if the backticks are balanced.
pub(super) fn prose(text: &str) -> String {
    let text = plain(text);
    let pieces: Vec<&str> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let is_code = |at: usize, piece: &str| at % 2 == 1 && !piece.trim().is_empty();
    if !paired
        || pieces
            .iter()
            .enumerate()
            .any(|(at, piece)| at % 2 == 1 && !is_code(at, piece))
    {
        return escaped(&text);
    }
    pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| {
            if is_code(at, piece) {
                code(piece)
            } else {
                escaped(piece)
            }
        })
        .collect()
}

/// A code span, delimited by more backticks than its longest run.
pub(super) fn code(text: &str) -> String {
    let text = if text.is_empty() {
        " ".to_owned()
    } else {
        plain(text)
    };
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let edge = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(edge) || text.ends_with(edge) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let address = c == '.'
            && out
                .get(out.len().saturating_sub(3)..)
                .is_some_and(|end| end.eq_ignore_ascii_case("www"));
        if SPECIAL.contains(c) || address {
            out.push('\\');
        }
        out.push(c);
        if matches!(c, '@' | '#') {
            out.push(APART);
        }
    }
    out
}
