//! The scan of a line, which examines each byte a bounded number of times.

use review::Lexical;
use review::language::lexical::{BlockComment, Comment, Quotes, ends_heredoc};

use super::class::{Class, Piece};

/// A token that an earlier line started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open<'a> {
    /// A comment, and its nesting depth.
    Comment(&'static BlockComment, usize),
    /// A string with this closing delimiter.
    Text(&'static str),
    /// A string that ends at a line with this name.
    Heredoc(&'a str),
}

/// Splits the line into tokens. Concatenated, they are the whole line.
pub(super) fn line<'a>(
    lexical: &Lexical,
    open: &mut Option<Open<'a>>,
    text: &'a str,
) -> Vec<Piece<'a>> {
    let quotes = Quotes::default();
    let mut scan = Scan {
        lexical,
        text,
        pieces: Vec::new(),
        plain: 0,
        at: 0,
        quotes,
        heredoc: None,
    };
    while scan.at < text.len() {
        let (class, end) = match open.take() {
            Some(begun) => scan.continued(begun, scan.at, open),
            None => scan.next(open),
        };
        scan.take(class, end);
    }
    scan.take_plain(text.len());
    if open.is_none() {
        *open = scan.heredoc.map(Open::Heredoc);
    }
    scan.pieces
}

struct Scan<'a, 'l> {
    lexical: &'l Lexical,
    text: &'a str,
    pieces: Vec<Piece<'a>>,
    /// The start of the plain text before `at`.
    plain: usize,
    at: usize,
    quotes: Quotes,
    /// The name of the heredoc that starts on the next line.
    heredoc: Option<&'a str>,
}

impl<'a> Scan<'a, '_> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, class: Class, end: usize) {
        if class != Class::Plain {
            self.take_plain(self.at);
            self.pieces
                .extend(self.text.get(self.at..end).map(|text| (class, text)));
            self.plain = end;
        }
        self.at = end;
    }

    fn take_plain(&mut self, end: usize) {
        let plain = self
            .text
            .get(self.plain..end)
            .filter(|text| !text.is_empty());
        self.pieces.extend(plain.map(|text| (Class::Plain, text)));
    }

    /// The class of the token that starts here, and its end.
    fn next(&mut self, open: &mut Option<Open<'a>>) -> (Class, usize) {
        match self.lexical.comment_at(self.text, self.at) {
            Some(Comment::Line(_)) => return (Class::Comment, self.text.len()),
            Some(Comment::Block(block)) => {
                return self.continued(Open::Comment(block, 1), self.at + block.open.len(), open);
            }
            None => {}
        }
        let rest = self.rest();
        if let Some((start, end)) = self.lexical.long_string(rest) {
            return self.continued(Open::Text(end), self.at + start.len(), open);
        }
        if let Some(name) = self.lexical.heredoc_name(rest) {
            self.heredoc.get_or_insert(name);
            return (
                Class::Plain,
                self.at + rest.find(name).unwrap_or_default() + name.len(),
            );
        }
        let Some(first) = rest.chars().next() else {
            return (Class::Plain, self.text.len());
        };
        match first {
            '"' | '\'' => self.quoted(rest, first),
            _ if first.is_ascii_digit() => (Class::Number, self.at + number_bytes(rest)),
            _ if is_word(first) => self.word(rest),
            _ => (Class::Plain, self.at + first.len_utf8()),
        }
    }

    /// The end of a token that may end on a later line.
    fn continued(
        &self,
        begun: Open<'a>,
        from: usize,
        open: &mut Option<Open<'a>>,
    ) -> (Class, usize) {
        let (class, end, rest) = match begun {
            Open::Comment(block, mut depth) => {
                let end = block.end(self.text, from, &mut depth);
                (Class::Comment, end, Open::Comment(block, depth))
            }
            Open::Text(close) => {
                let end = self.text.get(from..).and_then(|text| text.find(close));
                (Class::Text, end.map(|at| from + at + close.len()), begun)
            }
            Open::Heredoc(name) => {
                let end = ends_heredoc(self.text, name)
                    .then(|| self.text.find(name).unwrap_or_default() + name.len());
                (Class::Text, end, begun)
            }
        };
        *open = if end.is_none() { Some(rest) } else { None };
        (class, end.unwrap_or(self.text.len()))
    }

    fn quoted(&mut self, rest: &str, quote: char) -> (Class, usize) {
        let none = (Class::Plain, self.at + 1);
        let end = if self.lexical.quotes.contains(&quote) {
            self.lexical
                .string_end(self.text, self.at, &mut self.quotes)
        } else {
            character_bytes(rest).map(|bytes| self.at + bytes)
        };
        end.map_or(none, |end| (Class::Text, end))
    }

    fn word(&self, rest: &str) -> (Class, usize) {
        let bytes = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, _) = rest.split_at(bytes);
        let class = if self.lexical.is_keyword(word) {
            Class::Keyword
        } else {
            Class::Plain
        };
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
    bytes
        .iter()
        .enumerate()
        .position(|(at, byte)| !is_part(at, *byte))
        .unwrap_or(bytes.len())
}

/// `'x'` or `'\n'`, in languages in which a quote does not always start one.
fn character_bytes(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, first) = chars.next().filter(|(_, c)| *c != '\'')?;
    if first == '\\' {
        chars.next()?;
    }
    // The longest is `'\u{10ffff}'`.
    let within = if first == '\\' { 9 } else { 1 };
    chars
        .take(within)
        .find(|(_, c)| *c == '\'')
        .map(|(at, _)| at + 1)
}
