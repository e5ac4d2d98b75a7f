//! A line of code, or another text of a diff, as HTML.

use std::fmt::{self, Display, Formatter, Write as _};

use askama::filters::{Escaper as _, Html, HtmlSafe};
use review::visible::visible;

/// A text in which characters that mislead, such as those that turn the direction of writing, are shown by their code points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a>(pub(super) &'a str);

/// Its display is escaped.
impl HtmlSafe for Shown<'_> {}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.trim_end_matches('\r');
        while let Some((at, odd)) = rest.char_indices().find(|(_, c)| *c != '\t' && visible(*c) != *c) {
            Html.write_escaped_str(&mut *f, &rest[..at])?;
            write!(f, "<mark class=\"odd\">U+{:04X}</mark>", u32::from(odd))?;
            rest = &rest[at + odd.len_utf8()..];
        }
        Html.write_escaped_str(&mut *f, rest)?;
        // A line without text has its height all the same, and is copied as a line.
        if self.0.is_empty() { f.write_char('\n') } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn every_text_is_escaped_and_what_misleads_is_marked() {
        for (text, shown) in [
            ("a\tb", "a\tb"),
            ("a < b && \"c\"", "a &#60; b &#38;&#38; &#34;c&#34;"),
            ("</code><script>", "&#60;/code&#62;&#60;script&#62;"),
            ("x\u{202e}<y", "x<mark class=\"odd\">U+202E</mark>&#60;y"),
            ("\u{1b}[31m\r", "<mark class=\"odd\">U+001B</mark>[31m"),
            ("a\rb", "a<mark class=\"odd\">U+000D</mark>b"),
            ("", "\n"),
        ] {
            assert_eq!(Shown(text).to_string(), shown);
        }
    }
}
