//! The keys that a change to a file removes, adds and reads.

use std::collections::{BTreeSet, HashSet};

use review::{Around, Chunk, Line, LineKind, Side, Status};
use serde::{Deserialize, Serialize};
use syntax::semantics::vocabulary::words_of;

use super::KeyKind;
use super::columns::{dropped, in_schema};
use super::definitions::definitions;
use super::endpoints::Registered;
use super::kinds::Defined;
use super::reads::{ReadKey, read_keys};
use super::renamed::{Renaming, renamed};
use super::table::may_be_of_package;
use super::text::code_lines;
use super::translations::locale;
use crate::text::Edits;

/// The maximum number of keys of one file.
const KEYS: usize = 100;
/// Receivers of requests that need an answer.
const SERVERS: &[&str] = &["socket", "sio", "socketio", "io", "ipcMain"];

/// A key that a change removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostKey {
    /// Its kind.
    pub kind: KeyKind,
    /// The key.
    pub key: String,
    /// How it was renamed, for a text.
    pub renaming: Option<Renaming>,
    /// The changed line: that of the new key if it was renamed.
    pub line: u32,
    /// The side of the line.
    pub side: Side,
}

/// The keys that a change to a file removes, adds and reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyChanges {
    /// Those that it removes.
    pub lost: Vec<LostKey>,
    /// Those that it adds.
    pub gained: Vec<(KeyKind, String)>,
    /// Those that it did not read before.
    pub read: Vec<ReadKey>,
}

/// The keys that a change to a file removes, adds and reads.
pub(crate) fn key_changes(file: &Chunk<'_>) -> KeyChanges {
    let is_whole = file.around == Around::Nothing || file.status == Status::Removed;
    let path = file.path.as_ref();
    let code = |side: Side| {
        let number = |line: &Line<'_>| {
            if side == Side::Old {
                line.old
            } else {
                line.new
            }
        };
        let own = lines(file).filter_map(|line| Some((number(line)?, line.text)));
        code_lines(path, own)
    };
    let defined = |lines: &[(u32, &str)]| {
        let mut found = definitions(path, lines, is_whole);
        if is_whole {
            found.extend(in_schema(path, lines).into_iter().map(column));
        }
        found
    };
    let new_code = code(Side::New);
    let old_code = code(Side::Old);
    let (old, new) = (defined(&old_code), defined(&new_code));
    let names = |of: &[Defined]| -> BTreeSet<(KeyKind, String)> {
        of.iter().map(|own| (own.kind, own.key.clone())).collect()
    };
    let (before, now) = (names(&old), names(&new));
    let folded: HashSet<String> = new.iter().map(|own| own.key.to_ascii_lowercase()).collect();
    let removed: HashSet<u32> = changed(file, LineKind::Removed)
        .filter_map(|line| line.old)
        .collect();
    let is_endpoint = |own: &Defined| own.kind == KeyKind::Endpoint && removed.contains(&own.line);
    let endpoints = if old.iter().any(is_endpoint) {
        Registered::in_file(&new_code)
    } else {
        Registered::default()
    };
    let gone = old
        .iter()
        .filter(|own| removed.contains(&own.line) && !is_left(&now, (&folded, &endpoints), own));
    // The keys of other kinds depend on the old path.
    let is_known =
        |own: &&Defined| file.status != Status::Renamed || own.kind == KeyKind::Namespace;
    let gone = gone
        .filter(is_known)
        .filter(|own| is_distinctive(path, own));
    let mut keys: Vec<LostKey> = Vec::new();
    let edits = Edits::of(file);
    for own in gone.take(KEYS) {
        let new_line = edits.replacement(own.line);
        let is_renamed = new_line.is_some_and(|line| {
            let mut others = new
                .iter()
                .filter(|other| other.kind == own.kind && other.line == line);
            others.any(|other| !before.contains(&(other.kind, other.key.clone())))
        });
        let (side, line) = new_line.map_or((Side::Old, own.line), |line| (Side::New, line));
        let can_fail = match own.kind {
            KeyKind::Handler => is_renamed || SERVERS.contains(&own.receiver.as_str()),
            KeyKind::Emission => is_renamed,
            KeyKind::Endpoint => !file.is_test,
            _ => true,
        };
        let is_replaced = !is_renamed && may_be_of_package(own.kind, path, &own.key);
        if can_fail && !is_replaced {
            keys.push(LostKey {
                kind: own.kind,
                key: own.key.clone(),
                renaming: None,
                line,
                side,
            });
        }
    }
    if is_whole && file.status == Status::Modified {
        let mut names = renamed(path, &edits, &removed, (&old_code, &new_code));
        names.retain(|own| !keys.iter().any(|lost| lost.key.ends_with(&own.old)));
        keys.extend(names.into_iter().map(|own| LostKey {
            kind: KeyKind::Text,
            key: own.old,
            renaming: Some(own.renaming),
            line: own.line,
            side: Side::New,
        }));
    }
    let added: HashSet<u32> = changed(file, LineKind::Added)
        .filter_map(|line| line.new)
        .collect();
    let mut dropped_columns = dropped(path, &new_code);
    if !dropped_columns.is_empty() {
        // The change may only reformat a migration.
        let known: HashSet<String> = dropped(path, &old_code)
            .into_iter()
            .map(|(key, _)| key)
            .collect();
        dropped_columns.retain(|(key, line)| added.contains(line) && !known.contains(key));
    }
    let dropped = dropped_columns.into_iter();
    keys.extend(dropped.take(KEYS).map(|(key, line)| LostKey {
        kind: KeyKind::Column,
        key,
        renaming: None,
        line,
        side: Side::New,
    }));
    keys.dedup_by(|a, b| (a.kind, &a.key) == (b.kind, &b.key));
    let gained = now.difference(&before).take(KEYS).cloned().collect();
    KeyChanges {
        lost: keys,
        gained,
        read: read_keys(file),
    }
}

