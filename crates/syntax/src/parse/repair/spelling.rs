//! Replaces what a grammar is known not to read by what it reads, with the same length.
//!
//! Only rows with errors are changed, and only what cannot be code that matters: an attribute, type arguments, a comment, a directive
//! of the preprocessor, a macro without arguments that do anything. Nothing is left out of a branch: without its directives, the
//! code of all branches is read one after the other.

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
    /// In C, also all conditions of the preprocessor.
    Conditions,
}

/// A fragment and its tree with fewer errors, or the same ones.
pub(super) fn read(fragment: &Fragment, parsed: &Tree, limits: &Limits) -> (Fragment, Tree) {
    let mut now = (fragment.clone(), parsed.clone());
    for extent in ROUNDS {
        if now.0.score == 0 {
            break;
        }
        let read = respelled(&now.0, &now.1, extent)
            .and_then(|text| now.0.with_text(&text, limits))
            .filter(|read| read.0.score < now.0.score);
        now = read.unwrap_or(now);
    }
    now
}

/// The text with its replacements; `None` if there is nothing to replace.
fn respelled(fragment: &Fragment, tree: &Tree, extent: Extent) -> Option<String> {
    let text = fragment.text();
    let mut edits = Edits {
        text: text.to_owned(),
        near: near_errors(fragment, tree),
        pieces: pieces(text, Lexical::or_any(Some(fragment.grammar.name()))),
    };
    match fragment.grammar.name() {
        "C" | "C++" => {
            edits.comments_in_macros();
            edits.directives(extent == Extent::Conditions);
            edits.macros_alone();
        }
        _ if extent == Extent::Conditions => return None,
        "Go" => edits.new_of_values(),
        "JSON" => edits.signs_of_exponents(),
        "JavaScript" | "TypeScript" | "TSX" => {
            edits.ampersands_of_attributes();
            edits.type_arguments_of_templates();
        }
        "Rust" => edits.attributes_of_parameters(),
        "Kotlin" => {
            edits.explicit_fields();
            edits.context_parameters();
        }
        "Dockerfile" => edits.quotes(),
        _ => return None,
    }
    (edits.text != text).then_some(edits.text)
}

