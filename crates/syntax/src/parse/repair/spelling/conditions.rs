//! Conditions of the preprocessor that the grammar does not read: those within a statement, and those whose branches begin or
//! end one.
//!
//! Each branch is read as a statement of its own, with the code around it. The directive before a branch becomes the rest of
//! the statement, for the branch above it, and the start of the statement, for the branch below it:
//!
//! ```c
//! f(a,        f(a,
//! #ifdef X
//!   b,          b,
//! #else       d); f(a,
//!   c,          c,
//! #endif
//!   d);         d);
//! ```

use std::collections::HashMap;
use std::ops::Range;

use super::preprocessor::{is_capitals, logical_line};
use super::{BYTES, Edits, Kind, is_word};

/// Bytes that are repeated in a text, if that is more than its own length.
const REPEATED: usize = 4_000;
/// Statements after which no other is reached without a label.
const EXITS: &[&str] = &["return", "goto", "throw", "co_return"];
const LABEL: &str = "x: ";
/// Open brackets that a closing brace ends.
const UNCLOSED: usize = 64;

/// An open bracket.
struct Bracket {
    byte: u8,
    /// It is the brace of a block of statements or members, and not of a list.
    is_block: bool,
    /// The state before it.
    outer: State,
}

/// The brackets and the statement that are open at a place.
#[derive(Clone, Copy)]
struct State {
    /// The innermost bracket, as an index.
    bracket: Option<usize>,
    /// The innermost block.
    block: Option<usize>,
    /// The start of the statement.
    start: usize,
    /// The start and the end of the last word or character of code.
    last: (usize, usize),
}

impl State {
    /// Whether no statement has begun.
    const fn is_between(&self) -> bool {
        self.last.1 <= self.start
    }
}

/// A condition.
struct Group {
    /// The state before it.
    before: State,
    first: Range<usize>,
    /// The directives after the first, each with the state at the end of the branch above it.
    others: Vec<(Range<usize>, State)>,
    /// The grammar does not read it.
    is_unread: bool,
    /// The end of the statement that begins in its branches or before.
    rest: Option<usize>,
    /// Earlier conditions in a statement that no branch so far has ended.
    unfinished: Vec<usize>,
}

struct Reader<'e> {
    edits: &'e Edits,
    brackets: Vec<Bracket>,
    now: State,
    /// The conditions in which the reader is.
    open: Vec<Group>,
    /// The complete conditions.
    groups: Vec<Group>,
    /// The conditions within a statement of a block that has not ended.
    unfinished: HashMap<Option<usize>, Vec<usize>>,
    /// Directives without effect.
    empty: Vec<Range<usize>>,
}

impl Edits {
    /// Replaces the conditions that the grammar does not read; with `all`, all of them.
    pub(super) fn conditions(&mut self, all: bool) {
        let mut reader = Reader {
            edits: self,
            brackets: Vec::new(),
            now: State {
                bracket: None,
                block: None,
                start: 0,
                last: (0, 0),
            },
            open: Vec::new(),
            groups: Vec::new(),
            unfinished: HashMap::new(),
            empty: Vec::new(),
        };
        reader.read(all);
        let replaced = reader.replacements();
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, with) in replaced {
            text.push_str(self.text.get(at..range.start).unwrap_or_default());
            text.push_str(&with);
            // The lines remain, also those of a directive of several lines.
            let own = self.text.get(range.clone()).unwrap_or_default();
            text.extend(own.bytes().filter(|byte| *byte == b'\n').map(char::from));
            at = range.end;
        }
        text.push_str(self.text.get(at..).unwrap_or_default());
        self.text = text;
    }
}

