//! Code with directives and macros of C, which the grammar reads only in some places.

use std::ops::Range;

use super::{BYTES, Edits, Kind, is_word};
use crate::parse::repair::text::{blank, fill};

/// Macros before the name of a function.
const CONVENTIONS: &[&str] = &[
    "APIENTRY", "CALLBACK", "NTAPI", "STDMETHODCALLTYPE", "WINAPI", "Q_INVOKABLE", "Q_SCRIPTABLE",
];
/// Words of the language before the type of a declaration.
const STORAGE: &[&str] = &["static ", "extern ", "inline ", "constexpr "];
/// Words of the language for types.
const TYPES: &[&str] = &[
    "bool", "char", "const", "double", "float", "int", "long", "short", "signed", "unsigned",
    "void",
];
/// Words of the language before the name of a type.
const TAGS: &[&str] = &["struct", "union", "enum"];
/// Words of the language before a block.
const BEFORE_BLOCKS: &[&str] = &[
    "do", "else", "try", "struct", "union", "enum", "class", "namespace",
];

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
        self.pointers_to_members();
        self.conventions();
        self.comments_in_macros();
        self.macros_of_declarations();
        self.members();
        self.included();
        self.names_of_cmake();
        self.types_as_arguments();
        self.macros_in_lists();
        self.macros_around_statements();
        self.macros_alone();
        self.macros_of_blocks();
        self.words_of_qt();
        // At the end, because it moves text.
        self.conditions(all);
    }

    /// `f(T a = {}, T* = nullptr)`: the grammar knows no braces there, and no default without a name.
    fn empty_defaults(&mut self) {
        for at in self.places("= nullptr") {
            let is_without_name = matches!(self.byte_before(at), Some(b'*' | b'&'));
            let end = at + "= nullptr".len();
            if is_without_name && matches!(self.byte(end), b',' | b')') {
                blank(&mut self.text, at..end);
            }
        }
        for at in self.places("= {}") {
            let rest = self.text.get(at + "= {}".len()..).unwrap_or_default();
            if rest.starts_with([',', ')']) {
                fill(&mut self.text, at + 2..at + 4, b'0');
            }
        }
    }

    /// `void (A::*)(int)` as a type.
    fn pointers_to_members(&mut self) {
        for at in self.places("::*)") {
            let before = self.text.get(..at).unwrap_or_default();
            let is_name = |byte: &u8| is_word(*byte) || *byte == b':';
            let length = before.bytes().rev().take_while(is_name).count();
            if length > 0
                && before
                    .get(..at - length)
                    .is_some_and(|rest| rest.ends_with('('))
            {
                blank(&mut self.text, at - length..at + 2);
            }
        }
    }

    /// `void WINAPI f()`, `class EXPORT A : public B`: macros for calling conventions and the like.
    fn conventions(&mut self) {
        for word in ["class ", "struct "] {
            for at in self.places(word) {
                let from = at + word.len();
                let rest = self.text.get(from..).unwrap_or_default();
                let (name, after) = rest.split_once(' ').unwrap_or_default();
                let names_type = after.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !after.starts_with("final ");
                if names_type && is_capitals(name) && self.starts_line(at) {
                    let end = from + name.len();
                    blank(&mut self.text, from..end);
                }
            }
        }
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

    /// `__has_include(<x>)`, `__builtin_available(macOS 10.12, *)`.
    fn included(&mut self) {
        for name in ["__has_include(", "__builtin_available("] {
            for at in self.places(name) {
                let rest = self.text.get(at..).unwrap_or_default();
                let line = rest.lines().next().unwrap_or_default();
                if let Some(end) = line.find(')') {
                    blank(&mut self.text, at..at + end + 1);
                    fill(&mut self.text, at..at + 1, b'1');
                }
            }
        }
    }

    /// `${NAME}` and `@NAME@`, for which CMake puts a text.
    fn names_of_cmake(&mut self) {
        for (open, close) in [("${", '}'), ("@", '@')] {
            for at in self.places(open) {
                let from = at + open.len();
                let rest = self.text.get(from..).unwrap_or_default();
                let Some((name, after)) = rest.split_once(close).filter(|(name, _)| is_name(name))
                else {
                    continue;
                };
                let ends_line = after
                    .lines()
                    .next()
                    .is_none_or(|rest| rest.trim().is_empty());
                let with = if self.starts_line(at) && ends_line {
                    b' '
                } else {
                    b'x'
                };
                let end = from + name.len() + 1;
                fill(&mut self.text, at..end, with);
            }
        }
    }

    /// `va_arg(list, void *)`: a type is no expression.
    fn types_as_arguments(&mut self) {
        for at in self.places(",") {
            let rest = self.text.get(at + 1..).unwrap_or_default();
            let is_type = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*');
            let length = rest.find(|c: char| !is_type(c)).unwrap_or(rest.len());
            let (argument, after) = rest.split_at_checked(length).unwrap_or_default();
            let own = argument.trim();
            let first = own.split([' ', '*']).next().unwrap_or_default();
            let names_type = TYPES.contains(&first) || TAGS.contains(&first) || own.ends_with('*');
            if names_type && !first.is_empty() && after.starts_with([',', ')']) {
                let from = at + 1 + argument.len() - argument.trim_start().len();
                let end = from + own.len();
                fill(&mut self.text, from..end, b'x');
            }
        }
    }

    /// `OPTION(A, LONG, 329),` in a list in braces, such as that of an enumeration.
    fn macros_in_lists(&mut self) {
        let mut open = Vec::new();
        let mut found = Vec::new();
        // The last byte of code, and the one before the last word.
        let (mut last, mut before_word) = (0, 0);
        let mut at = 0;
        while at < self.text.len() {
            let byte = self.byte(at);
            let kind = self.kind(at);
            let start = at;
            at += 1;
            if byte.is_ascii_whitespace() || kind == Some(Kind::Comment) {
                continue;
            }
            if kind.is_none() && byte == b'#' && self.starts_line(start) {
                at = start + logical_line(&self.text, start).map_or(1, str::len);
                continue;
            }
            let is_inner = start > 0 && is_word(byte) && is_word(self.byte(start - 1));
            if !is_inner && is_word(byte) {
                before_word = last;
            }
            last = byte;
            match byte {
                _ if kind.is_some() => {}
                b'(' | b'{' => {
                    if byte == b'('
                        && open.last() == Some(&b'{')
                        && matches!(before_word, b',' | b'{')
                        && let Some(length) = self.macro_of_list(start)
                    {
                        found.push(start..start + length);
                    }
                    open.push(byte);
                }
                b')' | b'}' => drop(open.pop()),
                _ => {}
            }
        }
        for range in found {
            blank(&mut self.text, range);
        }
    }

    /// The word that ends at a place; empty if there is none.
    pub(super) fn word_before(&self, end: usize) -> &str {
        let before = self.text.get(..end).unwrap_or_default();
        let length = before
            .bytes()
            .rev()
            .take_while(|byte| is_word(*byte))
            .count();
        before.get(before.len() - length..).unwrap_or_default()
    }

    /// The length of the arguments of a macro, if they are names, numbers and texts, and the next element follows.
    fn macro_of_list(&self, from: usize) -> Option<usize> {
        let is_macro = is_capitals(self.word_before(from));
        let length = self
            .bracketed(from)
            .filter(|_| is_macro && self.is_near(from))?;
        let after = self
            .text
            .get(from + length..)
            .unwrap_or_default()
            .trim_start();
        let is_argument = |at: usize| {
            let byte = self.byte(at);
            let is_plain = is_word(byte) || byte.is_ascii_whitespace() || b",.|".contains(&byte);
            is_plain || self.kind(at).is_some()
        };
        let is_plain = (from + 1..from + length - 1).all(is_argument);
        (is_plain && after.starts_with([',', '}'])).then_some(length)
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
                let has_pointers = ["*)", "*,", "&)", "&,"]
                    .iter()
                    .any(|end| signature.contains(end));
                let has_types = signature
                    .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .any(|word| TYPES.contains(&word));
                if has_pointers || has_types && is_signature(signature) {
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

    /// `API ALLOC_SIZE(1) char *f();`, `static LOCAL T a;`, `API(int) f();`, `DEBUG(int a = f());`: macros before a declaration, or
    /// around one.
    fn macros_of_declarations(&mut self) {
        let mut at = 0;
        let mut found = Vec::new();
        for line in self.text.split_inclusive('\n') {
            let from = at + line.len() - line.trim_start().len();
            at += line.len();
            let line = line.trim();
            let begins = line.starts_with(|c: char| c.is_ascii_uppercase() || c == '[');
            if !begins && storage(line) == 0 || !self.is_near(from) || !self.is_code(from) {
                continue;
            }
            if let Some(range) = before_declaration(line) {
                found.push(from + range.start..from + range.end);
            } else if let Some((open, close)) = around_type(line) {
                found.push(from..from + open + 1);
                found.push(from + close..from + close + 1);
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

    /// `RUN_LATER(a(); b(););`: the argument of a macro is a block of statements.
    fn macros_around_statements(&mut self) {
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut found = Vec::new();
        for at in 0..self.text.len() {
            let byte = self.byte(at);
            if !matches!(byte, b'(' | b')' | b'{' | b'}' | b';') || !self.is_code(at) {
                continue;
            }
            match byte {
                b'(' | b'{' => open.push((at, false)),
                b';' => {
                    if let Some((_, has_statements)) = open.last_mut() {
                        *has_statements = true;
                    }
                }
                _ => {
                    let opened = open.pop().filter(|(from, has_statements)| {
                        *has_statements && byte == b')' && self.byte(*from) == b'('
                    });
                    found.extend(opened.map(|(from, _)| (from, at)));
                }
            }
        }
        for (from, to) in found {
            let word = self.word_before(from);
            let name = from - word.len()..from;
            let is_macro = is_capitals(word);
            let is_statement = matches!(self.code_before(name.start), Some(b';' | b'{' | b'}'));
            if !(is_macro && is_statement && (self.is_near(from) || self.is_near(to))) {
                continue;
            }
            blank(&mut self.text, name);
            fill(&mut self.text, from..from + 1, b'{');
            // The last statement in it may have no end.
            if self.byte(to + 1) == b';' {
                fill(&mut self.text, to..to + 1, b';');
                fill(&mut self.text, to + 1..to + 2, b'}');
            } else {
                fill(&mut self.text, to..to + 1, b'}');
            }
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
pub(super) fn logical_line(text: &str, at: usize) -> Option<&str> {
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

/// The length of the words for the storage of a variable at the start of a line.
fn storage(line: &str) -> usize {
    let mut rest = line;
    while let Some(after) = STORAGE.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    line.len() - rest.len()
}

/// The macros at the start of a line, if a declaration follows.
fn before_declaration(line: &str) -> Option<Range<usize>> {
    let from = storage(line);
    // `[[nodiscard]] MACRO int f();`
    let start = if line.starts_with("[[") {
        line.find("]] ")? + "]] ".len()
    } else {
        from
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
    (end > start && declares(rest)).then_some(from..end)
}

/// The parentheses of a macro around the type of a function.
fn around_type(line: &str) -> Option<(usize, usize)> {
    let (name, rest) = line.split_once('(')?;
    let (inner, after) = rest.split_once(')')?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*');
    let (function, _) = after.split_once('(')?;
    let is_function = is_capitals(name)
        && inner.starts_with(|c: char| c.is_ascii_alphabetic())
        && inner.chars().all(is_type)
        && is_name(function.trim());
    is_function.then_some((name.len(), name.len() + 1 + inner.len()))
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
pub(super) fn is_capitals(text: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() > 2 && text.bytes().all(is_capital)
}

/// Whether a text is a name and words in parentheses.
fn is_signature(text: &str) -> bool {
    let inner = text
        .split_once('(')
        .and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
    inner.is_some_and(|(name, rest)| {
        let is_type = |byte: u8| is_word(byte) || b" ,:<>*&".contains(&byte);
        is_name(name) && rest.bytes().all(is_type)
    })
}

/// Whether a text is one word.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.bytes().all(is_word)
}

/// Whether a line is a name in capitals, or several, with names, types and numbers as arguments, which call at most something without
/// arguments.
pub(super) fn is_macro(line: &str) -> bool {
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
