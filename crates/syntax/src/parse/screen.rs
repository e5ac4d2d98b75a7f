//! Screens a text before parsing.
//!
//! Some grammars' scanners keep their state in a fixed buffer and abort the process when it is full. Known triggers are
//! recognized by counting. An unknown one costs a worker process, never the service.

mod tags;

use std::borrow::Cow;

use crate::language::Grammar;

/// A nesting depth that every scanner supports. Real files do not reach it.
const DEEPEST: usize = 100;

/// The text in a form that the grammar can parse, with the same length in bytes.
pub(super) fn prepare(grammar: Grammar, text: &str, is_whole: bool) -> Cow<'_, str> {
    match grammar.name() {
        "PHP" if is_whole && is_page(text) => {
            let mut blanks = String::with_capacity(text.len());
            blank(text, &mut blanks);
            Cow::Owned(blanks)
        }
        "PHP" if text.contains("<?") || text.contains("?>") => {
            Cow::Owned(only_php(grammar, text, is_whole))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Blanks everything outside `<?php … ?>`. A text with a closing tag first starts inside.
fn only_php(grammar: Grammar, text: &str, is_whole: bool) -> String {
    let opens = text.find("<?");
    let closes = text.find("?>");
    let mut inside = opens.is_none_or(|open| closes.is_some_and(|close| close < open));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // A part of a file can begin in a string.
    let mut reads = is_whole;
    while !rest.is_empty() {
        let tag = if inside { "?>" } else { "<?" };
        let read = (inside && reads)
            .then(|| tags::code(grammar, rest))
            .flatten();
        reads &= !inside || read.is_some();
        let end = read.or_else(|| rest.find(tag)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        if inside {
            out.push_str(part)
        } else {
            blank(part, &mut out)
        }
        let tag_len = match after.as_bytes() {
            [] => break,
            [b'?', ..] => 2,
            after if after.starts_with(b"<?php") => 5,
            after if after.starts_with(b"<?=") => 3,
            _ => 2,
        };
        // A closing tag also ends the statement before it.
        out.push(if inside { ';' } else { ' ' });
        out.extend(std::iter::repeat_n(' ', tag_len - 1));
        rest = after.get(tag_len..).unwrap_or_default();
        inside = !inside;
    }
    out
}

/// Whether a whole file is HTML without code.
fn is_page(text: &str) -> bool {
    let begins = text.trim_start().strip_prefix('<');
    begins.is_some_and(|rest| rest.starts_with(|c: char| c == '!' || c.is_ascii_alphabetic()))
        && !text.contains("<?")
}

fn blank(text: &str, out: &mut String) {
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

/// Whether a scanner is known to abort on such a text.
pub(super) fn is_dangerous(grammar: Grammar, text: &str) -> bool {
    if open_angles(text) > 10 * DEEPEST || open_brackets(text) > 50 * DEEPEST {
        return true;
    }
    match grammar.name() {
        "YAML" => yaml_depth(text) > DEEPEST,
        "Ruby" => heredocs_on_a_line(text) > 30 || count(text, "#{") > 20 * DEEPEST,
        "Kotlin" => open_interpolations(text) > DEEPEST,
        "Python" => indentation_levels(text) > DEEPEST,
        _ => false,
    }
}

fn count(text: &str, what: &str) -> usize {
    memchr::memmem::find_iter(text.as_bytes(), what).count()
}

/// Maximum number of angle brackets that are open within a statement: nested type arguments take quadratic time.
fn open_angles(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'<' => {
                open += 1;
                most = most.max(open);
            }
            b'>' => open = open.saturating_sub(1),
            b';' | b'{' | b'}' => open = 0,
            _ => {}
        }
    }
    most
}

fn heredocs_on_a_line(text: &str) -> usize {
    text.lines()
        .map(|line| count(line, "<<"))
        .max()
        .unwrap_or(0)
}

/// Maximum number of open `"${` interpolations.
fn open_interpolations(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0_usize);
    let mut previous = 0;
    for byte in text.bytes() {
        match byte {
            b'{' if previous == b'$' => {
                open += 1;
                most = most.max(open);
            }
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        previous = byte;
    }
    most
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Maximum depth of increasing indentation.
fn indentation_levels(text: &str) -> usize {
    deepest(text, |_| 1)
}

/// Maximum depth of nested block collections: a level for each increase of indentation, and one for each `- `, `? ` and
/// `: ` on a line, which open collections inline. Flow collections are counted by their brackets.
fn yaml_depth(text: &str) -> usize {
    let in_line = |line: &str| {
        let mut levels = 1;
        for pair in line.as_bytes().windows(2) {
            if let [b'-' | b'?' | b':', b' ' | b'\t'] = pair {
                levels += 1;
            }
        }
        levels
    };
    deepest(text, in_line).max(open_brackets(text))
}

/// Maximum number of open brackets. Tree-sitter recurses when it gives up on some of them.
fn open_brackets(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                open += 1;
                most = most.max(open);
            }
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The heaviest stack of lines with increasing indentation. `weight` returns the weight of a line.
fn deepest(text: &str, weight: impl Fn(&str) -> usize) -> usize {
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let (mut sum, mut most) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let at = indentation(line);
        while let Some((_, weight)) = stack.pop_if(|(indentation, _)| *indentation >= at) {
            sum -= weight;
        }
        let own = weight(line);
        sum += own;
        stack.push((at, own));
        most = most.max(sum);
    }
    most
}
