//! Finds the end of code of PHP in a page.

use crate::language::Grammar;
use crate::parse::heredocs;

/// The length of the code at the start of a text: up to a `?>` that is in no string and in no comment of several lines. `None` if one
/// of these does not end.
pub(super) fn code(grammar: Grammar, text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let Some(next) = rest.find(['\'', '"', '`', '/', '#', '?', '<']) else {
            return Some(text.len());
        };
        at += next;
        let rest = text.get(at..)?;
        if rest.starts_with("?>") {
            return Some(at);
        }
        at += piece(grammar, rest)?;
    }
}

/// The length of the string, comment or sign at the start of a text.
fn piece(grammar: Grammar, rest: &str) -> Option<usize> {
    if rest.starts_with(['\'', '"', '`']) {
        string(rest)
    } else if let Some(inner) = rest.strip_prefix("/*") {
        inner.find("*/").map(|end| end + 4)
    } else if rest.starts_with("//") || rest.starts_with('#') && !rest.starts_with("#[") {
        let line = rest.find('\n').unwrap_or(rest.len());
        Some(rest.get(..line)?.find("?>").unwrap_or(line))
    } else if rest.starts_with("<<<") {
        heredoc(grammar, rest)
    } else {
        Some(1)
    }
}

/// The length of a string.
fn string(rest: &str) -> Option<usize> {
    let quote = rest.bytes().next()?;
    let mut is_escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a heredoc, or of three signs that begin none.
fn heredoc(grammar: Grammar, rest: &str) -> Option<usize> {
    let Some(name) = grammar.row().lexical().heredoc_name(rest) else {
        return Some(3);
    };
    let start = rest.find('\n')? + 1;
    let (end, tail) = heredocs::end(rest.get(start..)?, name)?;
    Some(start + end.max(tail))
}

#[cfg(test)]
mod tests {
    use super::code;
    use crate::language::Grammar;

    #[test]
    fn code_ends_at_a_tag_that_is_not_in_a_string() {
        let php = Grammar::find("PHP").unwrap();
        for text in [
            "f('<?php ?>', \"?>\"); ", "/* ?>\n */ ", "f(<<<A\n?>\nA\n); ", "// it's ", "# \" ",
            "#[A('?>')] ", "$a = 1 << 2; ",
        ] {
            assert_eq!(code(php, &format!("{text}?>'")), Some(text.len()), "{text}");
        }
        assert_eq!(code(php, "f();"), Some(4));
        for text in ["f('?>", "/* ?>", "<<<A\n?>"] {
            assert_eq!(code(php, text), None, "{text}");
        }
    }
}
