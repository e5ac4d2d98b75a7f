//! Names that people give.

use super::json::Fields;
use crate::limits::ORGANIZATION_NAME_CHARACTERS as NAME_CHARACTERS;

/// Takes the property `name`, trimmed, unless it has a fault.
pub(crate) fn take(fields: &mut Fields) -> Option<String> {
    let given = fields.required_text("name")?;
    let name = given.trim();
    let characters = name.chars().count();
    if name.chars().all(is_invisible) {
        fields.fault("name", "must not be blank");
    } else if name.chars().any(char::is_control) {
        fields.fault("name", "must not have control characters");
    } else if characters > NAME_CHARACTERS {
        let detail = format!("must have at most {NAME_CHARACTERS} characters, not {characters}");
        fields.fault("name", detail);
    } else {
        return Some(name.to_owned());
    }
    None
}

/// White space, or one of the characters that show nothing though Unicode does not count them as white space (the
/// default-ignorable format characters and fillers of Unicode 16, section 5.21).
fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}'
        )
}
