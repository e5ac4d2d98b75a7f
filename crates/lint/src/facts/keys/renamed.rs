//! Names that a change replaces by others where they are texts or keys: a key of a dictionary or of a data file, the name of an event, a
//! variable of a template.
//!
//! A line that differs from the removed one only in a name renames it. The old name must be gone from the file, and the new one must be new.
//! Whether the rest of the repository follows is judged there: another definition of the old name, or a use of the new one, refutes
//! that something was forgotten.

use std::collections::{BTreeMap, BTreeSet};

use review::classify::is_test;
use review::repository::mentions_word;
use syntax::semantics::vocabulary::words_of;

use super::definitions::locale;
use super::kinds::{KeyUse, is_word};
use super::text::extension;
use crate::facts::replacement::Edits;

/// Maximum number of renamed names of a file: more are a generated or a rewritten file.
const NAMES: usize = 12;
/// Maximum number of names that a line renames.
const OF_LINE: usize = 2;
/// Minimum length of a name that is searched for.
const LENGTH: usize = 7;
/// Files in which names before `:` or `=` are keys.
const DATA: &[&str] = &[
    "cfg",
    "env",
    "ini",
    "json",
    "properties",
    "toml",
    "yaml",
    "yml",
];
/// Files that show what other files pass to them.
const TEMPLATES: &[&str] = &[
    "cshtml",
    "ejs",
    "erb",
    "haml",
    "handlebars",
    "hbs",
    "htm",
    "html",
    "j2",
    "jinja",
    "jinja2",
    "njk",
    "phtml",
    "pug",
    "razor",
    "slim",
    "svelte",
    "twig",
    "vue",
];
/// Words before a name that is defined.
const DEFINERS: &[&str] = &[
    "class", "const", "def", "fn", "fun", "func", "function", "let", "val", "var", "export",
];

/// The numbered lines of a side.
type Lines<'l> = &'l [(u32, &'l str)];

/// A name that a line replaces by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Renamed {
    pub(super) old: String,
    pub(super) new: String,
    /// The call that the old name was passed to; empty if there is none.
    pub(super) call: String,
    /// The added line.
    pub(super) line: u32,
}

/// The names that a change to a file renames. `old` and `new` are the lines of its sides, `removed` the numbers of the removed ones.
pub(super) fn renamed(
    path: &str,
    edits: &Edits<'_>,
    removed: &BTreeSet<u32>,
    (old, new): (Lines<'_>, Lines<'_>),
) -> Vec<Renamed> {
    if is_test(path) {
        return Vec::new();
    }
    let texts: BTreeMap<u32, &str> = new.iter().copied().collect();
    let mut found: Vec<Renamed> = Vec::new();
    for (number, text) in old.iter().filter(|(number, _)| removed.contains(number)) {
        let Some(line) = edits.replacement(*number) else {
            continue;
        };
        let Some(other) = texts.get(&line) else {
            continue;
        };
        for (old, new) in pairs(path, text, other) {
            if !found.iter().any(|known| known.old == old) {
                let call = text.split(old.as_str()).next().map_or("", call_of);
                found.push(Renamed {
                    call: call.to_owned(),
                    old,
                    new,
                    line,
                });
            }
        }
    }
    if found.is_empty() || found.len() > NAMES {
        return Vec::new();
    }
    let is_on =
        |lines: &[(u32, &str)], name: &str| lines.iter().any(|(_, text)| mentions_word(text, name));
    found.retain(|own| !is_on(new, &own.old) && !is_on(old, &own.new));
    found
}

/// The keys in which two lines differ; empty if they differ in anything else.
fn pairs(path: &str, old: &str, new: &str) -> Vec<(String, String)> {
    let (before, after) = (pieces(old), pieces(new));
    if before.len() != after.len() {
        return Vec::new();
    }
    let mut found: Vec<(String, String)> = Vec::new();
    let mut words: Vec<(&str, &str)> = Vec::new();
    for ((at, one), (place, other)) in before.into_iter().zip(after) {
        if one == other {
            continue;
        }
        if !one.starts_with(is_word) || !other.starts_with(is_word) {
            return Vec::new();
        }
        if !words.contains(&(one, other)) {
            words.push((one, other));
        }
        let keys = key(path, old, at, one).zip(key(path, new, place, other));
        if let Some((one, other)) = keys
            && is_distinctive(one)
            && is_distinctive(other)
            && !is_form(one, other)
        {
            found.push((one.to_owned(), other.to_owned()));
        }
    }
    if words.len() > OF_LINE {
        return Vec::new();
    }
    found.dedup();
    found
}

/// The words of a line and the characters between them, with their places.
fn pieces(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let word = rest.len() - rest.trim_start_matches(is_word).len();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let length = word.max(first);
        let piece = rest.get(..length).unwrap_or_default();
        if !piece.trim().is_empty() {
            found.push((at, piece));
        }
        at += length;
    }
    found
}

