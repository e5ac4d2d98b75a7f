//! Replaces what a grammar is known not to read by what it reads, on the same lines.
//!
//! Only rows with errors are changed, and only what cannot be code that matters: an attribute, type arguments, a comment, a directive
//! of the preprocessor, a macro without arguments that do anything. Nothing is left out of a branch: the code of all branches is
//! read one after the other (`conditions`).

mod conditions;
mod json;
mod members;
mod preprocessor;
mod types;

use std::ops::Range;

use review::Lexical;
use review::language::lexical::{Comment, Quotes};
use tree_sitter::Tree;

use super::text::{blank, errors, fill};
use crate::parse::fragment::Fragment;
use crate::parse::limits::Limits;

/// A replacement can show what else is unknown.
const ROUNDS: [Extent; 4] = [
    Extent::Unknown,
    Extent::Unknown,
    Extent::Conditions,
    Extent::Unknown,
];
/// Maximum number of bytes of an attribute, of type arguments, or of a macro with its arguments.
const BYTES: usize = 1_000;

/// How much is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Syntax that the grammar does not know, on lines with errors.
    Unknown,
    /// In C, also all conditions of the preprocessor, and the same in the whole text.
    Conditions,
    /// In JSON, errors that many programs accept.
    Accepted,
}

/// A fragment and its tree with fewer errors; `None` if there are none.
pub(super) fn read(
    fragment: &Fragment,
    parsed: &Tree,
    limits: &Limits,
) -> Option<(Fragment, Tree)> {
    read_in(&ROUNDS, fragment, parsed, limits)
}

/// As [`read`], without errors that many programs accept.
pub(super) fn read_accepted(
    fragment: &Fragment,
    parsed: &Tree,
    limits: &Limits,
) -> Option<(Fragment, Tree)> {
    read_in(&[Extent::Accepted], fragment, parsed, limits)
}

fn read_in(
    rounds: &[Extent],
    fragment: &Fragment,
    parsed: &Tree,
    limits: &Limits,
) -> Option<(Fragment, Tree)> {
    let mut best: Option<(Fragment, Tree)> = None;
    // An attempt without effect is not repeated until the text has changed.
    let mut futile = Vec::new();
    for extent in rounds.iter().copied() {
        let (fragment, parsed) = best
            .as_ref()
            .map_or((fragment, parsed), |(fragment, parsed)| (fragment, parsed));
        if fragment.score == 0 || futile.contains(&extent) {
            continue;
        }
        let better = respelled(fragment, parsed, extent)
            .and_then(|text| fragment.with_text(&text, limits))
            .filter(|read| read.0.score < fragment.score);
        match better {
            Some(better) => {
                best = Some(better);
                futile.clear();
            }
            None => futile.push(extent),
        }
    }
    best
}

/// The text with its replacements; `None` if there is nothing to replace.
fn respelled(fragment: &Fragment, tree: &Tree, extent: Extent) -> Option<String> {
    let language = fragment.grammar.name();
    let replace: fn(&mut Edits) = match (language, extent) {
        ("C" | "C++", Extent::Unknown) => |edits| edits.preprocessor(false),
        ("C" | "C++", Extent::Conditions) => |edits| edits.preprocessor(true),
        ("JSON", Extent::Accepted) => Edits::accepted_json,
        (_, Extent::Conditions | Extent::Accepted) => return None,
        ("Go", _) => Edits::new_of_values,
        ("JSON", _) => Edits::signs_of_exponents,
        ("JavaScript", _) => Edits::ampersands_of_attributes,
        ("TypeScript" | "TSX", _) => |edits| {
            edits.ampersands_of_attributes();
            edits.types();
        },
        ("Rust", _) => Edits::attributes_of_parameters,
        ("Kotlin", _) => |edits| {
            edits.explicit_fields();
            edits.context_parameters();
        },
        ("C#", _) => Edits::doubled_quotes,
        ("Dockerfile", _) => Edits::quotes,
        _ => return None,
    };
    let text = fragment.text();
    let mut edits = Edits {
        text: text.to_owned(),
        near: near_errors(fragment, tree),
        pieces: pieces(text, Lexical::or_any(Some(language))),
    };
    replace(&mut edits);
    (edits.text != text).then_some(edits.text)
}

