//! Untrusted text as HTML.

use std::fmt::{self, Display, Formatter};

use askama::filters::{Escaper as _, Html, HtmlSafe};
use review::visible::visible;
use store::names;

/// A text in which misleading characters, such as those that change the writing direction, are shown as code points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a>(pub(crate) &'a str);

/// A part of a text, with the same marks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visible<'a>(pub(crate) &'a str);

/// Sentences with code in backticks, or between fences of three.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prose<'a>(pub(crate) &'a str);

/// The name of a person or an organization. Visible joiners, as in emoji, are part of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'a>(&'a str);

/// The name, for a template.
pub(crate) fn shown(name: &str) -> Name<'_> {
    Name(name)
}

impl HtmlSafe for Name<'_> {}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match names::misleading_character(self.0) {
            Some(_) => Shown(self.0).fmt(f),
            None => Html.write_escaped_str(f, self.0),
        }
    }
}

/// Its display is escaped.
impl HtmlSafe for Shown<'_> {}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Visible(self.0.trim_end_matches('\r')).fmt(f)
    }
}

impl HtmlSafe for Visible<'_> {}

impl Display for Visible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, odd)) = rest
            .char_indices()
            .find(|(_, c)| *c != '\t' && visible(*c) != *c)
        {
            Html.write_escaped_str(&mut *f, &rest[..at])?;
            write!(f, "<mark class=\"odd\">U+{:04X}</mark>", u32::from(odd))?;
            rest = &rest[at + odd.len_utf8()..];
        }
        Html.write_escaped_str(&mut *f, rest)
    }
}

impl HtmlSafe for Prose<'_> {}

impl Display for Prose<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((before, block, after)) = fenced(rest) {
            inline(before.trim_end(), f)?;
            for (at, line) in block.lines().enumerate() {
                f.write_str(if at == 0 {
                    "<code class=\"block\">"
                } else {
                    "\n"
                })?;
                Shown(line).fmt(f)?;
            }
            f.write_str("</code>")?;
            rest = after.trim_start();
        }
        inline(rest, f)
    }
}

fn inline(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let mut rest = text;
    while let Some((before, code, after)) = code(rest) {
        write!(f, "{}<code>{}</code>", Visible(before), Visible(code))?;
        rest = after;
    }
    Visible(rest).fmt(f)
}

/// The first block of code between fences, without the name of its language, and the text before and after it.
fn fenced(text: &str) -> Option<(&str, &str, &str)> {
    const FENCE: &str = "```";
    let (before, rest) = text.split_once(FENCE)?;
    let (block, after) = rest.split_once(FENCE)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-');
    let code = block.trim_start_matches(is_name);
    // The language is part of the fence only if white space follows it.
    let code = if code.starts_with(char::is_whitespace) {
        code
    } else {
        block
    };
    let code = match code.split_once('\n') {
        Some((first, rest)) if first.trim().is_empty() => rest.trim_end(),
        _ => code.trim(),
    };
    (!code.is_empty()).then_some((before, code, after))
}

/// The first text between backticks, and the text before and after it.
fn code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    (!code.is_empty()).then_some((before, code, after))
}

#[cfg(test)]
mod tests {
    use super::{Prose, Shown, shown};

    #[test]
    fn text_is_escaped_and_misleading_characters_are_marked() {
        for (text, shown) in [
            ("a\tb", "a\tb"),
            ("a < b && \"c\"", "a &#60; b &#38;&#38; &#34;c&#34;"),
            ("</code><script>", "&#60;/code&#62;&#60;script&#62;"),
            ("x\u{202e}<y", "x<mark class=\"odd\">U+202E</mark>&#60;y"),
            ("\u{1b}[31m\r", "<mark class=\"odd\">U+001B</mark>[31m"),
            ("a\rb", "a<mark class=\"odd\">U+000D</mark>b"),
            ("a\u{7}\r", "a<mark class=\"odd\">U+0007</mark>"),
            ("", ""),
        ] {
            assert_eq!(Shown(text).to_string(), shown);
        }
    }

    #[test]
    fn text_in_backticks_is_code() {
        for (text, expected) in [
            (
                "Use `a < b`, not `c`.",
                "Use <code>a &#60; b</code>, not <code>c</code>.",
            ),
            (
                "`</code><script>`",
                "<code>&#60;/code&#62;&#60;script&#62;</code>",
            ),
            (
                "`\u{202e}`",
                "<code><mark class=\"odd\">U+202E</mark></code>",
            ),
            (
                "Write ```python if a: return\n``` here.",
                "Write<code class=\"block\">if a: return</code>here.",
            ),
            (
                "```\n<a>\n  b\r\n```",
                "<code class=\"block\">&#60;a&#62;\n  b</code>",
            ),
            ("```x()```", "<code class=\"block\">x()</code>"),
            ("``` ```", "``` ```"),
            ("a ` b", "a ` b"),
            ("``` x ``", "``` x ``"),
            ("", ""),
        ] {
            assert_eq!(Prose(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_name_keeps_its_emoji_and_misleading_characters_are_marked() {
        let family = "👩\u{200d}👩\u{200d}👧".repeat(24);
        assert_eq!(shown(&family).to_string(), family);
        assert_eq!(
            shown("<b>\u{202e}x").to_string(),
            "&#60;b&#62;<mark class=\"odd\">U+202E</mark>x"
        );
        assert_eq!(shown("").to_string(), "");
    }
}
