//! The keys that added lines of a file read, with other keys that its code reads in the same way.
//!
//! Which calls read translations differs between projects. A call is known to do so if another key that it reads is
//! defined in the repository, so each key comes with such siblings.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use review::{Chunk, LineKind};
use serde::{Deserialize, Serialize};

use super::KeyKind;
use super::kinds::{is_word, last_part};
use super::lines::RESOURCES;
use super::table::{is_usual, kind_of_read};
use super::text::{Quoted, code_lines, extension, quoted};

/// The maximum number of keys of one file.
const KEYS: usize = 20;
/// The maximum number of siblings of a key.
const SIBLINGS: usize = 3;
/// The maximum length of a key.
const KEY: usize = 120;
/// The maximum number of bytes before and after a key that are examined.
const AROUND: usize = 200;
/// Calls that ask whether a key exists.
const QUESTIONS: &[&str] = &["te", "$te", "exists", "exists?", "has", "hasKey"];

/// A key that an added line reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadKey {
    /// Its kind.
    pub kind: KeyKind,
    /// The key.
    pub key: String,
    /// The line, on the new side.
    pub line: u32,
    /// Other keys that the file reads in the same way.
    pub siblings: Vec<String>,
}

/// The way in which a key is read: the called function and the argument, or another text before the key.
type Way<'t> = (KeyKind, &'t str, usize);

/// The keys that added lines of a file read, and that its other lines do not.
pub(super) fn read_keys(file: &Chunk<'_>) -> Vec<ReadKey> {
    let path = file.path.as_ref();
    let of = |kinds: &[LineKind]| -> Vec<(u32, &str)> {
        let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let own = lines.filter(|line| kinds.contains(&line.kind));
        code_lines(
            path,
            own.filter_map(|line| Some((line.number()?, line.text))),
        )
    };
    let added = reads(path, &of(&[LineKind::Added]));
    if added.is_empty() {
        return Vec::new();
    }
    let kept = reads(path, &of(&[LineKind::Context]));
    let removed = reads(path, &of(&[LineKind::Removed]));
    let known: BTreeSet<&str> = kept
        .iter()
        .chain(&removed)
        .map(|(_, key, _)| *key)
        .collect();
    let mut by_way: BTreeMap<Way<'_>, BTreeSet<&str>> = BTreeMap::new();
    for (way, key, _) in kept.iter().chain(&added) {
        by_way.entry(*way).or_default().insert(key);
    }
    let mut found: BTreeMap<(KeyKind, &str), ReadKey> = BTreeMap::new();
    for (way, key, line) in &added {
        let kind = way.0;
        if known.contains(key) || found.len() == KEYS || is_usual(kind, key) {
            continue;
        }
        let others = by_way.get(way).into_iter().flatten().copied();
        let mut others: Vec<&str> = others
            .filter(|own| own != key && is_sibling(kind, key, own))
            .collect();
        others.sort_by_key(|own| {
            (
                !known.contains(own),
                group(own) != group(key),
                Reverse(own.len()),
            )
        });
        let siblings: Vec<String> = others
            .into_iter()
            .take(SIBLINGS)
            .map(|own| as_defined(kind, own))
            .collect();
        if !siblings.is_empty() {
            found.entry((kind, key)).or_insert_with(|| ReadKey {
                kind,
                key: as_defined(kind, key),
                line: *line,
                siblings,
            });
        }
    }
    found.into_values().collect()
}

/// A key as definitions have it.
fn as_defined(kind: KeyKind, key: &str) -> String {
    match kind {
        KeyKind::Resource => key.replacen('.', "/", 1),
        _ => key.to_owned(),
    }
}

/// The first part of a key.
fn group(key: &str) -> Option<&str> {
    key.split_once(['.', ':', '/']).map(|(first, _)| first)
}

/// Whether a key is defined where another one is. Packages define configuration and routes with names of their own.
fn is_sibling(kind: KeyKind, key: &str, other: &str) -> bool {
    kind == KeyKind::Translation || group(key) == group(other)
}

