//! What a text that was cut out of a file lacks at its two ends: a rough lexer that knows strings, comments and
//! brackets. It may err; what it proposes is only tried, and the parser judges.

use crate::grammar::Row;

/// A closing bracket without its opening one.
#[derive(Debug, Clone)]
pub(super) struct Missing<'t> {
    pub(super) closer: u8,
    /// What stands behind it.
    pub(super) follow: &'t str,
    /// A `;` stood before it on its own level: it closes a block and not a literal.
    pub(super) statements: bool,
}

/// An opening bracket without its closing one.
#[derive(Debug, Clone)]
pub(super) struct Open<'t> {
    pub(super) opener: u8,
    /// The word before it.
    pub(super) word: &'t str,
    /// The line before it.
    pub(super) line: &'t str,
}

/// The gaps of a text.
#[derive(Debug, Default)]
pub(super) struct Gaps<'t> {
    /// In the order of the text: the first one is the innermost.
    pub(super) missing: Vec<Missing<'t>>,
    /// The last one is the innermost.
    pub(super) open: Vec<Open<'t>>,
    /// Start of each line that begins a logical line: outside brackets, strings and comments.
    pub(super) logical: Vec<usize>,
    /// Closes the comment or literal that the text ends in.
    pub(super) ends_in: Option<&'static str>,
    /// Where the first and behind the last character of code is.
    pub(super) first: Option<usize>,
    pub(super) last: usize,
}

/// How a text can start: in code, or inside a comment or literal, which then is opened and closed by these.
pub(super) fn starts(row: &Row, text: &str) -> Vec<Option<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for (open, close) in row.block_comments {
        let closes = text.find(close);
        let opens = text.find(open);
        let cut = closes.is_some_and(|close| opens.is_none_or(|open| close < open));
        let all_stars = opens.is_none() && closes.is_none() && has_star_margin(text);
        if cut || all_stars {
            all.push(Some((*open, *close)));
        }
    }
    let odd = |mark: &str| memchr::memmem::find_iter(text.as_bytes(), mark).count() % 2 == 1;
    let literals = row.long_literals.iter().filter(|(open, _)| odd(open));
    let (likely, unlikely): (Vec<&(_, _)>, Vec<&(_, _)>) = literals.partition(|(open, _)| starts_inside(text, open));
    all.extend(likely.into_iter().copied().map(Some));
    all.push(None);
    all.extend(unlikely.into_iter().copied().map(Some));
    all
}

/// Every line begins with a star: the middle of a documentation comment.
fn has_star_margin(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| line == "*" || line.starts_with("* "))
}

/// Whether the first mark of a literal rather closes one than opens one.
fn starts_inside(text: &str, mark: &str) -> bool {
    let Some((before, _)) = text.split_once(mark) else { return false };
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let opens_value = line.ends_with(['=', '(', ',', ':', '[', '{']) || line.ends_with("return");
    let opens_docs = line.trim().is_empty() && before.trim_end().ends_with([':', '(', '=', ',']);
    let prefixed = matches!(line.trim(), "r" | "f" | "b" | "u" | "rb" | "R");
    !(opens_value || opens_docs || prefixed || before.trim().is_empty())
}

struct Lexer<'t> {
    row: &'static Row,
    text: &'t str,
    at: usize,
    gaps: Gaps<'t>,
    statements: bool,
}

