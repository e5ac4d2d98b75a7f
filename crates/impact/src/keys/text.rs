//! The lines of a file without comments, and the pieces of text between quotes.

use super::kinds::is_word;

/// The maximum length of a line in bytes. Longer ones are generated.
const LINE: usize = 10_000;
/// The maximum length of a piece between quotes.
const PIECE: usize = 300;
/// The maximum number of lines of a comment that is recognized by its first and last one.
const BLOCK: usize = 500;
/// The languages with comments that begin with `#`.
const HASH_COMMENTS: &[&str] = &[
    "py", "rb", "yml", "yaml", "sh", "env", "properties", "toml", "php", "example", "sample",
    "dist",
];

/// A piece of a line between two quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quoted<'t> {
    /// The number of the line.
    pub(crate) line: u32,
    /// The text before the quote, or the previous line if there is none, without white space at its end.
    pub(crate) lead: &'t str,
    /// The piece.
    pub(crate) text: &'t str,
    /// The text after the closing quote.
    pub(crate) after: &'t str,
}

/// The word with which a text ends.
pub(super) fn last_word(text: &str) -> Option<&str> {
    let rest = text.trim_end_matches(is_word);
    text.get(rest.len()..).filter(|word| !word.is_empty())
}

/// The name of a file without its extensions.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The folders of a path.
pub(super) fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/')
        .map_or("", |(folders, _)| folders)
        .split('/')
}

/// The extension of a file; for a name that begins with a dot, what follows.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, end)| end)
}

/// The numbered lines of a text that are not comments.
pub(crate) fn code_lines<'t>(
    path: &str,
    lines: impl Iterator<Item = (u32, &'t str)>,
) -> Vec<(u32, &'t str)> {
    let has_hash = HASH_COMMENTS.contains(&extension(path));
    let has_blocks = !has_hash || extension(path) == "php";
    let lines: Vec<(u32, &str)> = lines.filter(|(_, line)| line.len() <= LINE).collect();
    let mut end = 0;
    let mut found = Vec::new();
    for (at, (number, line)) in lines.iter().enumerate() {
        let text = line.trim_start();
        if has_blocks && at >= end && text.starts_with("/*") {
            end = end_of_block(&lines, at).unwrap_or(at);
        }
        if at >= end && !is_comment(text, has_hash) {
            found.push((*number, *line));
        }
    }
    found
}

/// The position of the line with which a comment ends that begins a line; `None` if it is not among the next lines.
fn end_of_block(lines: &[(u32, &str)], start: usize) -> Option<usize> {
    let (first, text) = lines.get(start)?;
    if text.contains("*/") {
        return None;
    }
    let rest = lines.get(start + 1..)?.iter().zip(first + 1..).take(BLOCK);
    let mut rest = rest.take_while(|((number, _), expected)| number == expected);
    let length = rest.position(|((_, line), _)| line.contains("*/"))?;
    Some(start + 1 + length)
}

fn is_comment(line: &str, has_hash: bool) -> bool {
    const STARTS: &[&str] = &["//", "/*", "* ", "*/", "<!--", "{#", "{{--", "@*", "-#"];
    STARTS.iter().any(|start| line.starts_with(start))
        || has_hash && line.starts_with('#') && !line.starts_with("#[")
}

/// The pieces between two equal quotes that follow each other, on one line. As quotes may be nested or escaped, some pieces are
/// not strings of the language, but each string is a piece.
pub(crate) fn quoted<'t>(lines: &[(u32, &'t str)]) -> Vec<Quoted<'t>> {
    let mut found = Vec::new();
    let mut previous = "";
    for (number, line) in lines {
        for quote in ['"', '\'', '`'] {
            let mut places = line.match_indices(quote).map(|(at, _)| at);
            let Some(mut open) = places.next() else {
                continue;
            };
            for close in places {
                let pieces = (
                    line.get(..open),
                    line.get(open + 1..close),
                    line.get(close + 1..),
                );
                if let (Some(before), Some(text), Some(after)) = pieces
                    && !text.is_empty()
                    && text.len() <= PIECE
                {
                    let before = before.trim_end();
                    let lead = if before.is_empty() { previous } else { before };
                    found.push(Quoted {
                        line: *number,
                        lead,
                        text,
                        after,
                    });
                }
                open = close;
            }
        }
        if !line.trim().is_empty() {
            previous = line.trim_end();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{code_lines, quoted};

    fn pieces(path: &str, text: &str) -> Vec<(u32, String, String)> {
        let lines = code_lines(path, (1..).zip(text.lines()));
        quoted(&lines)
            .into_iter()
            .map(|own| (own.line, own.lead.to_owned(), own.text.to_owned()))
            .collect()
    }

    #[test]
    fn nested_quotes_and_quotes_on_the_next_line_are_found() {
        let text = "// emit('no')\nemit(\n  'saved',\n);\n<a :to=\"go('home')\">";
        let found = pieces("a.vue", text);
        let has = |line, lead: &str, text: &str| {
            found.contains(&(line, lead.to_owned(), text.to_owned()))
        };
        assert!(has(3, "emit(", "saved"), "{found:?}");
        assert!(has(5, "<a :to=\"go(", "home"), "{found:?}");
        assert!(found.iter().all(|(_, _, text)| text != "no"));
    }

    #[test]
    fn comments_depend_on_the_language() {
        assert!(pieces("a.py", "# f('x')").is_empty());
        let commented = "/*\n  f('x')\n*/\nf('y')";
        assert_eq!(pieces("a.js", commented).len(), 1);
        assert_eq!(pieces("a.js", "/*\n  f('x')").len(), 1);
        assert_eq!(pieces("a.c", "#include \"x.h\"").len(), 1);
        assert_eq!(pieces("a.php", "#[Route('x')]").len(), 1);
    }

    proptest! {
        #[test]
        fn the_work_is_linear(text in "([\"'`a.(\\\\ é#/\n]|\\PC){0,200}") {
            let found = pieces("a.js", &text);
            let bytes: usize = found.iter().map(|(_, _, text)| text.len() + 1).sum();
            prop_assert!(bytes <= 3 * text.len() + 3);
        }
    }
}
