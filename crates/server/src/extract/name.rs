//! Display names.

use store::names;

use super::json::Fields;
use crate::limits::ORGANIZATION_NAME_CHARACTERS as NAME_CHARACTERS;

/// Takes the property `name` and trims it. `None` if it has a fault.
pub(crate) fn take(fields: &mut Fields) -> Option<String> {
    let given = fields.required_text("name")?;
    let name = given.trim();
    let characters = name.chars().count();
    if names::is_blank(name) {
        fields.fault("name", "must not be blank");
    } else if name.chars().any(char::is_control) {
        fields.fault("name", "must not contain control characters");
    } else if let Some(character) = names::misleading_character(name) {
        let code = u32::from(character);
        fields.fault(
            "name",
            format!("must not contain the misleading character U+{code:04X} here"),
        );
    } else if characters > NAME_CHARACTERS {
        let detail = format!("must have at most {NAME_CHARACTERS} characters, not {characters}");
        fields.fault("name", detail);
    } else {
        return Some(name.to_owned());
    }
    None
}
