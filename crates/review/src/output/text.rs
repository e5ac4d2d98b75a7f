//! Makes text that may quote a diff safe for terminals, logs and editors.

use std::fmt::Write as _;

use crate::visible::visible;

/// Returns the text on one line: line feeds become spaces, tabs four spaces, and invisible characters a mark ([`visible`]).
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end_matches('\r').chars() {
        match c {
            '\t' => out.push_str("    "),
            '\n' => out.push(' '),
            c => out.push(visible(c)),
        }
    }
    defused(out)
}

/// As [`plain`], but keeps lines: CRLF and CR become a line feed, and tabs stay.
pub(super) fn scrub(text: &str) -> String {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    defused(
        unified
            .chars()
            .map(|c| {
                if matches!(c, '\n' | '\t') {
                    c
                } else {
                    visible(c)
                }
            })
            .collect(),
    )
}

/// Text for a terminal or the log of a CI system, which may execute parts of it. It contains no control characters, and
/// no line starts with `::`, the mark of GitHub's workflow commands.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in scrub(text).split_inclusive('\n') {
        match line.trim_start().strip_prefix("::") {
            Some(rest) => {
                out.push_str(": :");
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// JSON with the same value, for a terminal or the log of a CI system: invisible characters, and the first `#` of `##`,
/// are escaped. JSON contains neither outside strings.
#[must_use]
pub fn printable_json(json: String) -> String {
    let is_hidden = |c: char| c != '\n' && visible(c) != c;
    if !json.contains("##") && !json.chars().any(is_hidden) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    let mut characters = json.chars().peekable();
    while let Some(c) = characters.next() {
        if is_hidden(c) || (c == '#' && characters.peek() == Some(&'#')) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The first `most` characters, ending in an ellipsis if the text is longer.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// Neutralizes commands that CI systems execute anywhere in a line of their log: `##[command]` (GitHub's first syntax,
/// Azure) and `##vso[command]`.
fn defused(text: String) -> String {
    if !text.contains("##") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("##") {
        let (before, command) = rest.split_at(at + 1);
        out.push_str(before);
        if is_command(command) {
            out.push(' ');
        }
        rest = command;
    }
    out + rest
}

/// Whether a text that starts with the second `#` has the form `#name[`.
fn is_command(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|name| {
        name.trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .starts_with('[')
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};
    use proptest::{collection, sample::select};
    use serde_json::{Value, json};

    use super::{clip, plain, printable, printable_json, scrub};

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(
            plain("a\tb\nc\u{1b}[31m\u{202e}d\re\r"),
            "a    b c\u{fffd}[31m\u{fffd}d\u{fffd}e"
        );
        assert_eq!(scrub("a\r\nb\rc\u{7}\td"), "a\nb\nc\u{fffd}\td");
    }

    #[test]
    fn commands_inside_a_line_are_neutralized_and_headings_stay() {
        assert_eq!(
            plain("x ##[error]y ##vso[task.setvariable]"),
            "x # #[error]y # #vso[task.setvariable]"
        );
        assert_eq!(plain("## Title, ###[x]"), "## Title, ## #[x]");
    }

    #[test]
    fn no_line_is_a_workflow_command() {
        assert_eq!(
            printable("a::b\n ::error::x\r::set-env y"),
            "a::b\n: :error::x\n: :set-env y"
        );
        assert_eq!(printable("##vso[x]\u{9b}"), "# #vso[x]\u{fffd}");
    }

    #[test]
    fn json_is_escaped_and_has_the_same_value() {
        let value = json!({ "##[a]": "###vso[b] # \\\u{202e}\u{9b}\u{7f}\u{e0041}\n" });
        let text = printable_json(value.to_string());
        assert_eq!(
            text,
            r####"{"\u0023#[a]":"\u0023\u0023#vso[b] # \\\u202e\u009b\u007f\udb40\udc41\n"}"####
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    proptest! {
        #[test]
        fn any_json_keeps_its_value(
            words in collection::vec(select(vec!["#", "##", "\\", "\"", "\u{202e}", "\u{9b}", "\n", "\t", "é", "u"]), 0..12),
            c in any::<char>(),
        ) {
            let value = json!([{ words.concat(): c.to_string() + &words.concat() }]);
            for text in [value.to_string(), format!("{value:#}")] {
                let text = printable_json(text);
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
                assert!(!text.contains("##") && !text.chars().any(|c| c != '\n' && crate::visible::visible(c) != c));
            }
        }
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        assert_eq!(
            (clip("äbc", 3), clip("äbcd", 3)),
            ("äbc".into(), "äb…".into())
        );
    }
}