/// The keys that lines read, with the way and the line.
fn reads<'t>(path: &str, lines: &[(u32, &'t str)]) -> Vec<(Way<'t>, &'t str, u32)> {
    let mut found = Vec::new();
    match extension(path) {
        "kt" | "java" | "xml" => {
            found.extend(lines.iter().flat_map(|(line, text)| resources(*line, text)))
        }
        "py" => found.extend(lines.iter().flat_map(|(line, text)| settings(*line, text))),
        _ => {}
    }
    found.extend(
        quoted(lines)
            .iter()
            .filter_map(|own| Some((way(path, own)?, own.text, own.line))),
    );
    found
}

/// The resources that a line reads: `R.string.name` with any prefix of `R`, or `@string/name`.
fn resources(line: u32, text: &str) -> impl Iterator<Item = (Way<'_>, &str, u32)> {
    RESOURCES.iter().flat_map(move |(_, group)| {
        text.match_indices(group).filter_map(move |(at, _)| {
            let (before, after) = (text.get(..at)?, text.get(at + group.len()..)?);
            let lead = match after.chars().next()? {
                '.' => before.strip_suffix("R.")?,
                '/' => before.strip_suffix('@')?,
                _ => return None,
            };
            if lead.ends_with("android.") || lead.ends_with("android:") {
                return None;
            }
            let prefix = lead.get(word_start(lead)..)?;
            let name = after.get(1..)?;
            let end = name.find(|c: char| !is_word(c)).unwrap_or(name.len());
            let key = text.get(at..at + group.len() + 1 + end)?;
            (end > 2).then_some(((KeyKind::Resource, prefix, 0), key, line))
        })
    })
}

/// The settings of Django that a line reads.
fn settings(line: u32, text: &str) -> impl Iterator<Item = (Way<'_>, &str, u32)> {
    text.match_indices("settings.")
        .filter_map(move |(at, own)| {
            let name = text.get(at + own.len()..)?;
            let end = name.find(|c: char| !is_word(c)).unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            let is_constant = name.len() > 4
                && name.contains('_')
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
            let is_own = text
                .get(..at)
                .is_some_and(|lead| !lead.ends_with(|c: char| is_word(c) || c == '.'));
            let is_set =
                after.trim_start().starts_with('=') && !after.trim_start().starts_with("==");
            (is_own && is_constant && !is_set).then_some((
                (KeyKind::Setting, "settings", 0),
                name,
                line,
            ))
        })
}

/// The way in which a piece between quotes is read, if it may be a key.
fn way<'t>(path: &str, own: &Quoted<'t>) -> Option<Way<'t>> {
    let after = own
        .after
        .get(..own.after.floor_char_boundary(AROUND))?
        .trim_start();
    let lead = own.lead.get(
        own.lead
            .ceil_char_boundary(own.lead.len().saturating_sub(AROUND))..,
    )?;
    let is_joined = after.starts_with(['+', '~'])
        || after.starts_with('%') && !after.starts_with("%}")
        || extension(path) == "php" && after.starts_with('.');
    let has_default = after
        .strip_prefix(',')
        .is_some_and(|rest| rest.trim_start().starts_with(['"', '\'', '`']))
        || after.contains("default");
    if !is_key(own.text) || is_joined || has_default {
        return None;
    }
    let kind = kind_of(path, own)?;
    if kind == KeyKind::Config && after.starts_with(',') {
        return None;
    }
    if own.text.contains(['.', ':']) && after.starts_with('|') {
        return Some((kind, "|", 0));
    }
    let (call, argument) = called(lead)?;
    let is_question = QUESTIONS.contains(&call);
    (!is_question).then_some((kind, call, argument))
}

/// The kind of the keys that a call reads. Whether the other calls read translations is for their siblings to show.
fn kind_of(path: &str, own: &Quoted<'_>) -> Option<KeyKind> {
    kind_of_read(path, own.lead).or_else(|| {
        own.text
            .contains(['.', ':'])
            .then_some(KeyKind::Translation)
    })
}

/// Whether a text has the form of a key: parts of letters, digits, `_` and `-`, of which the last has three characters
/// or more.
fn is_key(text: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    text.len() <= KEY && text.split(['.', ':']).all(is_part) && last_part(text).len() > 2
}

