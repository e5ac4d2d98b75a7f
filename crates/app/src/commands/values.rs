//! Argument values that several commands share.

use review::{Language, MAX_DESCRIPTION_CHARS};

/// A language by any of its names.
///
/// # Errors
/// There is no such language: the message lists similar names.
pub(super) fn named_language(name: &str) -> Result<Language, String> {
    Language::find(name).ok_or_else(|| match Language::nearest(name).as_slice() {
        [] => "not a language that GitHub Linguist knows".to_owned(),
        names => format!("unknown language; the nearest known: {}", names.join(", ")),
    })
}

/// The description of a change.
///
/// # Errors
/// The text is too long.
pub(super) fn change_message(text: &str) -> Result<String, String> {
    let characters = text.chars().count();
    let fits = characters <= MAX_DESCRIPTION_CHARS;
    fits.then(|| text.to_owned()).ok_or_else(|| {
        format!("expected at most {MAX_DESCRIPTION_CHARS} characters, not {characters}")
    })
}