/// The ranges of the lines with errors, of the line before and the line after each, in the hunk's text.
fn near_errors(fragment: &Fragment, tree: &Tree) -> Vec<Range<usize>> {
    let text = fragment.text();
    let own = |at: usize| at.clamp(fragment.prefix, fragment.end) - fragment.prefix;
    let before = |at: usize| text.get(..at).unwrap_or_default();
    let line = |at: usize| before(at).rfind('\n');
    let mut found: Vec<Range<usize>> = Vec::new();
    for error in errors(tree) {
        let (start, end) = (own(error.start_byte()), own(error.end_byte()));
        // The last line before it that is not empty.
        let above = line(start).map_or("", before).trim_end().len();
        let start = line(above).map_or(0, |line_feed| line_feed + 1);
        let line_feeds = memchr::memchr_iter(b'\n', text.as_bytes().get(end..).unwrap_or_default());
        let end = line_feeds
            .take(2)
            .last()
            .map_or(text.len(), |length| end + length);
        match found.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => found.push(start..end),
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Comment,
    String,
}

/// The comments and strings of a text, in order.
fn pieces(text: &str, lexical: &Lexical) -> Vec<(Range<usize>, Kind)> {
    let mut found = Vec::new();
    let mut quotes = Quotes::default();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        if c == '\n' {
            quotes = Quotes::default();
        }
        let piece = if let Some(comment) = lexical.comment_at(text, at) {
            let end = match comment {
                Comment::Line(_) => rest.find('\n').map(|end| at + end),
                Comment::Block(block) => block.end(text, at + block.open.len(), &mut 1),
            };
            Some((end.unwrap_or(text.len()), Kind::Comment))
        } else if let Some((open, close)) = lexical.long_string(rest) {
            let inner = rest.get(open.len()..).unwrap_or_default();
            let end = inner
                .find(close)
                .map(|end| at + open.len() + end + close.len());
            Some((end.unwrap_or(text.len()), Kind::String))
        } else {
            lexical
                .string_end(text, at, &mut quotes)
                .map(|end| (end, Kind::String))
        };
        at = match piece {
            Some((end, kind)) => {
                found.push((at..end, kind));
                end.max(at + c.len_utf8())
            }
            None => at + c.len_utf8(),
        };
    }
    found
}

struct Edits {
    text: String,
    /// The lines with errors.
    near: Vec<Range<usize>>,
    /// Comments and strings.
    pieces: Vec<(Range<usize>, Kind)>,
}

impl Edits {
    fn is_near(&self, at: usize) -> bool {
        let after = self.near.partition_point(|range| range.start <= at);
        after
            .checked_sub(1)
            .and_then(|last| self.near.get(last))
            .is_some_and(|range| at <= range.end)
    }

    fn is_code(&self, at: usize) -> bool {
        self.kind(at).is_none()
    }

    /// The kind of the comment or string at a place; `None` for code.
    fn kind(&self, at: usize) -> Option<Kind> {
        let after = self.pieces.partition_point(|(range, _)| range.start <= at);
        let last = after.checked_sub(1).and_then(|last| self.pieces.get(last));
        last.filter(|(range, _)| at < range.end)
            .map(|(_, kind)| *kind)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
    }

    /// The last byte before a place that is not white space.
    fn byte_before(&self, at: usize) -> Option<u8> {
        let before = self.text.as_bytes().get(..at)?;
        before
            .iter()
            .rev()
            .find(|byte| !byte.is_ascii_whitespace())
            .copied()
    }

    /// The last byte before a place that is neither white space nor in a comment.
    fn code_before(&self, mut at: usize) -> Option<u8> {
        loop {
            let before = self.text.get(..at)?.trim_end();
            let last = before.len().checked_sub(1)?;
            let after = self
                .pieces
                .partition_point(|(range, _)| range.start <= last);
            let piece = after
                .checked_sub(1)
                .and_then(|index| self.pieces.get(index));
            match piece.filter(|(range, kind)| last < range.end && *kind == Kind::Comment) {
                Some((range, _)) => at = range.start,
                None => return before.bytes().last(),
            }
        }
    }

    /// The places of a text in code near errors.
    fn places(&self, what: &str) -> Vec<usize> {
        let mut found = self.code(what);
        found.retain(|at| self.is_near(*at));
        found
    }

    /// The places of a text in code. An error of Kotlin can be far from its cause.
    fn code(&self, what: &str) -> Vec<usize> {
        memchr::memmem::find_iter(self.text.as_bytes(), what)
            .filter(|at| self.is_code(*at))
            .collect()
    }

    fn pieces_near(&self, kind: Kind) -> Vec<Range<usize>> {
        let pieces = self
            .pieces
            .iter()
            .filter(|(range, own)| *own == kind && self.is_near(range.start));
        pieces.map(|(range, _)| range.clone()).collect()
    }

