//! Names chosen by users: which characters they may contain, and how to display any others safely.
//!
//! Names appear in lists, logs and terminals, so a name must neither change the direction of the surrounding text nor
//! use invisible characters to imitate another name.

use std::{borrow::Cow, fmt::Write as _};

/// In scripts from here on, joiners and variation selectors can be visible; Latin, Greek, Cyrillic and Armenian come
/// before.
const FIRST_JOINING: char = '\u{590}';

/// The first misleading character of a name: one that changes the writing direction, breaks the line, or is invisible.
/// Joiners and variation selectors are allowed where they are visible: in emoji and in the scripts that use them.
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

/// A one-line form of the text: misleading and control characters are written as code points, `\u{202e}`.
#[must_use]
pub fn plain(name: &str) -> Cow<'_, str> {
    if misleading_character(name).is_none() && !name.chars().any(char::is_control) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_control() || is_misleading(character) || is_conditional(character) {
            // Writing to a string does not fail.
            let _ = write!(shown, "{}", character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Whether the characters of a name are all invisible.
#[must_use]
pub fn is_blank(name: &str) -> bool {
    name.chars().all(|character| {
        character.is_whitespace()
            || character == '\u{34f}'
            || is_misleading(character)
            || is_conditional(character)
    })
}

fn joins(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(|character| character >= FIRST_JOINING && !character.is_whitespace())
}

/// Digits, `#` and `*` form keycaps, and some symbols have an emoji form.
fn varies(before: Option<char>) -> bool {
    joins(before) || matches!(before, Some('0'..='9' | '#' | '*' | '©' | '®'))
}

fn is_conditional(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The characters of Unicode 16 that change the direction (`Bidi_Control`), separate lines, or are ignored by default and
/// have no use in a name, and the blank fillers.
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
    fn misleading_characters_are_found_at_any_position() {
        let turning = ['\u{61c}', '\u{200e}', '\u{200f}'].into_iter();
        let turning = turning
            .chain('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}');
        let hidden = [
            '\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}', '\u{3164}', '\u{2028}', '\u{e0041}',
        ];
        for character in turning
            .chain(hidden)
            .chain(['\u{200c}', '\u{200d}', '\u{fe0f}', '\u{e0100}'])
        {
            for name in [
                format!("{character}Acme"),
                format!("Ac{character}me"),
                format!("Acme{character}"),
            ] {
                assert_eq!(misleading_character(&name), Some(character), "{name:?}");
                let shown = plain(&name);
                assert!(
                    shown.contains(&character.escape_unicode().to_string()),
                    "{shown:?}"
                );
                assert!(
                    !shown.contains(character) && shown.contains("me"),
                    "{shown:?}"
                );
            }
            assert!(is_blank(&format!(" {character}")), "{character:?}");
        }
    }

    #[test]
    fn names_in_every_script_are_accepted() {
        let names = [
            "Acme", "Ünïcode & Söhne", "e\u{301}", "אבג", "شركة", "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष", "株式会社", "葛\u{e0100}城", "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥", "1\u{fe0f}\u{20e3}", "🇩🇪", "©\u{fe0f}", "a\u{a0}b",
        ];
        for name in names {
            assert_eq!(
                (misleading_character(name), plain(name).as_ref()),
                (None, name)
            );
            assert!(!is_blank(name), "{name:?}");
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("a\u{1b}[2Jb\n\u{9b}c"), "a\\u{1b}[2Jb\\u{a}\\u{9b}c");
    }
}
