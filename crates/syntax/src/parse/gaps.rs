//! Finds what is missing at the two ends of a fragment, with a rough lexer that knows strings, comments and brackets.
//! Its mistakes are harmless: contexts built from its results are only tried, and the parser decides.

use std::ops::Range;

use review::Lexical;
use review::language::lexical::Comment;

use super::heredocs;
use crate::language::Row;

/// The comment or literal that the text starts in; `None` for code.
pub(super) type Start<'t> = Option<Cut<'t>>;

/// A comment or literal of which the text contains only the end.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut<'t> {
    /// Its delimiters.
    Literal(&'static str, &'static str),
    /// Its opener and its name.
    Heredoc(&'static str, &'t str),
}

/// An unmatched closing bracket.
#[derive(Debug, Clone)]
pub(super) struct Missing<'t> {
    pub(super) closer: u8,
    /// The text after it.
    pub(super) follow: &'t str,
    /// The text before it, on the same level.
    pub(super) inside: Inside,
}

/// The features of a text on one level of brackets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inside {
    /// A `;`, or a line that starts with a keyword such as `return`.
    pub(super) statements: bool,
    pub(super) commas: bool,
    /// `name:` at the start of an item.
    pub(super) keys: bool,
    /// `=>` or `->`.
    pub(super) arms: bool,
    /// `case …:` or `default:`.
    pub(super) cases: bool,
    /// A `case …:` or `default:` that comes after something else.
    pub(super) late_cases: bool,
    /// `get` or `set` at the start of a line.
    pub(super) accessors: bool,
    /// `case … <-`.
    pub(super) receives: bool,
    /// `val` or `var` at the start of a line.
    pub(super) fields: bool,
    /// `=`.
    pub(super) assigns: bool,
    /// Something other than strings.
    pub(super) code: bool,
    pub(super) strings: bool,
}

impl Inside {
    /// Items rather than statements.
    pub(super) fn is_list(self) -> bool {
        (self.commas || self.keys) && !self.statements && !self.cases
    }
}

/// An unmatched opening bracket.
#[derive(Debug, Clone)]
pub(super) struct Open<'t> {
    pub(super) opener: u8,
    /// The word before it.
    pub(super) word: &'t str,
    /// The line before it.
    pub(super) line: &'t str,
}

/// The unmatched brackets and other gaps of a text.
#[derive(Debug, Default)]
pub(super) struct Gaps<'t> {
    /// In text order: the first one is the innermost.
    pub(super) missing: Vec<Missing<'t>>,
    /// The last one is the innermost.
    pub(super) open: Vec<Open<'t>>,
    /// The start of each logical line, outside brackets, strings and comments.
    pub(super) logical: Vec<usize>,
    /// The closer of the comment or literal that the text ends in.
    pub(super) ends_in: Option<&'t str>,
    /// Ranges without code: heredocs.
    heredocs: Vec<Range<usize>>,
    /// The features of the text after the last unmatched closing bracket.
    pub(super) rest: Inside,
    /// The first character of code and the end of the last.
    pub(super) first: Option<usize>,
    pub(super) last: usize,
}

impl<'t> Gaps<'t> {
    /// The lines of the text that are not inside a heredoc.
    pub(super) fn code_lines(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let starts = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at - line.len(), line))
        });
        starts
            .filter(|(at, _)| !self.heredocs.iter().any(|range| range.contains(at)))
            .map(|(_, line)| line)
    }
}

