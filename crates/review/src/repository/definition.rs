//! Detects whether a line defines a name, by the words around it, and where the definition ends, by indentation.

use super::words::{last_word, occurrences};
use crate::language::lexical::Lexical;

/// Maximum number of lines of a definition.
pub(super) const DEFINITION_LINES: usize = 80;
/// Words that precede the name in a definition, in any of the languages.
const DEFINERS: &[&str] = &[
    "actor", "alias", "class", "concept", "const", "constexpr", "data", "def", "define",
    "defmodule", "defp", "enum", "extension", "final", "fn", "fun", "func", "function",
    "interface", "let", "macro", "message", "method", "mod", "module", "namespace", "object",
    "package", "procedure", "protocol", "record", "resource", "rpc", "service", "static", "struct",
    "table", "trait", "type", "typealias", "typedef", "union", "using", "val", "var", "view",
    "volatile",
];
/// Words that precede a call: a name after them followed by `(` is called, not defined.
const CALLERS: &[&str] = &[
    "assert", "await", "case", "delete", "do", "echo", "elif", "else", "go", "if", "in", "is",
    "new", "not", "print", "raise", "return", "throw", "typeof", "unless", "until", "when",
    "while", "yield", "and", "or", "defer", "import", "from",
];

/// Whether a line defines this name, or appears to.
pub(super) fn is_definition(line: &str, name: &str, lexical: &Lexical) -> bool {
    let line = lexical.without_line_comment(line);
    occurrences(line, name).any(|at| {
        let (before, after) = (
            line.get(..at).unwrap_or_default(),
            line.get(at + name.len()..).unwrap_or_default(),
        );
        defines(before, after.trim_start())
    })
}

fn defines(before: &str, after: &str) -> bool {
    // A receiver: `func (o *Order) total(`.
    let unreceived = before
        .trim_end()
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('));
    let before = unreceived.map_or(before, |(before, _)| before);
    let (word, rest) = last_word(before);
    if DEFINERS
        .iter()
        .any(|definer| word.eq_ignore_ascii_case(definer))
    {
        return true;
    }
    let is_assigned = after
        .strip_prefix(['=', ':'])
        .is_some_and(|rest| !rest.starts_with(['=', ':']))
        || after.starts_with(":=");
    if before.trim().is_empty() {
        // A constant, a property, a key, or a method in a class: `total = 1`, `total: 1`, `total() {`.
        return is_assigned || after.starts_with('(') && is_body(after);
    }
    let is_type = before.ends_with([' ', '\t', '*', '&', '>', ']'])
        && !CALLERS.contains(&word)
        && (!word.is_empty() || rest.trim_end().ends_with(['*', '&', '>', ']']));
    // A type, a name and parameters: `int total(Order o) {`; a field: `private int total;`.
    is_type
        && !before.contains('=')
        && !before.contains('(')
        && (after.starts_with('(') && is_signature(after) || is_assigned || after.starts_with(';'))
}

/// Whether parameters are followed by the start of a body.
fn is_body(after: &str) -> bool {
    let after = after.trim_end();
    after.ends_with('{') || after.ends_with("=>") || after.ends_with("->") || after.ends_with(':')
}

/// Whether parameters may be those of a signature: a body follows, or the line ends inside them or before the body.
fn is_signature(after: &str) -> bool {
    let after = after.trim_end();
    is_body(after)
        || after.ends_with(',')
        || after.ends_with('(')
        || after.ends_with(')')
        || after.ends_with(';')
        || after.contains('{')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of the definition that starts at an index, including the decorators and comments above it. It ends before
/// the first line that is indented no deeper, or after it if that line only closes the body. Returns start and end as
/// indexes, the end excluded.
pub(super) fn block(lines: &[&str], at: usize) -> (usize, usize) {
    let own = lines.get(at).map_or(0, |line| indent(line));
    let is_head = |line: &&str| {
        let text = line.trim_start();
        indent(line) == own && text.starts_with(['@', '#', '/', '*', '['])
    };
    let head = lines
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .take(5)
        .take_while(|line| is_head(line))
        .count();
    let mut end = at + 1;
    let mut blank = 0;
    for line in lines
        .get(end..)
        .unwrap_or_default()
        .iter()
        .take(DEFINITION_LINES)
    {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        if indent(line) <= own {
            let closes =
                line.trim_start().starts_with(['}', ')', ']', '{']) || line.trim() == "end";
            if closes {
                end += blank + 1;
                blank = 0;
                // After `) {` and `{` the definition continues.
                if line.trim_end().ends_with(['{', ':', '(']) {
                    continue;
                }
            }
            break;
        }
        end += blank + 1;
        blank = 0;
    }
    (at - head, end)
}
