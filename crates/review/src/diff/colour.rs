//! Colour codes in a diff, as `git diff --color=always` and `diff --color` write them around and inside lines.
//!
//! A line with highlighted trailing blanks, and a hunk header with a heading, contain codes in the middle, so a coloured
//! text cannot be borrowed from. [`strip`] returns a plain copy. Escape codes in a file's content do not make a diff
//! coloured: only codes before a header at the start of a line count, where a plain diff never has any.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;
const HEADERS: [&str; 5] = ["diff ", "--- ", "+++ ", "@@ ", "@@@"];

/// The text without colour codes, if it is a coloured diff. Line numbers do not change.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    if first_line(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) =
        memchr::memchr(ESCAPE, rest.as_bytes()).and_then(|at| rest.split_at_checked(at))
    {
        plain.push_str(before);
        let skipped = code(after).unwrap_or_else(|| {
            plain.push('\u{1b}');
            1
        });
        rest = after.get(skipped..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The number of the first coloured header line.
pub(super) fn first_line(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let found = memchr::memchr_iter(ESCAPE, bytes).find(|at| {
        let starts_line = at
            .checked_sub(1)
            .is_none_or(|before| bytes.get(before) == Some(&b'\n'));
        starts_line && text.get(*at..).is_some_and(is_coloured_header)
    })?;
    Some(1 + memchr::memchr_iter(b'\n', bytes.get(..found)?).count())
}

fn is_coloured_header(mut line: &str) -> bool {
    while let Some(length) = code(line) {
        line = line.get(length..).unwrap_or_default();
    }
    HEADERS.iter().any(|header| line.starts_with(header))
}

/// The length of the code at the start of the text: SGR (`m`) or erase in line (`K`), as in ECMA-48.
fn code(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters
        .bytes()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))
        .count();
    matches!(parameters.as_bytes().get(length), Some(b'm' | b'K')).then_some(2 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::{first_line, strip};

    #[test]
    fn a_coloured_diff_loses_its_codes_and_keeps_other_escapes() {
        let text = "x\n\
            \u{1b}[1m\u{1b}[36m@@ -1 +1 @@\u{1b}[m f()\n\
            \u{1b}[32m+\u{1b}[mé\u{1b}[41m \u{1b}[0;1m\u{1b}[Ky\u{1b}[2J\u{1b}";
        assert_eq!(first_line(text), Some(2));
        assert_eq!(strip(text), "x\n@@ -1 +1 @@ f()\n+é y\u{1b}[2J\u{1b}");
    }

    #[test]
    fn escapes_in_the_content_of_a_plain_diff_stay() {
        let text = "--- a\n+++ b\n@@ -1 +1 @@\n-\u{1b}[1mdiff \n+\u{1b}[31m@@ \u{1b}[m\n";
        assert_eq!(first_line(text), None);
        assert_eq!(strip(text), text);
    }
}