impl<'e> Reader<'e> {
    fn text(&self, range: Range<usize>) -> &'e str {
        self.edits.text.get(range).unwrap_or_default()
    }

    fn last(&self, state: State) -> &'e str {
        self.text(state.last.0..state.last.1)
    }

    fn read(&mut self, all: bool) {
        let edits = self.edits;
        let mut at = 0;
        while let Some(line) = logical_line(&edits.text, at) {
            match directive(edits, at, line) {
                Some(directive) => self.directive(directive, at..at + line.trim_end().len(), all),
                None => (at..at + line.len()).for_each(|place| self.byte(place)),
            }
            at += line.len();
        }
    }

    fn directive(&mut self, directive: &str, range: Range<usize>, all: bool) {
        let now = self.now;
        let is_unread = all || self.is_within(now);
        if directive.starts_with("if") {
            self.open.push(Group {
                before: now,
                first: range,
                others: Vec::new(),
                is_unread,
                rest: None,
                unfinished: Vec::new(),
            });
        } else if directive.starts_with("el") || directive.starts_with("endif") {
            let Some(mut group) = self.open.pop() else {
                return;
            };
            group.others.push((range, now));
            group.is_unread |= is_unread;
            if directive.starts_with("el") {
                let unfinished = self.unfinished.remove(&now.block).unwrap_or_default();
                group.unfinished.extend(unfinished);
                // The next branch begins where this one did.
                self.now = group.before;
                self.open.push(group);
            } else {
                let unfinished = self.unfinished.entry(now.block).or_default();
                unfinished.append(&mut group.unfinished);
                unfinished.push(self.groups.len());
                self.groups.push(group);
            }
        } else if directive.is_empty() {
            self.empty.push(range);
        }
    }

    /// Whether the grammar does not expect a directive at a place.
    fn is_within(&self, state: State) -> bool {
        let bracket = state.bracket.and_then(|index| self.brackets.get(index));
        bracket.is_some_and(|bracket| bracket.byte != b'{') || continues_after(self.last(state))
    }

    fn byte(&mut self, place: usize) {
        let byte = self.edits.byte(place);
        let kind = self.edits.kind(place);
        if byte.is_ascii_whitespace() || kind == Some(Kind::Comment) {
            return;
        }
        if kind.is_none() {
            self.bracket(byte, place);
        }
        let is_same_word = is_word(byte)
            && self.now.last.1 == place
            && place > 0
            && is_word(self.edits.byte(place - 1));
        let start = if is_same_word { self.now.last.0 } else { place };
        self.now.last = (start, place + 1);
    }

    fn bracket(&mut self, byte: u8, place: usize) {
        match byte {
            b'(' | b'[' => self.push(byte, false),
            b'{' => {
                let is_block = self.begins_block(place);
                if is_block && self.now.bracket == self.now.block {
                    self.finish(place);
                }
                self.push(byte, is_block);
                if is_block {
                    self.now.block = self.now.bracket;
                    self.now.start = place + 1;
                }
            }
            b')' | b']' => {
                let open = if byte == b')' { b'(' } else { b'[' };
                let innermost = self.now.bracket.and_then(|index| self.brackets.get(index));
                if let Some(bracket) = innermost.filter(|bracket| bracket.byte == open) {
                    self.now.bracket = bracket.outer.bracket;
                }
            }
            b'}' => self.close_brace(place),
            b';' if self.now.bracket == self.now.block => {
                self.finish(place + 1);
                self.now.start = place + 1;
            }
            _ => {}
        }
    }

    fn push(&mut self, byte: u8, is_block: bool) {
        let outer = self.now;
        self.now.bracket = Some(self.brackets.len());
        self.brackets.push(Bracket {
            byte,
            is_block,
            outer,
        });
    }

    /// Whether a brace begins a block and not a list.
    fn begins_block(&self, place: usize) -> bool {
        let last = self.last(self.now);
        let bracket = self.now.bracket.and_then(|index| self.brackets.get(index));
        let is_in_list = bracket.is_some_and(|bracket| !bracket.is_block) && last != ")";
        let statement = self.text(self.now.start..place);
        let is_enum = statement
            .split_whitespace()
            .take(3)
            .any(|word| word == "enum");
        !(is_in_list || is_enum || matches!(last, "=" | "," | "("))
    }

    fn close_brace(&mut self, place: usize) {
        let mut index = self.now.bracket;
        for _ in 0..UNCLOSED {
            let Some(bracket) = index.and_then(|index| self.brackets.get(index)) else {
                return;
            };
            if bracket.byte != b'{' {
                index = bracket.outer.bracket;
                continue;
            }
            let mut outer = bracket.outer;
            if bracket.is_block {
                // A block within parentheses does not end the statement around it.
                if outer.bracket == outer.block {
                    outer.start = place + 1;
                }
                self.finish(place);
            }
            self.now = outer;
            return;
        }
    }

    /// Notes the end of a statement.
    fn finish(&mut self, end: usize) {
        for index in self.unfinished.remove(&self.now.block).unwrap_or_default() {
            if let Some(group) = self.groups.get_mut(index) {
                group.rest = Some(end);
            }
        }
    }

    /// The text in place of each directive, in order.
    fn replacements(&self) -> Vec<(Range<usize>, String)> {
        let mut left = self.edits.text.len().max(REPEATED);
        let mut replaced: Vec<_> = self
            .empty
            .iter()
            .map(|range| (range.clone(), String::new()))
            .collect();
        for group in self.groups.iter().filter(|group| group.is_unread) {
            replaced.push((group.first.clone(), String::new()));
            let Some(((end, _), between)) = group.others.split_last() else {
                continue;
            };
            for (range, above) in between {
                let with = self.between(group, *above, end.end, &mut left);
                replaced.push((range.clone(), with));
            }
            replaced.push((end.clone(), String::new()));
        }
        replaced.sort_by_key(|(range, _)| range.start);
        replaced
    }

    /// The text between two branches of a condition that ends at `end`: it completes the branch above and begins that below.
    fn between(&self, group: &Group, above: State, end: usize, left: &mut usize) -> String {
        let before = group.before;
        let bracket = before.bracket.and_then(|index| self.brackets.get(index));
        let is_in_list = bracket.is_none_or(|bracket| bracket.byte == b'{' && !bracket.is_block)
            && matches!(self.last(before), "," | "{");
        if is_in_list && above.bracket == before.bracket {
            let is_separated = matches!(self.last(above), "," | "{");
            return if is_separated { "" } else { "," }.to_owned();
        }
        let mut text = String::new();
        if !above.is_between() {
            text = self.rest(
                above,
                end..group.rest.unwrap_or(self.edits.text.len()),
                left,
            );
        }
        let (closed, opened) = self.blocks(before.block, above.block);
        text.extend(std::iter::repeat_n('}', opened.saturating_sub(closed)));
        text.extend(std::iter::repeat_n('{', closed.saturating_sub(opened)));
        if !before.is_between() {
            let start = self.repeated(before.start..group.first.start, left);
            let start = without_label(&start);
            if EXITS.iter().any(|word| start.starts_with(word)) {
                text.push_str(LABEL);
            }
            text.push_str(start);
        }
        text
    }

    /// The rest of a statement.
    fn rest(&self, above: State, range: Range<usize>, left: &mut usize) -> String {
        let begun = self.text(above.start..above.last.1).trim_start();
        let name = begun.split('(').next().unwrap_or_default().trim_end();
        let is_macro = self.last(above) == ")" && is_capitals(name);
        let follows = self.text(range.end..range.end + 1);
        let mut text = if is_macro {
            String::new()
        } else {
            self.repeated(range, left)
        };
        if follows == "{" && !is_macro {
            text.push_str("{}");
        } else if !text.trim_end().ends_with(';') {
            text.push(';');
        }
        text
    }

    /// How many blocks are closed from one place to another, and how many are opened.
    fn blocks(&self, mut from: Option<usize>, mut to: Option<usize>) -> (usize, usize) {
        let outer = |block: Option<usize>| {
            let bracket = block.and_then(|index| self.brackets.get(index));
            bracket.and_then(|bracket| bracket.outer.block)
        };
        let (mut closed, mut opened) = (0, 0);
        // A bracket has a larger index than those around it.
        while from != to {
            if from > to {
                closed += 1;
                from = outer(from);
            } else {
                opened += 1;
                to = outer(to);
            }
        }
        (closed, opened)
    }

    /// A part of the text on one line, without comments and directives, and with only one branch of each condition; empty if it is
    /// too long.
    fn repeated(&self, range: Range<usize>, left: &mut usize) -> String {
        if range.len() > BYTES || range.len() > *left {
            return String::new();
        }
        *left -= range.len();
        let mut text = String::new();
        // For each condition, the start of the current branch, and the first branch once it is complete.
        let mut groups: Vec<(usize, Option<String>)> = Vec::new();
        let mut at = range.start;
        let all = self.edits.text.get(..range.end).unwrap_or_default();
        while let Some(line) = logical_line(all, at) {
            let from = at;
            at += line.len();
            let Some(directive) = directive(self.edits, from, line) else {
                let mut code = line.char_indices();
                text.extend(code.by_ref().filter_map(|(offset, c)| {
                    let is_comment = self.edits.kind(from + offset) == Some(Kind::Comment);
                    (!is_comment).then_some(if c == '\n' { ' ' } else { c })
                }));
                continue;
            };
            if directive.starts_with("if") {
                groups.push((text.len(), None));
            } else if directive.starts_with("el") {
                match groups.last_mut() {
                    Some((start, first)) => {
                        let branch = text.split_off(*start);
                        first.get_or_insert(branch);
                    }
                    // The end of the branch in which the range starts.
                    None => groups.push((text.len(), Some(String::new()))),
                }
            } else if directive.starts_with("endif")
                && let Some((start, Some(first))) = groups.pop()
            {
                text.truncate(start);
                text.push_str(&first);
            }
        }
        format!("{} ", text.trim())
    }
}

