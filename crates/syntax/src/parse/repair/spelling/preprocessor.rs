//! Code with directives and macros of C, which the grammar reads only in some places.

use std::ops::Range;

use super::{BYTES, Edits, Kind, is_word};
use crate::parse::repair::text::{blank, fill};

/// Macros before the name of a function.
const CONVENTIONS: &[&str] = &[
    "APIENTRY",
    "CALLBACK",
    "NTAPI",
    "STDMETHODCALLTYPE",
    "WINAPI",
    "Q_INVOKABLE",
    "Q_SCRIPTABLE",
];
/// Words of the language before a block.
const BEFORE_BLOCKS: &[&str] = &[
    "do",
    "else",
    "try",
    "struct",
    "union",
    "enum",
    "class",
    "namespace",
];

/// A condition of the preprocessor.
struct Group {
    /// Its directives, each with the braces that the branch before it leaves open.
    directives: Vec<(Range<usize>, isize)>,
    /// Whether it is within an expression.
    is_within: bool,
    /// The open braces before it.
    braces: isize,
}

impl Edits {
    /// Replaces comments in macros, directives, macros and words that the grammar does not know, near errors; with `all`, in the whole
    /// text, and all conditions.
    pub(super) fn preprocessor(&mut self, all: bool) {
        if all {
            self.near.clear();
            self.near.push(0..self.text.len());
        }
        self.handlers();
        self.empty_defaults();
        self.conventions();
        self.comments_in_macros();
        self.macros_of_declarations();
        self.directives(all);
        self.macros_alone();
        self.macros_of_blocks();
        self.words_of_qt();
    }

    /// `f(T a = {})`: the grammar knows no braces there.
    fn empty_defaults(&mut self) {
        for at in self.places("= {}") {
            let rest = self.text.get(at + "= {}".len()..).unwrap_or_default();
            if rest.starts_with([',', ')']) {
                fill(&mut self.text, at + 2..at + 4, b'0');
            }
        }
    }

    /// `void WINAPI f()`: macros for calling conventions and the like.
    fn conventions(&mut self) {
        for word in CONVENTIONS {
            for at in self.places(word) {
                let end = at + word.len();
                let is_part = is_word(self.byte(end)) || at > 0 && is_word(self.byte(at - 1));
                if !is_part && self.byte(end) == b' ' {
                    blank(&mut self.text, at..end);
                }
            }
        }
    }

