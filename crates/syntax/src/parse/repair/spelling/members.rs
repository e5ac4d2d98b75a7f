//! Expressions and types of C++ that the grammar does not know.

use super::preprocessor::{is_capitals, is_macro};
use super::{Edits, is_word};
use crate::parse::repair::text::{blank, fill};

impl Edits {
    /// Replaces them, near errors.
    pub(super) fn members(&mut self) {
        self.pointed_members();
        self.values_of_types();
        self.types_of_macros();
    }

    /// `a.*(b)`, `a->*b`: a member by its pointer. Both operands stay.
    fn pointed_members(&mut self) {
        for sign in [".*", "->*"] {
            for at in self.places(sign) {
                let is_operand = |byte: u8| is_word(byte) || matches!(byte, b')' | b']');
                let after = self.byte(at + sign.len());
                if at > 0 && is_operand(self.byte(at - 1)) && (is_word(after) || after == b'(') {
                    blank(&mut self.text, at..at + sign.len());
                    fill(&mut self.text, at..at + 1, b'+');
                }
            }
        }
    }

    /// `decltype(a.b){ c }`: the type of an expression, which is not evaluated, before a value in braces.
    fn values_of_types(&mut self) {
        const WORD: &str = "decltype";
        for at in self.places("decltype(") {
            let from = at + WORD.len();
            let end = self.bracketed(from).map(|length| from + length);
            if let Some(end) = end.filter(|end| self.byte(*end) == b'{') {
                fill(&mut self.text, from..end, b'_');
            }
        }
    }

    /// `IF_OLD(A, B) const a;`: a macro for a type, before the name of a value.
    fn types_of_macros(&mut self) {
        for at in self.places("(") {
            let name = self.word_before(at);
            let start = at - name.len();
            let length = is_capitals(name).then(|| self.bracketed(at)).flatten();
            let Some(end) = length.map(|length| at + length) else {
                continue;
            };
            let is_type = is_macro(self.text.get(start..end).unwrap_or_default());
            let begins = matches!(
                self.code_before(start),
                None | Some(b'(' | b',' | b';' | b'{' | b'}' | b':')
            );
            if is_type && begins && names_value(self.text.get(end..).unwrap_or_default()) {
                blank(&mut self.text, at..end);
            }
        }
    }
}

/// Whether a text begins with the name of a parameter or a variable.
fn names_value(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(' ') else {
        return false;
    };
    let rest = rest.strip_prefix("const ").unwrap_or(rest);
    let rest = rest.trim_start_matches(['*', '&', ' ']);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    after.len() < rest.len()
        && after
            .trim_start_matches(' ')
            .starts_with([';', ',', ')', '=', '{'])
}

#[cfg(test)]
mod tests {
    use super::names_value;

    #[test]
    fn a_call_is_no_name_of_a_value() {
        for text in [" a;", " const a)", " *a = b;", " a_ { 1 };"] {
            assert!(names_value(text), "{text}");
        }
        for text in ["a;", " gets(a);", " a.b();", " \"a\";", " a b;"] {
            assert!(!names_value(text), "{text}");
        }
    }
}