/// The text of a directive after its `#`.
fn directive<'t>(edits: &Edits, at: usize, line: &'t str) -> Option<&'t str> {
    let start = at + line.len() - line.trim_start().len();
    let text = line.trim_start().strip_prefix('#')?;
    edits.is_code(start).then_some(text.trim())
}

/// Whether code continues after this word or character.
fn continues_after(last: &str) -> bool {
    matches!(last, "," | "=" | "|" | "&" | "+" | "?" | "(" | "else")
}

/// The start of a statement without `else` and without the label of a `case`, which cannot be repeated.
fn without_label(start: &str) -> &str {
    let text = start.trim_start();
    if let Some(rest) = text.strip_prefix("else ") {
        return rest;
    }
    let is_case = text.starts_with("case ") || text.starts_with("default:");
    let after = text.split_once(": ").filter(|_| is_case);
    after.map_or(text, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use review::Lexical;

    use super::super::{Edits, pieces};

    fn read(text: &str, all: bool) -> String {
        let mut edits = Edits {
            text: text.to_owned(),
            near: Vec::new(),
            pieces: pieces(text, Lexical::or_any(Some("C"))),
        };
        edits.conditions(all);
        edits.text
    }

    #[test]
    fn each_branch_within_a_statement_has_the_code_around_it() {
        for (text, expected) in [
            (
                "x();\nf(a, // why\n#ifdef X\n  b);\n#else\n  c);\n#endif\ny();\n",
                "x();\nf(a, // why\n\n  b);\nf(a, \n  c);\n\ny();\n",
            ),
            (
                "f(a,\n#if X\n  b\n#elif Y\n  c\n#else\n  d\n#endif\n  );\n",
                "f(a,\n\n  b\n); f(a, \n  c\n); f(a, \n  d\n\n  );\n",
            ),
            (
                "{\n  if(a &&\n#ifdef X\n     b) {\n    g();\n#else\n     c) {\n#endif\n    h();\n  }\n}\n",
                "{\n  if(a &&\n\n     b) {\n    g();\n}if(a && \n     c) {\n\n    h();\n  }\n}\n",
            ),
            (
                "{\n#ifdef X\n  a = f(b,\n#else\n  a = g(\n#endif\n    c);\n}\n",
                "{\n\n  a = f(b,\nc); \n  a = g(\n\n    c);\n}\n",
            ),
            (
                "int f(int a,\n#ifdef X\n  int b)\n#else\n  char c)\n#endif\n{\n}\n",
                "int f(int a,\n\n  int b)\n {}int f(int a, \n  char c)\n\n{\n}\n",
            ),
            (
                "{\n  if(a)\n    b();\n  else if(c ==\n#ifdef X\n    1)\n#else\n    2)\n#endif\n    d();\n}\n",
                "{\n  if(a)\n    b();\n  else if(c ==\n\n    1)\nd(); if(c == \n    2)\n\n    d();\n}\n",
            ),
            (
                "int a[] = {\n  1,\n#ifdef X\n  2 };\n#else\n  3 };\n#endif\n",
                "int a[] = {\n  1,\n\n  2 };\nint a[] = {   1, \n  3 };\n\n",
            ),
        ] {
            assert_eq!(read(text, false), expected, "{text}");
        }
    }

    #[test]
    fn conditions_between_statements_remain() {
        for text in [
            "#ifdef X\nint a;\n#else\nchar a;\n#endif\n",
            "{\n  f();\n#ifdef X\n  g();\n#else\n  h();\n#endif\n}\n",
            "/* f(\n#ifdef X\n a\n#else\n b\n#endif\n) */\n",
        ] {
            assert_eq!(read(text, false), text);
        }
    }

    #[test]
    fn branches_that_open_or_close_blocks_are_balanced() {
        for (text, expected) in [
            (
                "{\n#if A\n  if(a) {\n#else\n  if(b) {\n#endif\n  }\n}\n",
                "{\n\n  if(a) {\n}\n  if(b) {\n\n  }\n}\n",
            ),
            (
                "{\n  if(a) {\n#if A\n    b();\n  }\n#else\n    c();\n  }\n#endif\n}\n",
                "{\n  if(a) {\n\n    b();\n  }\n{\n    c();\n  }\n\n}\n",
            ),
            (
                "enum a {\n  A,\n#if X\n  B\n#else\n  C\n#endif\n};\n",
                "enum a {\n  A,\n\n  B\n,\n  C\n\n};\n",
            ),
        ] {
            assert_eq!(read(text, true), expected, "{text}");
        }
    }

    #[test]
    fn nested_conditions_are_read_with_one_branch_of_the_others() {
        let text = "f(\n#if A\n  a,\n#if B\n  b\n#else\n  c\n#endif\n  );\n#else\n  d);\n#endif\n";
        let expected = "f(\n\n  a,\n\n  b\n); f(   a, \n  c\n\n  );\nf( \n  d);\n\n";
        assert_eq!(read(text, false), expected);
    }

    #[test]
    fn the_text_at_most_doubles() {
        let head = format!("f({}\n#if X\n", "a,".repeat(400));
        let text = format!("{head}{}#endif\n);\n", "b\n#else\n".repeat(2_000));
        assert!(read(&text, false).len() <= 2 * text.len() + 10_000);
    }
}
