//! Replaces invisible and misleading characters.

/// Returns the character, or U+FFFD for one that controls a terminal, is invisible, separates lines or reorders the
/// text around it. A change can use such characters to hide text from people but not from a model, and findings that
/// quote it must not pass them on.
///
/// Joiners are replaced although Persian and some emoji use them, because between other letters they are invisible.
/// Variation selectors for text and emoji (U+FE00 to U+FE0F) are kept, because they follow a visible character.
#[must_use]
pub fn visible(c: char) -> char {
    let is_hidden = matches!(c,
        '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    if is_hidden || c.is_control() {
        '\u{fffd}'
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn visible_characters_are_kept_and_invisible_ones_are_marked() {
        let shown: String = "é忽👩\u{fe0f}".chars().map(visible).collect();
        assert_eq!(shown, "é忽👩\u{fe0f}");
        let hidden = [
            '\u{1b}', '\n', '\t', '\u{85}', '\u{61c}', '\u{180e}', '\u{200b}', '\u{200d}',
            '\u{200f}', '\u{2028}', '\u{202e}', '\u{2060}', '\u{2069}', '\u{206f}', '\u{feff}',
            '\u{fffb}', '\u{e0001}', '\u{e0041}', '\u{e0100}', '\u{e01ef}',
        ];
        assert!(hidden.into_iter().all(|c| visible(c) == '\u{fffd}'));
    }
}