/// The comments and literals that a text may start in, most likely first.
pub(super) fn starts<'t>(row: &Row, text: &'t str) -> Vec<Start<'t>> {
    let literal = |(open, close): &(&'static str, &'static str)| Some(Cut::Literal(open, close));
    let heredoc = heredocs::sign(row).zip(heredocs::cut(row, text));
    let mut all: Vec<Start<'t>> = heredoc
        .map(|(sign, name)| Some(Cut::Heredoc(sign, name)))
        .into_iter()
        .collect();
    let lexical = row.lexical();
    for (open, close) in lexical
        .block_comments
        .iter()
        .map(|block| (block.open, block.close))
    {
        let closes = text.find(close);
        let opens = text.find(open);
        let cut = closes.is_some_and(|close| opens.is_none_or(|open| close < open));
        let all_stars =
            open == "/*" && opens.is_none() && closes.is_none() && has_star_margin(text);
        if cut || all_stars {
            all.push(literal(&(open, close)));
        }
    }
    let odd = |mark: &str| memchr::memmem::find_iter(text.as_bytes(), mark).count() % 2 == 1;
    // A delimiter that both opens and closes strings does not show where the text starts.
    let cut = |(open, close): &&(&'static str, &'static str)| {
        let opens = text.find(open);
        open != close
            && close.len() > 1
            && text
                .find(close)
                .is_some_and(|close| opens.is_none_or(|open| close < open))
    };
    all.extend(lexical.long_strings.iter().find(cut).map(literal));
    let literals = lexical
        .long_strings
        .iter()
        .filter(|(open, close)| open == close && odd(open));
    let (likely, unlikely): (Vec<&(_, _)>, Vec<&(_, _)>) =
        literals.partition(|(open, _)| starts_inside(text, open));
    all.extend(likely.into_iter().map(literal));
    all.push(None);
    all.extend(unlikely.into_iter().map(literal));
    all
}

/// Whether every line begins with a star or a bar, which means that the text is inside a documentation comment.
fn has_star_margin(text: &str) -> bool {
    let mut lines = text
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty())
        .peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            matches!(line, "*" | "|") || line.starts_with("* ") || line.starts_with("| ")
        })
}

/// Whether the first delimiter of a literal more likely closes one.
fn starts_inside(text: &str, mark: &str) -> bool {
    let Some((before, _)) = text.split_once(mark) else {
        return false;
    };
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let opens_value = line.ends_with(['=', '(', ',', ':', '[', '{']) || line.ends_with("return");
    let opens_docs = line.trim().is_empty() && before.trim_end().ends_with([':', '(', '=', ',']);
    let prefixed = matches!(line.trim(), "r" | "f" | "b" | "u" | "rb" | "R");
    !(opens_value || opens_docs || prefixed || before.trim().is_empty())
}

/// Keywords that only start statements.
const STATEMENTS: &[&str] = &[
    "return", "if", "for", "while", "let", "const", "throw", "break", "continue", "switch", "try",
    "do", "foreach", "echo", "defer", "go", "goto", "await", "yield", "raise",
];

fn word(text: &str) -> &str {
    let end = text
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$')
        .count();
    text.get(..end).unwrap_or_default()
}

/// Whether a `default` is a label of a `switch`.
fn is_label(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_alphanumeric())
        .trim_start()
        .starts_with([':', '-'])
}

struct Lexer<'t> {
    row: &'static Row,
    lexical: &'static Lexical,
    text: &'t str,
    at: usize,
    gaps: Gaps<'t>,
    /// Whether the next token is the first of a line, the first of an item, or follows the first word of an item.
    line: bool,
    item: bool,
    key: bool,
    /// The line of the most recently closed brace.
    closed: &'t str,
    /// Heredocs that begin on this line; their text starts on the next.
    below: Vec<&'t str>,
}

