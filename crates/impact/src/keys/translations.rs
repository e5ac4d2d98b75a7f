//! Files with translations, by their paths.

use super::text::{extension, folders, stem};

/// Folders with translations.
pub(super) const TRANSLATIONS: &[&str] = &[
    "locales", "locale", "lang", "langs", "i18n", "translations", "translation", "intl", "messages",
];

/// Whether a name is a language, perhaps with a region.
pub(super) fn is_locale(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, "US"));
    language.len() == 2
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && (2..=4).contains(&region.len())
        && region.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The parts of a path from a folder with translations or resources on, without the extension.
pub(super) fn translation_parts(path: &str) -> impl Iterator<Item = &str> {
    let start = |part: &&str| !is_of_translations(part) && *part != "res";
    folders(path)
        .skip_while(start)
        .chain(folders(path).any(|part| !start(&part)).then(|| stem(path)))
}

/// Whether a file may define translations.
pub(crate) fn may_define_translations(path: &str) -> bool {
    is_translation(path) || extension(path) == "properties"
}

/// Whether a file is in a folder with translations.
pub(super) fn is_translation(path: &str) -> bool {
    folders(path).any(is_of_translations)
}

/// Whether a folder has translations, such as `I18N`.
fn is_of_translations(folder: &str) -> bool {
    TRANSLATIONS
        .iter()
        .any(|name| name.eq_ignore_ascii_case(folder))
}

/// The language of a file with translations.
pub(super) fn locale(path: &str) -> Option<&str> {
    let own = stem(path).split_once('_').map(|(_, end)| end);
    let parts = translation_parts(path).chain(own);
    let mut parts = parts.map(|part| part.strip_prefix("values-").unwrap_or(part));
    parts.find(|part| is_locale(part))
}