/// The key of which a word is a part: the text between quotes, or the name before `:`, `=` or `=>`.
fn key<'l>(path: &str, line: &'l str, at: usize, word: &str) -> Option<&'l str> {
    let is_part = |c: char| is_word(c) || matches!(c, '.' | '-' | ':' | '/');
    let (before, rest) = line.split_at_checked(at)?;
    let after = rest.get(word.len()..)?;
    let start = before.trim_end_matches(is_part);
    let end = after.trim_start_matches(is_part);
    let whole = line.get(start.len()..line.len() - end.len())?;
    let quote = start
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\'' | '`'));
    if quote.is_some_and(|quote| end.starts_with(quote)) {
        return Some(whole);
    }
    let is_first = |before: &str| {
        let words = before.trim();
        words.is_empty() || words.ends_with(['{', ',']) && !words.contains('(')
    };
    if DATA.contains(&extension(path)) {
        let name = whole.trim_end_matches(':');
        let end = line.get(start.len() + name.len()..)?.trim_start();
        return (is_first(start) && end.starts_with([':', '='])).then_some(name);
    }
    let end = after.trim_start();
    // `name: str` annotates a variable in Python; `name = value` without a comma at the end sets one everywhere.
    let is_field = end.starts_with(':') && !end.starts_with("::") && extension(path) != "py";
    let is_argument =
        end.starts_with('=') && !end.starts_with("==") && end.trim_end().ends_with(',');
    (is_first(before) && (is_field || is_argument))
        .then(|| line.get(at..at + word.len()))
        .flatten()
}

/// Whether one key is a plural form of the other, which is read under the name without its end.
fn is_form(one: &str, other: &str) -> bool {
    const ENDS: &[&str] = &["few", "many", "one", "other", "plural", "two", "zero"];
    let is_form = |short: &str, long: &str| {
        let end = long
            .strip_prefix(short)
            .and_then(|end| end.strip_prefix(['_', '.', '-']));
        end.is_some_and(|end| ENDS.contains(&end))
    };
    is_form(one, other) || is_form(other, one)
}

/// Whether a name is not one that unrelated code has, too.
fn is_distinctive(key: &str) -> bool {
    // A path is an import or an endpoint, which have rules of their own.
    let has_letter = key.contains(|c: char| c.is_ascii_alphabetic()) && !key.contains('/');
    has_letter && key.len() >= LENGTH && words_of(key).len() > 1 && !key.starts_with(['.', '-'])
}

/// The uses of an old name in a file, by line; or that it is defined there.
pub(super) fn uses(
    home: &str,
    (key, call): (&str, &str),
    path: &str,
    lines: Lines<'_>,
) -> Vec<KeyUse> {
    let is_elsewhere = locale(path).is_some() && locale(path) != locale(home);
    if is_elsewhere || path != home && is_test(path) {
        return Vec::new();
    }
    let is_other_language =
        extension(path) != extension(home) || TEMPLATES.contains(&extension(path));
    let mut found = Vec::new();
    for (line, text) in lines {
        for (at, name) in text.match_indices(key) {
            let (Some(before), Some(after)) = (text.get(..at), text.get(at + name.len()..)) else {
                continue;
            };
            if before.ends_with(is_word) || after.starts_with(is_word) {
                continue;
            }
            // Another argument of the same call uses the name as the removed line did.
            let is_same = !call.is_empty() && call_of(before) == call;
            let used = if path == home || is_same || is_defined(before, after) {
                Some(KeyUse::Defined)
            } else if is_quoted(before, after) || is_other_language && is_read(before) {
                Some(KeyUse::Read {
                    line: *line,
                    is_certain: false,
                })
            } else {
                None
            };
            found.extend(used);
        }
    }
    found
}

