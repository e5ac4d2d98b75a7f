//! The scan of a line: each byte is looked at a fixed number of times.

use super::class::{Class, Piece};
use super::family::{Family, Open};

/// The line in its pieces, which are the whole line when put together.
pub(super) fn line<'a>(family: &Family, open: &mut Open, text: &'a str) -> Vec<Piece<'a>> {
    let mut scan = Scan { family, text, pieces: Vec::new(), plain: 0, at: 0, unpaired: Vec::new() };
    while scan.at < text.len() {
        let (class, end) = match open.take() {
            Some(begun) => scan.continued(begun, scan.at, open),
            None => scan.next(open),
        };
        scan.take(class, end);
    }
    scan.take_plain(text.len());
    scan.pieces
}

struct Scan<'a, 'f> {
    family: &'f Family,
    text: &'a str,
    pieces: Vec<Piece<'a>>,
    /// Where the plain text before `at` began.
    plain: usize,
    at: usize,
    /// Quotes that are known to have no partner in the rest of the line.
    unpaired: Vec<char>,
}

impl<'a> Scan<'a, '_> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, class: Class, end: usize) {
        if class != Class::Plain {
            self.take_plain(self.at);
            self.pieces.extend(self.text.get(self.at..end).map(|text| (class, text)));
            self.plain = end;
        }
        self.at = end;
    }

    fn take_plain(&mut self, end: usize) {
        let plain = self.text.get(self.plain..end).filter(|text| !text.is_empty());
        self.pieces.extend(plain.map(|text| (Class::Plain, text)));
    }

    /// What begins here, and where it ends.
    fn next(&mut self, open: &mut Open) -> (Class, usize) {
        let rest = self.rest();
        if self.starts_comment(rest) {
            return (Class::Comment, self.text.len());
        }
        if let Some((start, end, class)) = self.family.spans.iter().find(|(start, ..)| rest.starts_with(start)) {
            return self.continued((end, *class), self.at + start.len(), open);
        }
        let Some(first) = rest.chars().next() else { return (Class::Plain, self.text.len()) };
        match first {
            '"' | '\'' => self.quoted(rest, first),
            _ if first.is_ascii_digit() => (Class::Number, self.at + number_bytes(rest)),
            _ if is_word(first) => self.word(rest),
            _ => (Class::Plain, self.at + first.len_utf8()),
        }
    }

    /// A `#` in the middle of a word (`$#`, `a#b`) is none.
    fn starts_comment(&self, rest: &str) -> bool {
        let follows_word = || self.text.get(..self.at).is_some_and(|text| text.ends_with(|c: char| !c.is_whitespace()));
        let starts = |mark: &&&str| rest.starts_with(**mark);
        self.family.line_comments.iter().find(starts).is_some_and(|mark| *mark != "#" || !follows_word())
    }

    /// What goes to an end that may be on a later line.
    fn continued(&self, begun: (&'static str, Class), from: usize, open: &mut Open) -> (Class, usize) {
        let (end, class) = begun;
        let found = self.text.get(from..).and_then(|text| text.find(end));
        *open = if found.is_none() { Some(begun) } else { None };
        (class, found.map_or(self.text.len(), |at| from + at + end.len()))
    }

    fn quoted(&mut self, rest: &str, quote: char) -> (Class, usize) {
        let none = (Class::Plain, self.at + 1);
        if !self.family.quotes.contains(&quote) {
            return character_bytes(rest).map_or(none, |bytes| (Class::Text, self.at + bytes));
        }
        if self.unpaired.contains(&quote) || quote == '\'' && self.follows_letters() {
            return none;
        }
        let Some(bytes) = string_bytes(rest, quote) else {
            self.unpaired.push(quote);
            return none;
        };
        (Class::Text, self.at + bytes)
    }

    /// Here a quote is an apostrophe; fewer letters may be a prefix such as `rb`.
    fn follows_letters(&self) -> bool {
        let before = self.text.get(self.plain..self.at).unwrap_or_default();
        before.bytes().rev().take_while(u8::is_ascii_alphabetic).take(3).count() == 3
    }

    fn word(&self, rest: &str) -> (Class, usize) {
        let bytes = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, _) = rest.split_at(bytes);
        let class = if self.family.is_keyword(word) { Class::Keyword } else { Class::Plain };
        (class, self.at + bytes)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// `0xff`, `1_000`, `1.5e3`.
fn number_bytes(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_part = |at: usize, byte: u8| {
        byte.is_ascii_alphanumeric()
            || byte == b'_'
            || byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    bytes.iter().enumerate().position(|(at, byte)| !is_part(at, *byte)).unwrap_or(bytes.len())
}

/// A string with its quotes; `None` if it does not end.
fn string_bytes(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// `'x'` or `'\n'`, where a quote does not always start one.
fn character_bytes(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, first) = chars.next().filter(|(_, c)| *c != '\'')?;
    if first == '\\' {
        chars.next()?;
    }
    // The longest is `'\u{10ffff}'`.
    let within = if first == '\\' { 9 } else { 1 };
    chars.take(within).find(|(_, c)| *c == '\'').map(|(at, _)| at + 1)
}
