//! Java replaces Unicode escapes (`\u0041`, `\uuu0041`) before it reads comments and literals, so an escape can end a
//! comment or a string, and a name can have a spelling that no search finds.

use super::line_ends::Escapes;

/// Where a byte of the source is, as its text shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Code,
    Line,
    Block,
    Text,
    TextBlock,
    Character,
}

/// Reads the lines of a source text, in order.
#[derive(Debug, Default)]
pub struct EscapeReader {
    place: Place,
}

impl EscapeReader {
    /// Reads a line. Returns the first escape on it because of which the compiler reads the line differently.
    pub fn misleading<'t>(&mut self, line: &'t str, escapes: Escapes) -> Option<&'t str> {
        // A line that starts with a star may be in a comment whose start is not shown.
        let is_starred = line.trim_start().starts_with('*');
        let mut found = None;
        let mut at = 0;
        while let Some((before, rest)) = line
            .split_at_checked(at)
            .filter(|(_, rest)| !rest.is_empty())
        {
            let Some((c, length)) = escape(rest) else {
                at += self.step(rest);
                continue;
            };
            if found.is_none() {
                let after = rest.get(length..).unwrap_or_default();
                let is_misleading = closes_comment(c, before, after)
                    && matches!(self.place, Place::Block | Place::Code)
                    || escapes == Escapes::Everywhere
                        && self.is_respelled(c, after)
                        && !(is_starred && self.place == Place::Code)
                    || self.place == Place::Line
                        && is_line_end(c)
                        && !after.trim_start().is_empty();
                found = rest.get(..length).filter(|_| is_misleading);
            }
            at += length;
        }
        // Only these continue on the next line.
        if !matches!(self.place, Place::Block | Place::TextBlock) {
            self.place = Place::Code;
        }
        found
    }

    /// Passes what is at the start of a text. Returns its length.
    fn step(&mut self, rest: &str) -> usize {
        let signs: &[(&str, Place)] = match self.place {
            Place::Code => &[
                ("//", Place::Line),
                ("/*", Place::Block),
                ("\"\"\"", Place::TextBlock),
                ("\"", Place::Text),
                ("'", Place::Character),
            ],
            Place::Line => &[],
            Place::Block => &[("*/", Place::Code)],
            Place::Text => &[("\"", Place::Code)],
            Place::TextBlock => &[("\"\"\"", Place::Code)],
            Place::Character => &[("'", Place::Code)],
        };
        if let Some((sign, place)) = signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            self.place = *place;
            return sign.len();
        }
        // A backslash and what it escapes are read together: the second of two starts no escape.
        let pair = rest.starts_with('\\') && !matches!(self.place, Place::Line | Place::Block)
            || rest.starts_with("\\\\");
        rest.chars()
            .take(1 + usize::from(pair))
            .map(char::len_utf8)
            .sum()
    }

    /// Whether an escape outside comments is other code than it looks.
    fn is_respelled(&self, c: char, after: &str) -> bool {
        match self.place {
            Place::Code => c.is_ascii(),
            Place::Text => c == '"' || is_line_end(c) || c == '\\' && after.starts_with('"'),
            Place::TextBlock => c == '"',
            Place::Line | Place::Block | Place::Character => false,
        }
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Whether a character between two texts is part of `*/`. The other part may be an escape too.
fn closes_comment(c: char, before: &str, after: &str) -> bool {
    let next = || {
        escape(after)
            .map(|(c, _)| c)
            .or_else(|| after.chars().next())
    };
    c == '*' && next() == Some('/') || c == '/' && before.ends_with('*')
}

/// The character and the length of the escape at the start of a text.
fn escape(text: &str) -> Option<(char, usize)> {
    let marks = text.strip_prefix("\\u")?.trim_start_matches('u');
    let digits = marks
        .get(..4)
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((c, text.len() - marks.len() + digits.len()))
}

#[cfg(test)]
mod tests {
    use super::{EscapeReader, Escapes};

    fn misleading(text: &str, escapes: Escapes) -> Vec<&str> {
        let mut reader = EscapeReader::default();
        text.lines()
            .filter_map(|line| reader.misleading(line, escapes))
            .collect()
    }

    #[test]
    fn escapes_that_change_the_meaning_are_found() {
        for (text, found) in [
            ("// c \\u000a run();", "\\u000a"),
            ("// c \\uuuu000D run();", "\\uuuu000D"),
            ("// it's \"so\" \\u000Arun();", "\\u000A"),
            ("int x = 1; // \\\\\\u000a run();", "\\u000a"),
            ("/* c \\u002a\\u002f run(); /* */", "\\u002a"),
            ("/* c *\\u002f run(); /* */", "\\u002f"),
            ("/* c\n \\u002a/ run();", "\\u002a"),
            (" * c \\u002a\\u002f run();", "\\u002a"),
            ("String a = \"x\\u0022 + run() + \\u0022\";", "\\u0022"),
            ("String a = \"x\\u005c\"; run(); b = \"\";", "\\u005c"),
            ("Runtime.getRuntime().\\u0065xec(c);", "\\u0065"),
            (
                "String a = \"\"\"\n  /*\n  \"\"\";\n// \\u000a run();",
                "\\u000a",
            ),
        ] {
            assert_eq!(misleading(text, Escapes::Everywhere), [found], "{text}");
        }
        let scala = ["// c \\u000a run()", "/* \\u002a\\u002f run() /* */"];
        assert!(
            scala
                .iter()
                .all(|text| misleading(text, Escapes::InComments).len() == 1)
        );
    }

    #[test]
    fn ordinary_escapes_are_not_found() {
        for text in [
            "String a = \"\\u0041\\u00e9\\u2028\";",
            "String json = \"{\\\\u0022a\\\\u0022}\";",
            "char quote = '\\u0022', backslash = '\\u005c\\u005c';",
            "// \\u0041 is A, \\u000a",
            "// the regex \\\\u000a ends a line",
            "/** In a comment \\u000a and \\u0022 are harmless,\n * \\u0022so\\u0022 they are. */",
            " * \\u0041 in a comment whose start is above the hunk",
            "int gr\\u00f6\\u00dfe = 1;",
            "/* c \\u002f and \\u002a */",
            "String a = \"\\ud83d\\ude00\";",
        ] {
            assert!(misleading(text, Escapes::Everywhere).is_empty(), "{text}");
        }
        let regex = "def r = ~/\\u0041+/";
        assert!(misleading(regex, Escapes::InComments).is_empty());
    }
}