/// The call whose first argument begins after a text; empty if there is none.
fn call_of(before: &str) -> &str {
    let lead = before.trim_end_matches(['"', '\'', '`']).trim_end();
    let Some(lead) = lead.strip_suffix('(') else {
        return "";
    };
    let rest = lead.trim_end_matches(is_word);
    lead.get(rest.len()..).unwrap_or_default()
}

/// Whether the text around a name makes a definition of it.
fn is_defined(before: &str, after: &str) -> bool {
    let lead = before
        .trim_end()
        .trim_end_matches(['"', '\'', '`'])
        .trim_end();
    let rest = after.trim_start_matches(['"', '\'', '`', ']']).trim_start();
    let is_key = rest.starts_with("=>") || rest.starts_with(':') && !rest.starts_with("::");
    let is_set = rest.starts_with('=') && !rest.starts_with("==");
    let follows = lead
        .rsplit(|c: char| !is_word(c))
        .next()
        .is_some_and(|word| DEFINERS.contains(&word));
    let is_read = lead.ends_with(['.', '?']) && !is_set;
    !is_read && (is_key || is_set || follows)
}

/// Whether a name is a text of its own, or a part of a dotted one.
fn is_quoted(before: &str, after: &str) -> bool {
    let quotes = ['"', '\'', '`'];
    before.ends_with(quotes) && after.starts_with(quotes)
}

/// Whether a name is read from what another file passes: as a member, or in a template.
fn is_read(before: &str) -> bool {
    let lead = before.trim_end();
    before.ends_with('.')
        || lead.ends_with("{{")
        || lead.ends_with("{%")
        || lead.ends_with("<%=")
        || [" if", " in", " not", " elif", " and", " or"]
            .iter()
            .any(|word| lead.ends_with(word) && lead.contains("{%"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::pairs;

    #[test]
    fn lines_that_differ_in_a_name_rename_it() {
        for (path, old, new, expected) in [
            (
                "a.js",
                "  io.emit('newMail', mail)",
                "  io.emit('mailReceived', mail)",
                Some("newMail"),
            ),
            (
                "a.py",
                "    \"date_previous\": date_previous,",
                "    \"previous_date\": previous_date,",
                Some("date_previous"),
            ),
            (
                "a.properties",
                "task.old.cadence=1",
                "task.new.cadence=1",
                Some("task.old.cadence"),
            ),
            (
                "en.json",
                "  \"device-does-not-exist\": \"x\"",
                "  \"device-is-unknown\": \"x\"",
                None,
            ),
            (
                "en.json",
                "  \"device-not-there\": \"x\"",
                "  \"device-not-known\": \"x\"",
                Some("device-not-there"),
            ),
            (
                "a.rs",
                "    allow_search: self.args.allow_search,",
                "    can_search: self.args.allow_search,",
                Some("allow_search"),
            ),
            (
                "a.cs",
                "    OrderTotalString = x.Total,",
                "    TotalText = x.Total,",
                Some("OrderTotalString"),
            ),
            (
                "a.js",
                "const userName = f();",
                "const loginName = f();",
                None,
            ),
            (
                "a.ts",
                "import { A } from 'panel/common-ui/Dropdown';",
                "import { A } from 'panel/common-ui/Tooltip';",
                None,
            ),
            ("a.js", "f(userName, 1);", "f(loginName, 1);", None),
            (
                "a.py",
                "def f(user_name: str):",
                "def f(login_name: str):",
                None,
            ),
            (
                "a.js",
                "x = 'a text of words';",
                "x = 'a text of names';",
                None,
            ),
        ] {
            let found = pairs(path, old, new);
            assert_eq!(
                found.first().map(|(old, _)| old.as_str()),
                expected,
                "{old}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_lines_are_compared(old in "([a-z_]{1,9}|[\"':=.{} é-]|\\PC){0,60}", new in "([a-z_]{1,9}|[\"':=.{} é-]|\\PC){0,60}") {
            for path in ["a.js", "a.json"] {
                pairs(path, &old, &new);
            }
        }
    }
}