    /// Go 1.26: `new` of a value. The grammar takes what follows for a type.
    fn new_of_values(&mut self) {
        for at in self.places("new(") {
            let is_name = at
                .checked_sub(1)
                .is_some_and(|before| is_word(self.byte(before)) || self.byte(before) == b'.');
            if !is_name {
                fill(&mut self.text, at + 2..at + 3, b'W');
            }
        }
    }

    /// `href="/a?b=1&c=2"`: the grammar takes `&c` for an incomplete character reference.
    fn ampersands_of_attributes(&mut self) {
        for piece in self.pieces_near(Kind::String) {
            if self.byte_before(piece.start) == Some(b'=') {
                for at in piece {
                    if self.byte(at) == b'&' {
                        fill(&mut self.text, at..at + 1, b'+');
                    }
                }
            }
        }
    }

    /// `fn f(#[from(x)] y: Y)`.
    fn attributes_of_parameters(&mut self) {
        let mut end = 0;
        for at in self.places("#[") {
            let follows = matches!(self.byte_before(at), Some(b'(' | b','));
            if at >= end
                && follows
                && let Some(length) = self.bracketed(at + 1)
            {
                end = at + 1 + length;
                blank(&mut self.text, at..end);
            }
        }
    }

    /// The length of the text from an opening bracket to the one that closes it.
    fn bracketed(&self, from: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in from..from + BYTES {
            if self.is_code(at) {
                match self.byte(at) {
                    b'[' | b'(' | b'{' => depth += 1,
                    b']' | b')' | b'}' => depth = depth.checked_sub(1)?,
                    _ => {}
                }
                if depth == 0 {
                    return Some(at + 1 - from);
                }
            }
        }
        None
    }

    /// Kotlin 2.3: `val a: A` with `field = b` on the next line. A getter has the same place.
    fn explicit_fields(&mut self) {
        for at in self.code("field") {
            let after = self
                .text
                .get(at + 5..)
                .unwrap_or_default()
                .trim_start_matches(' ');
            let is_set = after.starts_with('=') && !after.starts_with("==");
            let above = self
                .text
                .get(..at)
                .unwrap_or_default()
                .lines()
                .rev()
                .find(|line| !line.trim().is_empty());
            let is_property = above.is_some_and(|line| {
                line.split_whitespace().any(|word| word == "val") && !line.contains(['=', '{'])
            });
            if is_set && is_property && self.starts_line(at) {
                self.text.replace_range(at..at + 5, "get()");
            }
        }
    }

    /// Kotlin 2.2: `context(a: A)` before a function.
    fn context_parameters(&mut self) {
        for at in self.code("context(") {
            let from = at + "context".len();
            let Some(length) = self.bracketed(from).filter(|_| self.starts_line(at)) else {
                continue;
            };
            let rest = self.text.get(from + length..).unwrap_or_default();
            if rest
                .lines()
                .next()
                .is_some_and(|line| line.trim().is_empty())
            {
                blank(&mut self.text, at..from + length);
            }
        }
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        before
            .get(line..)
            .is_some_and(|line| line.trim().is_empty())
    }

    /// `$@"a ""{b}"""`: after an interpolation the grammar takes three quotes for the start of a raw string.
    fn doubled_quotes(&mut self) {
        for open in ["$@\"", "@$\""] {
            let starts: Vec<_> = memchr::memmem::find_iter(self.text.as_bytes(), open).collect();
            let mut end = 0;
            for start in starts {
                if start < end {
                    continue;
                }
                let mut at = start + open.len();
                let mut depth = 0_usize;
                while at < self.text.len() {
                    let doubled = self.byte(at) == self.byte(at + 1);
                    match self.byte(at) {
                        b'"' if depth == 0 && doubled => {
                            if self.is_near(at) {
                                fill(&mut self.text, at..at + 2, b'\'');
                            }
                            at += 1;
                        }
                        b'"' if depth == 0 => break,
                        b'{' if depth == 0 && doubled => at += 1,
                        b'{' => depth += 1,
                        b'}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    at += 1;
                }
                end = at;
            }
        }
    }

    /// Quotes within quotes of a command, such as `"$(sed 's/"//')"`.
    fn quotes(&mut self) {
        for at in 0..self.text.len() {
            if self.byte(at) == b'"' && self.is_near(at) {
                blank(&mut self.text, at..at + 1);
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