/// The name of the innermost call that is open at the end of a text, and the number of arguments before the end; an
/// attribute or a Ruby call without parentheses counts too.
fn called(lead: &str) -> Option<(&str, usize)> {
    let (mut depth, mut argument) = (0_usize, 0);
    for (at, c) in lead.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                let before = lead.get(..at)?;
                let name = before.get(word_start(before)..)?;
                return (!name.is_empty()).then_some((name, argument));
            }
            '[' | '{' if depth == 0 => break,
            '(' | '[' | '{' => depth -= 1,
            ',' if depth == 0 => argument += 1,
            _ => {}
        }
    }
    let name = lead.get(word_start(lead.strip_suffix('=').unwrap_or(lead))..)?;
    (argument == 0 && name.starts_with(is_word)).then_some((name, 0))
}

/// Where the word at the end of a text starts, with a mark of Rust's macros or Ruby's questions.
fn word_start(text: &str) -> usize {
    text.trim_end_matches(|c: char| is_word(c) || matches!(c, '!' | '?'))
        .len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::reads;
    use crate::keys::KeyKind;
    use crate::keys::code_lines;

    fn keys(path: &str, text: &str) -> Vec<(KeyKind, String, usize, String)> {
        let lines = code_lines(path, (1..).zip(text.lines()));
        let found = reads(path, &lines).into_iter();
        found
            .map(|((kind, call, argument), key, _)| {
                (kind, call.to_owned(), argument, key.to_owned())
            })
            .collect()
    }

    #[test]
    fn keys_are_read_in_calls_attributes_and_filters() {
        for (path, text, expected) in [
            (
                "a.go",
                "return nil, Wrap(err(1, 2), \"error.no_feed\", err)",
                (KeyKind::Translation, "Wrap", 1, "error.no_feed"),
            ),
            (
                "a.vue",
                "<p>{{ $t('cart.empty') }}</p>",
                (KeyKind::Translation, "$t", 0, "cart.empty"),
            ),
            (
                "a.tsx",
                "<Trans i18nKey=\"cart.empty\" />",
                (KeyKind::Translation, "i18nKey=", 0, "cart.empty"),
            ),
            (
                "a.html",
                "{{ 'cart.empty' | translate }}",
                (KeyKind::Translation, "|", 0, "cart.empty"),
            ),
            (
                "a.rb",
                "flash[:note] = t 'cart.empty'",
                (KeyKind::Translation, "t", 0, "cart.empty"),
            ),
            (
                "a.kt",
                "getString(CartR.string.cart_empty)",
                (KeyKind::Resource, "Cart", 0, "string.cart_empty"),
            ),
            (
                "a.xml",
                "android:text=\"@string/cart_empty\"",
                (KeyKind::Resource, "", 0, "string/cart_empty"),
            ),
            (
                "a.py",
                "if settings.CART_LIMIT > 3:",
                (KeyKind::Setting, "settings", 0, "CART_LIMIT"),
            ),
            (
                "a.py",
                "return redirect(\"cart\")",
                (KeyKind::DjangoRoute, "redirect", 0, "cart"),
            ),
            (
                "a.html",
                "{% url 'shop:cart' %}",
                (KeyKind::DjangoRoute, "url", 0, "shop:cart"),
            ),
            (
                "a.php",
                "$limit = config('shop.cart.limit');",
                (KeyKind::Config, "config", 0, "shop.cart.limit"),
            ),
            (
                "a.php",
                "return redirect(route('shop.cart'));",
                (KeyKind::LaravelRoute, "route", 0, "shop.cart"),
            ),
        ] {
            let (kind, call, argument, key) = expected;
            let expected = (kind, call.to_owned(), argument, key.to_owned());
            assert!(
                keys(path, text).contains(&expected),
                "{text}: {:?}",
                keys(path, text)
            );
        }
    }

    #[test]
    fn texts_defaults_and_parts_of_keys_do_not_count() {
        for (path, text) in [
            ("a.js", "t('Hello, world.')"),
            ("a.js", "t('cart.empty', 'Nothing here')"),
            ("a.js", "t('cart.' + name)"),
            ("a.js", "if (te('cart.empty')) {}"),
            ("a.js", "// t('cart.empty')"),
            ("a.php", "config('shop.limit', 10)"),
            ("a.kt", "getString(android.R.string.cancel)"),
            ("a.py", "settings.CART_LIMIT = 3"),
        ] {
            assert_eq!(keys(path, text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(R\\.string\\.|settings\\.|[.:'\"(){},= éA_\n]|\\PC){0,200}") {
            for path in ["a.kt", "a.py", "a.rb", "a.html", "a.php"] {
                keys(path, &text);
            }
        }
    }
}
