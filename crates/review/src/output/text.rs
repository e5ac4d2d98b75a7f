//! Makes text that may quote a diff safe for terminals, logs and editors.

use crate::visible::visible;

/// Returns the text on one line: line feeds become spaces, tabs four spaces, and invisible characters a mark ([`visible`]).
pub(super) fn plain(text: &str) -> String {
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
    defused(unified.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { visible(c) }).collect())
}

/// The first `most` characters, ending in an ellipsis if the text is longer.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Neutralizes what continuous integration would run as a command anywhere in a line of its log: `##[command]` (GitHub's
/// first syntax, Azure) and `##vso[command]`.
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
    text.strip_prefix('#')
        .is_some_and(|name| name.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::{clip, plain, scrub};

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(plain("a\tb\nc\u{1b}[31m\u{202e}d\re\r"), "a    b c\u{fffd}[31m\u{fffd}d\u{fffd}e");
        assert_eq!(scrub("a\r\nb\rc\u{7}\td"), "a\nb\nc\u{fffd}\td");
    }

    #[test]
    fn commands_inside_a_line_are_neutralized_and_headings_stay() {
        assert_eq!(plain("x ##[error]y ##vso[task.setvariable]"), "x # #[error]y # #vso[task.setvariable]");
        assert_eq!(plain("## Title, ###[x]"), "## Title, ## #[x]");
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        assert_eq!((clip("äbc", 3), clip("äbcd", 3)), ("äbc".into(), "äb…".into()));
    }
}