/// The ranges of the lines with errors, of the line before and the three lines after each, in the hunk's text.
fn near_errors(fragment: &Fragment, tree: &Tree) -> Vec<Range<usize>> {
    let text = fragment.text();
    let own = |at: usize| at.clamp(fragment.prefix, fragment.end) - fragment.prefix;
    let before = |at: usize| text.get(..at).unwrap_or_default();
    let line = |at: usize| before(at).rfind('\n');
    let mut found: Vec<Range<usize>> = Vec::new();
    for error in errors(tree) {
        let (start, end) = (own(error.start_byte()), own(error.end_byte()));
        let start = line(start)
            .and_then(line)
            .map_or(0, |line_feed| line_feed + 1);
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
        let after = self.pieces.partition_point(|(range, _)| range.start <= at);
        after
            .checked_sub(1)
            .and_then(|last| self.pieces.get(last))
            .is_none_or(|(range, _)| range.end <= at)
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

    /// `1e+30`.
    fn signs_of_exponents(&mut self) {
        for at in self.places("e+").into_iter().chain(self.places("E+")) {
            if at > 0 && self.byte(at - 1).is_ascii_digit() && self.byte(at + 2).is_ascii_digit() {
                fill(&mut self.text, at + 1..at + 2, b'0');
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

    /// ``a.b<{ c: d }>`…` ``. Without parentheses, the text in angle brackets calls nothing.
    fn type_arguments_of_templates(&mut self) {
        for piece in self.pieces_near(Kind::String) {
            if self.byte(piece.start) != b'`'
                || piece.start == 0
                || self.byte(piece.start - 1) != b'>'
            {
                continue;
            }
            let mut depth = 0_usize;
            let mut at = piece.start;
            let start = loop {
                let Some(before) = at
                    .checked_sub(1)
                    .filter(|before| piece.start - before <= BYTES)
                else {
                    break None;
                };
                at = before;
                match self.byte(at) {
                    b'>' if at > 0 && self.byte(at - 1) == b'=' => break None,
                    b'>' => depth += 1,
                    b'<' if depth == 1 => break Some(at),
                    b'<' => depth -= 1,
                    b'(' | b')' | b'`' => break None,
                    _ => {}
                }
            };
            let follows_name = |at: usize| {
                at.checked_sub(1).is_some_and(|before| {
                    is_word(self.byte(before)) || matches!(self.byte(before), b')' | b']')
                })
            };
            if let Some(start) = start.filter(|start| follows_name(*start)) {
                blank(&mut self.text, start..piece.start);
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

    /// Quotes within quotes of a command, such as `"$(sed 's/"//')"`.
    fn quotes(&mut self) {
        for at in 0..self.text.len() {
            if self.byte(at) == b'"' && self.is_near(at) {
                blank(&mut self.text, at..at + 1);
            }
        }
    }

    /// A comment within a macro that continues on the next line.
    fn comments_in_macros(&mut self) {
        for piece in self.pieces_near(Kind::Comment) {
            let rest = self.text.get(piece.end..).unwrap_or_default();
            let before = self.text.get(..piece.start).unwrap_or_default();
            let line = before
                .rfind('\n')
                .map_or("", |end| before.get(..end).unwrap_or_default());
            let is_continued = rest
                .lines()
                .next()
                .is_some_and(|line| line.trim_end().ends_with('\\'));
            if is_continued || line.trim_end().ends_with('\\') {
                blank(&mut self.text, piece);
            }
        }
    }

    /// `#` alone, `__has_include(<x>)`, and conditions of the preprocessor within an expression or before an `else`, or all of
    /// them.
    fn directives(&mut self, all: bool) {
        for at in self.places("__has_include(") {
            let rest = self.text.get(at..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default();
            if let Some(end) = line.find(')') {
                blank(&mut self.text, at..at + end + 1);
                fill(&mut self.text, at..at + 1, b'1');
            }
        }
        let mut groups: Vec<(Vec<Range<usize>>, bool)> = Vec::new();
        let mut unread = Vec::new();
        let mut depth = 0_usize;
        // The last word or character of the code.
        let mut last = 0..0;
        let mut at = 0;
        while let Some(line) = logical_line(&self.text, at) {
            let range = at..at + line.trim_end().len();
            let from = at;
            at += line.len();
            let directive = line
                .trim_start()
                .strip_prefix('#')
                .filter(|_| self.is_code(from + line.len() - line.trim_start().len()));
            if let Some(directive) = directive {
                let within = all
                    || depth > 0
                    || continues_after(self.text.get(last.clone()).unwrap_or_default());
                let directive = directive.trim();
                if directive.starts_with("if") {
                    groups.push((vec![range], within));
                } else if directive.starts_with("el") || directive.starts_with("endif") {
                    if let Some((ranges, is_within)) = groups.last_mut() {
                        ranges.push(range);
                        *is_within |= within;
                    }
                    if directive.starts_with("endif")
                        && let Some((ranges, true)) = groups.pop()
                    {
                        unread.extend(ranges);
                    }
                } else if directive.is_empty() {
                    unread.push(range);
                }
                continue;
            }
            for (offset, byte) in line.bytes().enumerate() {
                if byte.is_ascii_whitespace() || !self.is_code(from + offset) {
                    continue;
                }
                match byte {
                    b'(' => depth += 1,
                    b')' => depth = depth.saturating_sub(1),
                    // A block ends what came before it, whatever its branches opened.
                    b'{' | b'}' | b';' => depth = 0,
                    _ => {}
                }
                let place = from + offset;
                let continues = is_word(byte)
                    && last.end == place
                    && is_word(self.byte(place.saturating_sub(1)));
                last = if continues { last.start } else { place }..place + 1;
            }
        }
        for range in unread {
            blank(&mut self.text, range);
        }
    }

    /// A macro alone on its line, whose arguments do nothing.
    fn macros_alone(&mut self) {
        let mut at = 0;
        let mut found = Vec::new();
        for line in self.text.split_inclusive('\n') {
            let from = at + line.len() - line.trim_start().len();
            at += line.len();
            if self.is_near(from) && self.is_code(from) && is_macro(line.trim()) {
                found.push(from..from + line.trim().len());
            }
        }
        for range in found {
            blank(&mut self.text, range);
        }
    }
}

/// The line at a place, with the lines on which a directive of the preprocessor continues.
fn logical_line(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let is_directive = rest.trim_start_matches([' ', '\t']).starts_with('#');
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !(is_directive && line.trim_end().ends_with('\\')) {
            break;
        }
    }
    rest.get(..end)
}

/// Whether code continues after this word or character.
fn continues_after(last: &str) -> bool {
    matches!(last, "," | "=" | "|" | "&" | "+" | "?" | "(" | "else")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a line is a name in capitals, with words and numbers as arguments.
fn is_macro(line: &str) -> bool {
    let (name, arguments) = line.split_once('(').unwrap_or((line, ")"));
    let is_name = name.len() > 2
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let arguments = arguments.strip_suffix(')');
    is_name
        && line.len() <= BYTES
        && arguments.is_some_and(|inner| {
            inner
                .bytes()
                .all(|byte| is_word(byte) || matches!(byte, b' ' | b','))
        })
}