/// Finds the gaps of a text that starts in code, or inside something that `close` ends.
pub(super) fn find<'t>(row: &'static Row, text: &'t str, close: Option<&'static str>) -> Gaps<'t> {
    let mut lexer = Lexer { row, text, at: 0, gaps: Gaps::default(), statements: false };
    if let Some(close) = close {
        lexer.skip_to(close);
    }
    lexer.run();
    lexer.gaps
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes behind `close`, or to the end of the text.
    fn skip_to(&mut self, close: &'static str) {
        match self.rest().find(close) {
            Some(at) => self.at += at + close.len(),
            None => {
                self.at = self.text.len();
                self.gaps.ends_in = Some(close);
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn run(&mut self) {
        let mut line_start = true;
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            if line_start && self.gaps.open.is_empty() {
                self.gaps.logical.push(self.at);
            }
            line_start = byte == b'\n';
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte == b'#' && self.directive() {
                self.skip_line();
            } else if !self.comment() {
                self.gaps.first.get_or_insert(self.at);
                self.token(byte);
                self.gaps.last = self.at.min(self.text.len());
            }
        }
    }

    /// `#if` and `#endif` are brackets too.
    fn directive(&mut self) -> bool {
        if !matches!(self.row.folder, "c" | "cpp" | "csharp") {
            return false;
        }
        let word = self.rest().trim_start_matches(['#', ' ', '\t']);
        if word.starts_with("if") {
            self.gaps.open.push(Open { opener: b'#', word: "", line: "" });
        } else if word.starts_with("endif") {
            self.close(b'#');
        } else if word.starts_with("el") && !self.gaps.open.iter().any(|open| open.opener == b'#') {
            self.close(b'#');
            self.gaps.open.push(Open { opener: b'#', word: "", line: "" });
        }
        true
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        if self.row.line_comments.iter().any(|mark| rest.starts_with(mark)) {
            let word_before =
                self.at > 0 && self.text.as_bytes().get(self.at - 1).is_some_and(|b| !b.is_ascii_whitespace());
            // `$#`, `a#b`: a hash inside a word starts no comment in the shell and in Ruby.
            if !(rest.starts_with('#') && word_before) {
                self.skip_line();
                return true;
            }
        }
        let block = self.row.block_comments.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = block {
            self.at += open.len();
            self.skip_to(close);
        }
        block.is_some()
    }

    fn token(&mut self, byte: u8) {
        let literal = self.row.long_literals.iter().find(|(open, _)| self.rest().starts_with(open));
        if let Some((open, close)) = literal {
            self.at += open.len();
            self.skip_to(close);
            return;
        }
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'/' if self.is_regex() => self.string(byte),
            b'(' | b'[' | b'{' => {
                let before = self.text.get(..self.at).unwrap_or_default().trim_end();
                let word = before
                    .rsplit(|c: char| !c.is_alphanumeric() && c != ')' && c != '>' && c != '=' && c != '_')
                    .next();
                let line = before.rsplit('\n').next().unwrap_or_default();
                self.gaps.open.push(Open { opener: byte, word: word.unwrap_or_default(), line });
                self.at += 1;
            }
            b')' | b']' | b'}' => self.close(byte),
            _ => {
                self.statements |= byte == b';' && self.gaps.open.is_empty();
                self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    fn close(&mut self, closer: u8) {
        self.at += 1;
        let opener = match closer {
            b')' => b'(',
            b']' => b'[',
            b'#' => b'#',
            _ => b'{',
        };
        match self.gaps.open.iter().rposition(|open| open.opener == opener) {
            Some(index) => self.gaps.open.truncate(index),
            None if self.gaps.open.is_empty() => {
                let statements = std::mem::take(&mut self.statements);
                self.gaps.missing.push(Missing { closer, follow: self.rest().trim_start(), statements });
                self.gaps.logical.clear();
            }
            None => {}
        }
    }

    /// A slash where a value is expected.
    fn is_regex(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t']);
        matches!(self.row.folder, "javascript" | "typescript" | "ruby")
            && (before.is_empty()
                || before.ends_with(['(', '=', ',', ':', '!', '&', '|', '?', '[', '{', ';', '\n'])
                || before.ends_with("return"))
    }

    /// Skips a string on one line. A quote without a second one is an apostrophe or a lifetime.
    fn string(&mut self, quote: u8) {
        let bytes = self.rest().as_bytes();
        let mut length = 1;
        while let Some(byte) = bytes.get(length).copied() {
            match byte {
                b'\\' => length += 1,
                b'\n' => break,
                _ if byte == quote => {
                    self.at += length + 1;
                    return;
                }
                _ => {}
            }
            length += 1;
        }
        self.at += 1;
    }
}
