//! The files of a repository that define keys, as far as they mention certain words.

use std::collections::{BTreeMap, BTreeSet};

use super::KeyKind;
use super::definitions::definitions;
use super::kinds::{is_word, last_part};
use super::text::{code_lines, extension, stem};
use super::translations::{is_translation, locale};
use crate::text::occurrences;

/// Extensions of files with data, of which each word may be a key.
const DATA: &[&str] = &[
    "json", "yml", "yaml", "properties", "toml", "po", "pot", "ftl", "arb", "resx", "strings",
    "xliff", "xlf", "ini",
];

/// Where keys are defined.
pub(crate) struct Catalogs<'f> {
    /// A definition of each key.
    defined: BTreeMap<(KeyKind, String), (&'f str, u32)>,
    /// The words that may be a part of a definition that is not recognized.
    possible: BTreeSet<(KeyKind, String)>,
}

impl<'f> Catalogs<'f> {
    /// Reads the definitions of the keys that end with one of these words.
    pub(crate) fn new(
        files: impl Iterator<Item = (&'f str, &'f str)>,
        words: &BTreeSet<(KeyKind, String)>,
    ) -> Self {
        let mut catalogs = Self {
            defined: BTreeMap::new(),
            possible: BTreeSet::new(),
        };
        for (path, text) in files {
            let lines = code_lines(path, (1..).zip(text.lines()));
            for own in definitions(path, &lines, true) {
                if words.contains(&(own.kind, last_part(&own.key).to_owned())) {
                    let place = (path, own.line);
                    if own.kind == KeyKind::Translation {
                        let named = format!("{}.{}", stem(path), own.key);
                        catalogs.add((own.kind, named), place);
                    }
                    catalogs.add((own.kind, own.key), place);
                }
            }
            for (kind, word) in words {
                let mut lines = lines.iter();
                if lines.any(|(_, line)| may_define(*kind, path, line, word)) {
                    catalogs.possible.insert((*kind, word.clone()));
                }
            }
        }
        catalogs
    }

    /// Keeps the first definition of a key, or one in English.
    fn add(&mut self, key: (KeyKind, String), place: (&'f str, u32)) {
        let is_english = |path: &str| locale(path).is_some_and(|own| own.starts_with("en"));
        let known = self.defined.entry(key).or_insert(place);
        if !is_english(known.0) && is_english(place.0) {
            *known = place;
        }
    }

    /// The definition of a key, with or without the namespace before a colon.
    pub(crate) fn definition(&self, kind: KeyKind, key: &str) -> Option<(&'f str, u32)> {
        let local = key.rsplit(':').next().unwrap_or(key);
        let mut forms = [key, local].into_iter();
        forms.find_map(|form| self.defined.get(&(kind, form.to_owned())).copied())
    }

    /// Whether nothing defines a key that ends with this word.
    pub(crate) fn lacks(&self, kind: KeyKind, word: &str) -> bool {
        !self.possible.contains(&(kind, word.to_owned()))
    }
}

/// Whether a line that contains a word may define a key that ends with it.
fn may_define(kind: KeyKind, path: &str, line: &str, word: &str) -> bool {
    let extension = extension(path);
    let is_data = DATA.contains(&extension);
    occurrences(line, word, is_word).any(|(lead, after)| match kind {
        KeyKind::Translation => is_data || is_translation(path) || is_entry(lead, after),
        KeyKind::Resource => {
            is_data || matches!(extension, "gradle" | "kts") || lead.ends_with("name=\"")
        }
        KeyKind::Config => is_data || extension == "php" && is_entry(lead, after),
        KeyKind::Setting => {
            is_data
                || lead.ends_with(['"', '\''])
                || lead.trim().is_empty() && after.trim_start().starts_with(['=', ':'])
        }
        _ => {
            is_data
                || path.contains("url")
                || path.contains("rout")
                || ["name", "'as'", "\"as\""]
                    .iter()
                    .any(|mark| lead.contains(mark))
        }
    })
}

/// Whether a word is the name of an entry: a separator follows it, and then a text, an object or a list.
fn is_entry(lead: &str, after: &str) -> bool {
    let rest = after
        .strip_prefix(['"', '\'', '`'])
        .unwrap_or(after)
        .trim_start();
    let is_name = lead.ends_with(['"', '\'', '`', '.'])
        || lead.trim_end().ends_with(['{', ',', '('])
        || lead.trim().is_empty();
    let starts = |mark: &str, marks: &[char]| {
        let value = rest.strip_prefix(mark).map(str::trim_start);
        value.is_some_and(|value| value.starts_with(marks))
    };
    const TEXT: &[char] = &['"', '\'', '`'];
    const VALUE: &[char] = &['"', '\'', '`', '{', '[', '|', '>'];
    let is_argument = after.starts_with(TEXT) && starts(",", TEXT);
    is_name && (is_argument || ["=>", ":", "="].iter().any(|mark| starts(mark, VALUE)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Catalogs;
    use crate::keys::KeyKind;

    fn catalogs<'f>(kind: KeyKind, path: &'f str, text: &'f str) -> Catalogs<'f> {
        Catalogs::new(
            [(path, text)].into_iter(),
            &BTreeSet::from([(kind, "empty".to_owned())]),
        )
    }

    #[test]
    fn definitions_are_found_with_and_without_a_namespace() {
        let json = "{ \"cart\": { \"empty\": \"Nothing\" } }";
        let all = catalogs(KeyKind::Translation, "web/locales/en/shop.json", json);
        for key in ["cart.empty", "shop.cart.empty", "shop:cart.empty"] {
            let expected = Some(("web/locales/en/shop.json", 1));
            assert_eq!(all.definition(KeyKind::Translation, key), expected, "{key}");
        }
        assert_eq!(all.definition(KeyKind::Translation, "empty"), None);
    }

    #[test]
    fn a_word_that_may_be_a_key_is_not_lacking() {
        for (kind, path, text, lacks) in [
            (
                KeyKind::Translation,
                "po/en.po",
                "msgid \"cart.empty\"",
                false,
            ),
            (
                KeyKind::Translation,
                "src/messages.js",
                "empty: 'Nothing',",
                false,
            ),
            (
                KeyKind::Translation,
                "src/a.js",
                "add(\"cart.empty\", \"Nothing\")",
                false,
            ),
            (
                KeyKind::Translation,
                "src/a.js",
                "const empty = t('cart.empty', all);",
                true,
            ),
            (
                KeyKind::Translation,
                "src/a.js",
                "{ empty: list.empty() }",
                true,
            ),
            (KeyKind::Setting, "shop/base.py", "empty = 3", false),
            (
                KeyKind::Setting,
                "shop/a.py",
                "hasattr(settings, \"empty\")",
                false,
            ),
            (KeyKind::Setting, "shop/a.py", "return settings.empty", true),
            (
                KeyKind::DjangoRoute,
                "shop/urls.py",
                "path('', f, name='empty')",
                false,
            ),
            (
                KeyKind::DjangoRoute,
                "shop/a.py",
                "return reverse('empty')",
                true,
            ),
            (
                KeyKind::Resource,
                "build.gradle",
                "resValue 'string', 'empty', 'x'",
                false,
            ),
            (KeyKind::Resource, "A.kt", "getString(R.string.empty)", true),
        ] {
            assert_eq!(
                catalogs(kind, path, text).lacks(kind, "empty"),
                lacks,
                "{path}: {text}"
            );
        }
    }
}