/// Finds the gaps of a text.
pub(super) fn find<'t>(row: &'static Row, text: &'t str, start: Start<'t>) -> Gaps<'t> {
    let (lexical, gaps, below) = (row.lexical(), Gaps::default(), Vec::new());
    let mut lexer = Lexer {
        row,
        lexical,
        text,
        at: 0,
        gaps,
        line: true,
        item: true,
        key: false,
        closed: "",
        below,
    };
    match start {
        Some(Cut::Literal(_, close)) => lexer.skip_to(close),
        Some(Cut::Heredoc(_, name)) => lexer.skip_heredoc(name),
        None => {}
    }
    lexer.run();
    lexer.gaps
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves past `close`, or to the end of the text.
    fn skip_to(&mut self, close: &'static str) {
        match self.rest().find(close) {
            Some(at) => self.at += at + close.len(),
            None => {
                self.at = self.text.len();
                self.gaps.ends_in = Some(close);
            }
        }
    }

    /// Moves past the terminator of a heredoc, or to the end of the text.
    fn skip_heredoc(&mut self, name: &'t str) {
        let start = self.at;
        match heredocs::end(self.rest(), name) {
            Some((end, tail)) => {
                self.gaps.heredocs.push(start..start + end);
                self.at += tail;
            }
            None => {
                self.gaps.heredocs.push(start..self.text.len());
                self.at = self.text.len();
                self.gaps.ends_in = Some(name);
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
            self.line |= line_start;
            if byte.is_ascii_whitespace() {
                self.at += 1;
                if line_start {
                    std::mem::take(&mut self.below)
                        .into_iter()
                        .for_each(|name| self.skip_heredoc(name));
                }
            } else if byte == b'#' && self.directive() {
                self.skip_line();
            } else if !self.comment() {
                self.gaps.first.get_or_insert(self.at);
                if self.gaps.open.is_empty() && !matches!(byte, b')' | b']' | b'}') {
                    self.look(byte);
                }
                self.token(byte);
                self.gaps.last = self.at.min(self.text.len());
            }
        }
    }

    /// Treats `#if` and `#endif` as brackets.
    fn directive(&mut self) -> bool {
        if !matches!(self.row.folder, "c" | "cpp" | "csharp") {
            return false;
        }
        let word = self.rest().trim_start_matches(['#', ' ', '\t']);
        if word.starts_with("if") {
            self.gaps.open.push(Open {
                opener: b'#',
                word: "",
                line: "",
            });
        } else if word.starts_with("endif") {
            self.close(b'#');
        } else if word.starts_with("el") && !self.gaps.open.iter().any(|open| open.opener == b'#') {
            self.close(b'#');
            self.gaps.open.push(Open {
                opener: b'#',
                word: "",
                line: "",
            });
        }
        true
    }

    fn comment(&mut self) -> bool {
        match self.lexical.comment_at(self.text, self.at) {
            None => return false,
            Some(Comment::Line(_)) => self.skip_line(),
            Some(Comment::Block(block)) => {
                match block.end(self.text, self.at + block.open.len(), &mut 1) {
                    Some(end) => self.at = end,
                    None => {
                        self.at = self.text.len();
                        self.gaps.ends_in = Some(block.close);
                    }
                }
            }
        }
        true
    }

    fn token(&mut self, byte: u8) {
        if let Some((open, close)) = self.lexical.long_string(self.rest()) {
            self.at += open.len();
            self.skip_to(close);
            return;
        }
        if let Some(name) = self.lexical.heredoc_name(self.rest()) {
            self.below.push(name);
            self.at += self.rest().find(name).unwrap_or_default() + name.len();
            self.at += usize::from(self.rest().starts_with(['\'', '"', '`']));
            return;
        }
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'/' if self.is_regex() => self.string(byte),
            b'(' | b'[' | b'{' => {
                let before = self.text.get(..self.at).unwrap_or_default().trim_end();
                let word = before
                    .rsplit(|c: char| {
                        !c.is_alphanumeric() && c != ')' && c != '>' && c != '=' && c != '_'
                    })
                    .next();
                let line = before.rsplit('\n').next().unwrap_or_default();
                // `} else {` continues the line of the `if`.
                let line = if line.trim_start().starts_with("} else") {
                    self.closed
                } else {
                    line
                };
                self.gaps.open.push(Open {
                    opener: byte,
                    word: word.unwrap_or_default(),
                    line,
                });
                self.at += 1;
            }
            b')' | b']' | b'}' => self.close(byte),
            _ => {
                self.at += word(self.rest())
                    .len()
                    .max(self.rest().chars().next().map_or(1, char::len_utf8))
            }
        }
    }

    /// Records the features shown by the next token.
    fn look(&mut self, byte: u8) {
        let rest = self.rest();
        let word = word(rest);
        let (line, item, key) = (self.line, self.item, self.key);
        let inside = &mut self.gaps.rest;
        let is_string = matches!(byte, b'"' | b'\'' | b'`');
        match byte {
            b';' => inside.statements = true,
            b',' => inside.commas = true,
            b':' if key && !rest.starts_with("::") && !rest.starts_with(":=") => inside.keys = true,
            b'=' | b'-' if rest.starts_with("=>") || rest.starts_with("->") => inside.arms = true,
            b'=' => inside.assigns = true,
            _ if line && (word == "case" || word == "default" && is_label(rest)) => {
                inside.receives |= rest.lines().next().is_some_and(|line| line.contains("<-"));
                inside.late_cases |= !inside.cases && inside.code;
                inside.cases = true;
            }
            _ if line && (word == "get" || word == "set") => inside.accessors = true,
            _ if line && (word == "val" || word == "var") => inside.fields = true,
            _ if line && STATEMENTS.contains(&word) => inside.statements = true,
            _ => {}
        }
        inside.strings |= is_string;
        inside.code |= !is_string;
        self.key = item && (is_string || !word.is_empty()) || key && byte == b'?';
        self.item = byte == b',' || line && matches!(byte, b'}' | b')');
        self.line = false;
    }

    fn close(&mut self, closer: u8) {
        self.at += 1;
        let opener = match closer {
            b')' => b'(',
            b']' => b'[',
            b'#' => b'#',
            _ => b'{',
        };
        match self
            .gaps
            .open
            .iter()
            .rposition(|open| open.opener == opener)
        {
            Some(index) => {
                self.closed = self.gaps.open.get(index).map_or("", |open| open.line);
                self.gaps.open.truncate(index);
            }
            None if self.gaps.open.is_empty() => {
                let inside = std::mem::take(&mut self.gaps.rest);
                self.gaps.missing.push(Missing {
                    closer,
                    follow: self.rest().trim_start(),
                    inside,
                });
                (self.line, self.item, self.key) = (false, true, false);
                self.gaps.logical.clear();
            }
            None => {}
        }
    }

    /// Whether a slash starts a regular expression, because a value is expected.
    fn is_regex(&self) -> bool {
        let before = self
            .text
            .get(..self.at)
            .unwrap_or_default()
            .trim_end_matches([' ', '\t']);
        matches!(self.row.folder, "javascript" | "typescript" | "ruby")
            && (before.is_empty()
                || before.ends_with(['(', '=', ',', ':', '!', '&', '|', '?', '[', '{', ';', '\n'])
                || before.ends_with("return"))
    }

    /// Skips a string on one line. An unmatched quote is an apostrophe or a lifetime.
    fn string(&mut self, quote: u8) {
        let bytes = self.rest().as_bytes();
        let mut length = 1;
        // A slash in a character class does not end a regular expression.
        let mut in_class = false;
        while let Some(byte) = bytes.get(length).copied() {
            match byte {
                b'\\' => length += 1,
                b'\n' => break,
                b'[' | b']' if quote == b'/' => in_class = byte == b'[',
                _ if byte == quote && !in_class => {
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

#[cfg(test)]
mod tests {
    use super::find;
    use crate::language::Grammar;

    #[test]
    fn brackets_in_comments_and_long_strings_are_not_code() {
        for (language, text) in [
            ("PHP", "#[A(\n  1,\n)]\nf();\n"),
            ("Kotlin", "/* a /* ( */ ( */\nf()\n"),
            ("Ruby", "=begin\n(\n=end\nf()\n"),
            ("Python", "f(1,# (\n  2)\n"),
            ("HCL", "a = <<-EOT\n  (\n  EOT\n"),
            ("Dockerfile", "RUN <<EOF\n(\nEOF\n"),
            ("C#", "f($@\"\n(\");\n"),
        ] {
            let gaps = find(Grammar::find(language).unwrap().row(), text, None);
            let is_balanced =
                gaps.missing.is_empty() && gaps.open.is_empty() && gaps.ends_in.is_none();
            assert!(is_balanced, "{language}: {gaps:?}");
        }
    }
}