fn column((key, line): (String, u32)) -> Defined {
    Defined::without_call(KeyKind::Column, key, line)
}

fn lines<'c>(file: &'c Chunk<'_>) -> impl Iterator<Item = &'c Line<'c>> {
    file.hunks.iter().flat_map(|hunk| hunk.lines.iter())
}

fn changed<'c>(file: &'c Chunk<'_>, kind: LineKind) -> impl Iterator<Item = &'c Line<'c>> {
    lines(file).filter(move |line| line.kind == kind)
}

/// Whether a key is still defined, perhaps as a group of plural forms. Configuration of .NET ignores case.
fn is_left(
    now: &BTreeSet<(KeyKind, String)>,
    (folded, endpoints): (&HashSet<String>, &Registered),
    own: &Defined,
) -> bool {
    let begins = |start: String| {
        let next = now.range((own.kind, start.clone())..).next();
        next.is_some_and(|(kind, key)| *kind == own.kind && key.starts_with(&start))
    };
    let ignores_case =
        own.kind == KeyKind::Variable && own.key.contains(|c: char| c.is_ascii_lowercase());
    now.contains(&(own.kind, own.key.clone()))
        || own.kind == KeyKind::Endpoint && endpoints.may_have(&own.key)
        || own.kind == KeyKind::Translation && begins(format!("{}_", own.key))
        || ignores_case && folded.contains(&own.key.to_ascii_lowercase())
}

/// Whether uses of a key can be distinguished from other text.
fn is_distinctive(path: &str, own: &Defined) -> bool {
    let key = own.key.as_str();
    if key.len() < 3 || key.len() > 200 || key.ends_with('.') {
        return false;
    }
    match own.kind {
        KeyKind::Handler | KeyKind::Emission => key.len() >= 8 && words_of(key).len() > 1,
        KeyKind::Translation => locale(path).is_none_or(|own| own.starts_with("en")),
        KeyKind::Resource => locale(path).is_none(),
        kind => !kind.row().defaults.has(key),
    }
}

/// Whether a definition in another file takes the place of one in this file: not if it is in another language.
pub(crate) fn counts_elsewhere(kind: KeyKind, path: &str, other: &str) -> bool {
    !matches!(kind, KeyKind::Translation | KeyKind::Resource)
        || locale(path) == locale(other)
        || locale(other).is_none()
}

#[cfg(test)]
mod tests {
    use super::{counts_elsewhere, locale};
    use crate::keys::KeyKind;

    #[test]
    fn a_translation_in_another_language_does_not_replace_one() {
        for (path, expected) in [
            ("src/lang/en.json", Some("en")),
            ("lang/de_AT/app.php", Some("de_AT")),
            ("src/messages_fr.properties", Some("fr")),
            ("src/messages.properties", None),
            ("app/src/main/res/values-de/strings.xml", Some("de")),
            ("app/src/main/res/values/strings.xml", None),
            ("js/app.js", None),
        ] {
            assert_eq!(locale(path), expected, "{path}");
        }
        let counts = |other| counts_elsewhere(KeyKind::Translation, "src/lang/en.json", other);
        assert!(counts("src/lang/en.json") && !counts("src/lang/de.json"));
    }
}