    /// `} CATCH_LOG()`: a macro for the handler of a `try`.
    fn handlers(&mut self) {
        const HANDLER: &str = "catch(A){}";
        for at in self.places("CATCH_") {
            let rest = self.text.get(at..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default();
            let call = line.trim_end().trim_end_matches(';');
            let end = at + call.len();
            let follows_block = self.byte_before(at) == Some(b'}');
            if follows_block && call.len() >= HANDLER.len() && is_macro(call) {
                blank(&mut self.text, at..end);
                self.text.replace_range(at..at + HANDLER.len(), HANDLER);
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
        let mut groups: Vec<Group> = Vec::new();
        let mut unread = Vec::new();
        let mut braces = 0_isize;
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
                let is_end = directive.starts_with("endif");
                if directive.starts_with("if") {
                    groups.push(Group {
                        directives: vec![(range, 0)],
                        is_within: within,
                        braces,
                    });
                } else if directive.starts_with("el") || is_end {
                    if let Some(group) = groups.last_mut() {
                        // The next branch begins where this one did.
                        let open = if is_end { 0 } else { braces - group.braces };
                        braces -= open;
                        group.directives.push((range, open));
                        group.is_within |= within;
                    }
                    if is_end && let Some(group) = groups.pop().filter(|group| group.is_within) {
                        unread.extend(group.directives);
                    }
                } else if directive.is_empty() {
                    unread.push((range, 0));
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
                    b'{' => braces += 1,
                    b'}' => braces -= 1,
                    _ => {}
                }
                // A block ends what came before it, whatever its branches opened.
                if matches!(byte, b'{' | b'}' | b';') {
                    depth = 0;
                }
                let place = from + offset;
                let continues = is_word(byte)
                    && last.end == place
                    && is_word(self.byte(place.saturating_sub(1)));
                last = if continues { last.start } else { place }..place + 1;
            }
        }
        for (range, open) in unread {
            blank(&mut self.text, range.clone());
            let end = range.end.min(range.start + open.unsigned_abs());
            fill(
                &mut self.text,
                range.start..end,
                if open > 0 { b'}' } else { b'{' },
            );
        }
    }

    /// `try_first {`: a word that a macro puts before a block.
    fn macros_of_blocks(&mut self) {
        for at in self.places(" {\n") {
            let line = self.text.get(..at).unwrap_or_default();
            let line = line.rsplit('\n').next().unwrap_or_default();
            let word = line.trim_start();
            let from = at - word.len();
            let is_statement = matches!(self.byte_before(from), Some(b';' | b'{' | b'}'));
            if is_statement && is_name(word) && !BEFORE_BLOCKS.contains(&word) {
                blank(&mut self.text, from..at);
            }
        }
    }

    /// `signals:`, `public slots:`, `emit x();`, `SIGNAL(f(T*))`.
    fn words_of_qt(&mut self) {
        for word in ["SIGNAL", "SLOT"] {
            for at in self.places(&format!("{word}(")) {
                let from = at + word.len();
                let Some(length) = self.bracketed(from) else {
                    continue;
                };
                // The types of the parameters are no expressions.
                let inner = from + 1..from + length - 1;
                let signature = self.text.get(inner.clone()).unwrap_or_default();
                let has_types = ["*)", "*,", "&)", "&,"]
                    .iter()
                    .any(|end| signature.contains(end));
                if has_types {
                    blank(&mut self.text, inner);
                }
            }
        }
        for word in ["slots", "Q_SLOTS"] {
            for at in self.places(&format!(" {word}:")) {
                blank(&mut self.text, at..at + 1 + word.len());
            }
        }
        for word in ["signals", "Q_SIGNALS"] {
            for at in self.places(&format!("{word}:")) {
                if self.starts_line(at) {
                    blank(&mut self.text, at..at + word.len());
                    self.text.replace_range(at..at + "public".len(), "public");
                }
            }
        }
        for word in ["emit", "Q_EMIT"] {
            for at in self.places(&format!("{word} ")) {
                if self.starts_line(at) {
                    blank(&mut self.text, at..at + word.len());
                }
            }
        }
    }

    /// `API ALLOC_SIZE(1) char *f();`, `DEBUG(int a = f());`: macros before a declaration, or around one.
    fn macros_of_declarations(&mut self) {
        let mut at = 0;
        let mut found = Vec::new();
        for line in self.text.split_inclusive('\n') {
            let from = at + line.len() - line.trim_start().len();
            at += line.len();
            let line = line.trim();
            if !line.starts_with(|c: char| c.is_ascii_uppercase() || c == '[')
                || !self.is_near(from)
                || !self.is_code(from)
            {
                continue;
            }
            if let Some(end) = before_declaration(line) {
                found.push(from..from + end);
            } else if let Some((name, rest)) = line.split_once('(')
                && is_capitals(name)
                && let Some(inner) = rest.strip_suffix(");")
                && declares(inner)
            {
                found.push(from..from + name.len() + 1);
                found.push(from + line.len() - 2..from + line.len() - 1);
            }
        }
        for range in found {
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

/// The end of the macros at the start of a line, if a declaration follows.
fn before_declaration(line: &str) -> Option<usize> {
    // `[[nodiscard]] MACRO int f();`
    let start = if line.starts_with("[[") {
        line.find("]] ")? + "]] ".len()
    } else {
        0
    };
    let mut end = start;
    loop {
        let rest = line.get(end..)?;
        let word = rest.split([' ', '(']).next()?;
        if !is_capitals(word) {
            break;
        }
        let after = rest.get(word.len()..)?;
        let arguments = after.strip_prefix('(').and_then(|inner| inner.find(')'));
        let after = match arguments {
            Some(close) if is_macro(rest.get(..word.len() + close + 2)?) => {
                after.get(close + 2..)?
            }
            Some(_) => return None,
            None => after,
        };
        let space = after.len() - after.trim_start().len();
        if space == 0 {
            return None;
        }
        end = line.len() - after.len() + space;
    }
    let rest = line.get(end..)?;
    (end > start && declares(rest)).then_some(end)
}

/// Whether a text begins with a type and a name.
fn declares(text: &str) -> bool {
    let is_type = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '<' | '>');
    let rest = text.trim_start_matches(is_type);
    let name = rest.trim_start_matches([' ', '*', '&']);
    rest.len() < text.len()
        && name.len() < rest.len()
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a text is a name in capitals.
fn is_capitals(text: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() > 2 && text.bytes().all(is_capital)
}

/// Whether a text is one word.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.bytes().all(is_word)
}

/// Whether a line is a name in capitals, or several, with names, types and numbers as arguments, which call at most something without
/// arguments.
fn is_macro(line: &str) -> bool {
    let (name, arguments) = line.split_once('(').unwrap_or((line, ")"));
    let is_name = name.len() > 2
        && name.bytes().all(|byte| {
            byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b' ')
        });
    let arguments = arguments.strip_suffix(')');
    is_name
        && line.len() <= BYTES
        && arguments.is_some_and(|inner| {
            inner.replace("()", "").bytes().all(|byte| {
                is_word(byte)
                    || matches!(byte, b' ' | b',' | b'.' | b':' | b'<' | b'>' | b'*' | b'&')
            })
        })
}
