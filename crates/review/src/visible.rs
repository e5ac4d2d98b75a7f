//! Characters that people do not see as what they are.

/// The character, or U+FFFD in the place of one that controls a terminal, shows nothing, separates lines or changes the order of
/// what stands around it. A change can hide text in such characters from people and show it to a model, and a finding that quotes
/// it must not pass it on.
///
/// Joiners are among them, although Persian and some emoji use them: between other letters nobody sees one. Variation selectors
/// for text and emoji (U+FE00 to U+FE0F) are not, because they follow a character that is seen.
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
    fn what_is_seen_stays_and_what_is_not_becomes_a_mark() {
        let shown: String = "é忽👩\u{fe0f}".chars().map(visible).collect();
        assert_eq!(shown, "é忽👩\u{fe0f}");
        let hidden = [
            '\u{1b}',
            '\n',
            '\t',
            '\u{85}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200d}',
            '\u{200f}',
            '\u{2028}',
            '\u{202e}',
            '\u{2060}',
            '\u{2069}',
            '\u{206f}',
            '\u{feff}',
            '\u{fffb}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{e01ef}',
        ];
        assert!(hidden.into_iter().all(|c| visible(c) == '\u{fffd}'));
    }
}
