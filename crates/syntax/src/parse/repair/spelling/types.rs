//! Types of TypeScript that the grammar does not know. They call nothing.

use super::{BYTES, Edits, Kind, is_word};
use crate::parse::repair::text::{blank, fill};

impl Edits {
    /// Replaces types, near errors.
    pub(super) fn types(&mut self) {
        self.type_arguments_of_templates();
        self.types_of_modules();
        self.types_of_targets();
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

    /// `f<typeof import('a')>()`: the name of a module as a type argument.
    fn types_of_modules(&mut self) {
        const WORDS: &str = "typeof import(";
        for at in self.places(WORDS) {
            let from = at + WORDS.len();
            let index = self.pieces.partition_point(|(range, _)| range.start < from);
            let piece = self.pieces.get(index).map(|(range, _)| range.clone());
            let Some(name) = piece.filter(|range| range.start == from) else {
                continue;
            };
            let is_argument = matches!(self.byte_before(at), Some(b'<' | b','));
            let end = name.end + 1;
            if is_argument
                && self.byte(name.end) == b')'
                && matches!(self.byte(end), b'>' | b',' | b'[' | b'.')
            {
                fill(&mut self.text, from - "import(".len()..end, b'_');
            }
        }
    }

    /// `[a, b as T] = c`: a type in the target of an assignment.
    fn types_of_targets(&mut self) {
        const AS: &str = " as ";
        for at in self.places(AS) {
            let from = at + AS.len();
            let rest = self.text.get(from..).unwrap_or_default();
            let is_type = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
            let length = rest.find(|c| !is_type(c)).unwrap_or(rest.len());
            let after = rest.get(length..).unwrap_or_default();
            let ends = after.starts_with([',', ']']);
            let line = after.lines().next().unwrap_or_default();
            let target = line.split_once(']').map(|(_, rest)| rest.trim_start());
            let is_set =
                target.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="));
            if length > 0 && ends && is_set && at > 0 && is_word(self.byte(at - 1)) {
                blank(&mut self.text, at..from + length);
            }
        }
    }
}
