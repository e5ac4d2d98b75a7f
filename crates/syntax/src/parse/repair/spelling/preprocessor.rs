//! Code with directives and macros of C, which the grammar reads only in some places.

use std::ops::Range;

use super::{BYTES, Edits, Kind, is_word};
use crate::parse::repair::text::{blank, fill};

impl Edits {
    /// Replaces comments in macros, directives, and macros alone on a line; with `all`, all conditions.
    pub(super) fn preprocessor(&mut self, all: bool) {
        self.comments_in_macros();
        self.directives(all);
        self.macros_alone();
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
