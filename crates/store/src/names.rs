//! Names that people give: what may stand in one, and how one that has more than that is shown.
//!
//! A name is read by others, in lists, logs and terminals. So it must not turn the direction of what stands around it, and not
//! look like another one because of something that nobody sees.

use std::{borrow::Cow, fmt::Write as _};

/// Scripts in which a joiner or a variation changes what is seen begin here; before them are Latin, Greek, Cyrillic and Armenian.
const FIRST_JOINING: char = '\u{590}';

/// The first character that misleads whoever reads the name: one that turns the direction of writing, breaks the line, or shows
/// nothing. Joiners and variation selectors are taken where they change what is seen: in emoji and in the scripts that use them.
#[must_use]
pub fn misleading_character(name: &str) -> Option<char> {
    let mut before = None;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        let misleads = match character {
            '\u{200c}' | '\u{200d}' => !joins(before) || !joins(after),
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => !varies(before),
            _ => is_misleading(character),
        };
        if misleads {
            return Some(character);
        }
        before = Some(character);
    }
    None
}

/// The name for a line of text: what misleads, or steers a terminal, is written as its code point, `\u{202e}`.
#[must_use]
pub fn plain(name: &str) -> Cow<'_, str> {
    if misleading_character(name).is_none() && !name.chars().any(char::is_control) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_control() || is_misleading(character) || is_conditional(character) {
            // Writing to a text does not fail.
            let _ = write!(shown, "{}", character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Whether a name of these characters shows nothing at all.
#[must_use]
pub fn is_blank(name: &str) -> bool {
    name.chars().all(|character| {
        character.is_whitespace() || character == '\u{34f}' || is_misleading(character) || is_conditional(character)
    })
}

fn joins(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(|character| character >= FIRST_JOINING && !character.is_whitespace())
}

/// Digits, `#` and `*` become keycaps, and some signs emoji.
fn varies(before: Option<char>) -> bool {
    joins(before) || matches!(before, Some('0'..='9' | '#' | '*' | '©' | '®'))
}

fn is_conditional(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Those of Unicode 16 that turn the direction (`Bidi_Control`), separate lines, or are ignored by default and have no use in a
/// name; and the fillers that are blank.
fn is_misleading(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{is_blank, misleading_character, plain};

    #[test]
    fn what_turns_or_hides_is_found_wherever_it_stands() {
        let turning = ['\u{61c}', '\u{200e}', '\u{200f}'].into_iter();
        let turning = turning.chain('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        let hidden = ['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}', '\u{3164}', '\u{2028}', '\u{e0041}'];
        for character in turning.chain(hidden).chain(['\u{200c}', '\u{200d}', '\u{fe0f}', '\u{e0100}']) {
            for name in [format!("{character}Acme"), format!("Ac{character}me"), format!("Acme{character}")] {
                assert_eq!(misleading_character(&name), Some(character), "{name:?}");
                let shown = plain(&name);
                assert!(shown.contains(&character.escape_unicode().to_string()), "{shown:?}");
                assert!(!shown.contains(character) && shown.contains("me"), "{shown:?}");
            }
            assert!(is_blank(&format!(" {character}")), "{character:?}");
        }
    }

    #[test]
    fn names_of_every_script_are_taken() {
        let names = [
            "Acme",
            "Ünïcode & Söhne",
            "e\u{301}",
            "אבג",
            "شركة",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "株式会社",
            "葛\u{e0100}城",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "🇩🇪",
            "©\u{fe0f}",
            "a\u{a0}b",
        ];
        for name in names {
            assert_eq!((misleading_character(name), plain(name).as_ref()), (None, name));
            assert!(!is_blank(name), "{name:?}");
        }
    }

    #[test]
    fn what_steers_a_terminal_is_shown_and_not_done() {
        assert_eq!(plain("a\u{1b}[2Jb\n\u{9b}c"), "a\\u{1b}[2Jb\\u{a}\\u{9b}c");
    }
}
