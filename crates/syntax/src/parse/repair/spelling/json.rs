//! JSON that its grammar does not know, and texts that many programs read as JSON.

use std::ops::Range;

use super::{Edits, Kind};
use crate::parse::repair::text::{blank, fill};

impl Edits {
    /// Replaces errors that many programs accept, near errors.
    pub(super) fn accepted_json(&mut self) {
        self.trailing_commas();
        // At the end, because it moves text.
        self.line_feeds_of_strings();
    }

    /// `1e+30`.
    pub(super) fn signs_of_exponents(&mut self) {
        for at in self.places("e+").into_iter().chain(self.places("E+")) {
            if at > 0 && self.byte(at - 1).is_ascii_digit() && self.byte(at + 2).is_ascii_digit() {
                fill(&mut self.text, at + 1..at + 2, b'0');
            }
        }
    }

    /// `[1, 2,]`.
    fn trailing_commas(&mut self) {
        for at in self.places(",") {
            if matches!(self.code_after(at + 1), Some(b']' | b'}')) {
                blank(&mut self.text, at..at + 1);
            }
        }
    }

    /// The next byte from a place on that is neither white space nor in a comment.
    fn code_after(&self, mut at: usize) -> Option<u8> {
        loop {
            let rest = self.text.get(at..)?;
            at += rest.len() - rest.trim_start().len();
            let index = self.pieces.partition_point(|(range, _)| range.end <= at);
            match self.pieces.get(index) {
                Some((range, Kind::Comment)) if range.start <= at => at = range.end,
                _ => return self.text.as_bytes().get(at).copied(),
            }
        }
    }

    /// A string with line feeds is read on its first line.
    fn line_feeds_of_strings(&mut self) {
        let mut joined = String::with_capacity(self.text.len());
        let mut end = 0;
        for range in strings_with_line_feeds(&self.text) {
            if self.is_near(range.start) || self.is_near(range.end) {
                let string = self.text.get(range.clone()).unwrap_or_default();
                joined.push_str(self.text.get(end..range.start).unwrap_or_default());
                joined.push_str(&string.replace(['\r', '\n'], " "));
                joined.extend(string.chars().filter(|c| *c == '\n'));
                end = range.end;
            }
        }
        joined.push_str(self.text.get(end..).unwrap_or_default());
        self.text = joined;
    }
}

/// The strings with line feeds, in order.
fn strings_with_line_feeds(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_quote(text, at)
        && let Some(end) = string_end(text, start)
    {
        let has_line_feed = text.get(start..end).is_some_and(|own| own.contains('\n'));
        let is_value = !has_line_feed || ends_value(text, end);
        if has_line_feed && is_value {
            found.push(start..end);
        }
        // A part of a file can begin in a string, which the first quotation mark ends.
        at = if is_value { end } else { end - 1 };
    }
    found
}

/// The next quotation mark that is not in a comment of one line.
fn next_quote(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let next = at + rest.find(['"', '/'])?;
        let rest = text.get(next..)?;
        if rest.starts_with('"') {
            return Some(next);
        }
        at = match rest.strip_prefix("//") {
            Some(comment) => next + 2 + comment.find('\n')?,
            None => next + 1,
        };
    }
}

/// The end of the string that starts at a place.
fn string_end(text: &str, start: usize) -> Option<usize> {
    let mut is_escaped = false;
    for (offset, byte) in text.bytes().enumerate().skip(start + 1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(offset + 1),
            _ => {}
        }
    }
    None
}

/// Whether what follows a string in JSON is at a place.
fn ends_value(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start();
    rest.is_empty() || rest.starts_with([',', ':', ']', '}'])
}

#[cfg(test)]
mod tests {
    use super::strings_with_line_feeds;

    #[test]
    fn strings_with_line_feeds_are_values() {
        let found = |text: &str| -> Vec<String> {
            let ranges = strings_with_line_feeds(text);
            ranges
                .into_iter()
                .map(|range| text[range].to_owned())
                .collect()
        };
        assert_eq!(found("{\"a\": \"b\nc\", \"d\": 1}"), ["\"b\nc\""]);
        assert_eq!(found("{\"a\": \"b\\\"\nc\"\n}"), ["\"b\\\"\nc\""]);
        for text in [
            "b\", \"d\":\n1}", "{\"a\": \"b\nc", "// it\"s\n{\"a\": 1}\n", "\"a\nb\" c",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
    }
}
