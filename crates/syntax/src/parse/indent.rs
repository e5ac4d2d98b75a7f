//! Languages with significant indentation. The text is unchanged; a header is added before it for every level that it
//! dedents to.

use super::closers::{closing, opening};
use super::context::Context;
use super::gaps::{Gaps, Start};
use crate::language::Row;

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn margin(line: &str) -> &str {
    line.get(..indentation(line)).unwrap_or_default()
}

fn first_word(line: &str) -> &str {
    line.trim_start()
        .split(|c: char| !c.is_alphanumeric() && c != '@' && c != '_')
        .next()
        .unwrap_or_default()
}

/// Python: a ladder of block headers, openers for unmatched brackets, and a body for a final header.
pub(super) fn python(
    row: &Row,
    text: &str,
    heading: &str,
    start: Start<'_>,
    gaps: &Gaps<'_>,
    all: &mut Vec<Context>,
) {
    let lines: Vec<&str> = gaps
        .logical
        .iter()
        .filter_map(|at| text.get(*at..)?.lines().next())
        .filter(|line| !line.trim().is_empty() && !row.lexical().is_comment_line(line))
        .collect();
    let statement = lines.first().map_or("", |line| margin(line));
    let cut = start.is_some() || !gaps.missing.is_empty();
    let mut before = ladder(&lines, heading, cut);
    let brackets = brackets(
        gaps,
        gaps.first.and_then(|at| text.get(at..)).unwrap_or_default(),
    );
    for opener in &brackets {
        before.push_str(statement);
        before.push_str(opener);
        before.push('\n');
    }
    if start.is_some() && brackets.is_empty() {
        before.push_str(statement);
    }
    before.push_str(&opening(start));
    let after = format!(
        "{}\n{}",
        closing(row, gaps, unfinished(text, gaps)),
        bodies(row, &lines)
    );
    all.push(Context {
        before: before.clone(),
        after: after.clone(),
    });
    if brackets.iter().any(|opener| opener == "_f(") {
        let header = before.replacen("_f(", "def _f(", 1);
        all.push(Context {
            before: header,
            after: after.clone(),
        });
    }
    all.push(Context {
        before: opening(start),
        after,
    });
}

/// Openers for the brackets that the text closes, outermost first. `code` is the start of the text.
fn brackets(gaps: &Gaps<'_>, code: &str) -> Vec<String> {
    let mut openers: Vec<String> = Vec::new();
    let mut in_dictionary = false;
    for gap in gaps.missing.iter().rev() {
        let is_outer = openers.is_empty();
        let opener = match gap.closer {
            b')' if is_outer && gap.follow.starts_with("->") => "def _f(",
            b')' if is_outer && gap.follow.starts_with(':') && continues(code) => "if (",
            b')' if is_outer => "_f(",
            b')' => "(",
            b']' if is_outer => "_x = [",
            b']' => "[",
            _ if is_outer => "_x = {",
            _ => "{",
        };
        openers.push(format!(
            "{}{opener}",
            if in_dictionary { "_: " } else { "" }
        ));
        in_dictionary = gap.closer == b'}' && gap.inside.keys;
    }
    if let Some(last) = openers.last_mut().filter(|_| continues(code)) {
        last.push_str("_x");
    }
    openers
}

/// Whether a text that starts with this word continues an expression.
fn continues(code: &str) -> bool {
    const WORDS: &[&str] = &["and", "or", "for", "if", "else", "in", "is"];
    WORDS.contains(&first_word(code))
        || code.starts_with(['.', '+', '/', '%', '|', '&', '<', '>', '='])
}

fn unfinished(text: &str, gaps: &Gaps<'_>) -> &'static str {
    let code = text.get(..gaps.last).unwrap_or_default();
    let needs_value = code.ends_with(['=', '+', '-', '/', '%', '&', '|', '.', '\\'])
        || [" and", " or", " not", " in", " if", " else"]
            .iter()
            .any(|word| code.ends_with(word));
    if needs_value && !gaps.open.is_empty() || code.ends_with('\\') {
        " _x"
    } else {
        ""
    }
}

/// Headers for every level of indentation that the text dedents to, outermost first.
fn ladder(lines: &[&str], heading: &str, cut: bool) -> String {
    // The first line after each dedent shows what kind of block preceded it.
    let mut falls: Vec<&str> = Vec::new();
    for line in lines {
        if falls
            .last()
            .is_none_or(|last| indentation(line) < indentation(last))
        {
            falls.push(line);
        }
    }
    let mut out = String::new();
    let Some(lowest) = falls.last() else {
        return out;
    };
    if indentation(lowest) > 0 {
        let in_class = heading.trim_start().starts_with("class ");
        out.push_str(if in_class {
            "class _C:\n"
        } else {
            "async def _f():\n"
        });
    }
    for (index, line) in falls.iter().enumerate().rev() {
        let header = match first_word(line) {
            "except" | "finally" => Some("try:"),
            "else" | "elif" => Some("if _x:"),
            "case" => Some("match _x:"),
            _ if index == 0 => None,
            "def" | "class" | "async" => Some("def _m():"),
            word if word.starts_with('@') => Some("def _m():"),
            _ => Some("if _x:"),
        };
        let Some(header) = header.filter(|_| index > 0 || !cut) else {
            continue;
        };
        out.push_str(margin(line));
        out.push_str(header);
        out.push('\n');
        if index == 0 && header != "match _x:" {
            out.push_str(margin(line));
            out.push_str("  pass\n");
        }
    }
    out
}

/// Bodies for blocks that are truncated at the end.
fn bodies(row: &Row, lines: &[&str]) -> String {
    let mut out = String::new();
    let mut tries: Vec<&str> = Vec::new();
    for line in lines {
        let word = first_word(line);
        tries.retain(|open| {
            indentation(open) < indentation(line)
                || indentation(open) == indentation(line) && word == "else"
        });
        if word == "try" {
            tries.push(line);
        }
    }
    if let Some(last) = lines.last() {
        let text = row.lexical().without_line_comment(last).trim_end();
        if text.ends_with(':') {
            out.push_str(margin(last));
            out.push_str("  pass\n");
        } else if text.trim_start().starts_with('@') {
            out.push_str(margin(last));
            out.push_str("def _d(): pass\n");
        }
    }
    for line in tries.iter().rev() {
        out.push_str(margin(line));
        out.push_str("finally: pass\n");
    }
    out
}

/// YAML: a key, or an item with a key, for every level that the text dedents to.
pub(super) fn yaml(row: &Row, text: &str, all: &mut Vec<Context>) {
    let mut falls: Vec<&str> = Vec::new();
    let is_code = |line: &&str| !line.trim().is_empty() && !row.lexical().is_comment_line(line);
    for line in text.lines().filter(is_code) {
        if falls
            .last()
            .is_none_or(|last| indentation(line) < indentation(last))
        {
            falls.push(line);
        }
    }
    for item in ["- _k: _v", "- _k:", "_i: _v"] {
        let mut before = String::new();
        for line in falls.iter().skip(1).rev() {
            before.push_str(margin(line));
            let is_item = line.trim_start().starts_with("- ");
            before.push_str(if is_item {
                item
            } else if item == "_i: _v" {
                "_k: |"
            } else {
                "_k:"
            });
            before.push('\n');
        }
        all.push(Context {
            before,
            after: String::new(),
        });
    }
}
