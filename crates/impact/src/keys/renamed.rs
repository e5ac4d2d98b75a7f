//! Names that a change replaces by others where they are texts or keys: a key of a dictionary or of a data file, the name of an event, a
//! variable of a template.
//!
//! A line that differs from the removed one only in a name renames it. The old name must be gone from the file, and the new one must be new.
//! Whether the rest of the repository follows is judged there: another definition of the old name, or a use of the new one, refutes
//! that something was forgotten.

use std::collections::{BTreeMap, HashSet};

use review::classify::is_test;
use review::repository::mentions_word;
use serde::{Deserialize, Serialize};
use syntax::semantics::vocabulary::words_of;

use super::kinds::{KeyUse, is_word};
use super::text::extension;
use super::translations::locale;
use crate::text::Edits;

/// Maximum number of renamed names of a file: more are a generated or a rewritten file.
const NAMES: usize = 12;
/// Maximum number of names that a line renames.
const OF_LINE: usize = 2;
/// Minimum length of a name that is searched for.
const LENGTH: usize = 7;
/// Minimum length of a name that the values of a renamed key have in common.
const SHARED: usize = 4;
/// Files in which names before `:` or `=` are keys.
const DATA: &[&str] = &[
    "cfg", "env", "ini", "json", "properties", "toml", "yaml", "yml",
];
/// Files that show what other files pass to them.
const TEMPLATES: &[&str] = &[
    "cshtml", "ejs", "erb", "haml", "handlebars", "hbs", "htm", "html", "j2", "jinja", "jinja2",
    "njk", "phtml", "pug", "razor", "slim", "svelte", "twig", "vue",
];
/// Words before a name that is defined.
const DEFINERS: &[&str] = &[
    "class", "const", "def", "fn", "fun", "func", "function", "let", "val", "var", "export",
];

/// The numbered lines of a side.
type Lines<'l> = &'l [(u32, &'l str)];

/// How a text was renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renaming {
    /// The new name.
    pub new: String,
    /// The call that the old name was passed to; empty if there is none.
    pub call: String,
}

/// A name that a line replaces by another.
pub(super) struct Renamed {
    pub(super) old: String,
    pub(super) renaming: Renaming,
    /// It is the key of an entry or field.
    is_key: bool,
    /// The added line.
    pub(super) line: u32,
}

/// The names that a change to a file renames. `old` and `new` are the lines of its sides, `removed` the numbers of the removed ones.
pub(super) fn renamed(
    path: &str,
    edits: &Edits<'_>,
    removed: &HashSet<u32>,
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
            let (before, after) = text.split_once(old.as_str()).unwrap_or_default();
            let call = call_of(before).to_owned();
            let own = Renamed {
                renaming: Renaming { new, call },
                is_key: is_key(after),
                old,
                line,
            };
            match found.iter_mut().find(|known| known.old == own.old) {
                Some(known) if known.is_key || !own.is_key => {}
                Some(known) => *known = own,
                None => found.push(own),
            }
            if found.len() > NAMES {
                return Vec::new();
            }
        }
    }
    let is_on = |lines: Lines<'_>, name: &str| {
        lines.iter().any(|(_, text)| {
            let mut places = contexts(text, name);
            // A local variable of the same name is another matter.
            places.any(|(before, after)| {
                let is_entry = is_key(after) && starts_entry(before);
                is_entry || is_quoted(before, after)
            })
        })
    };
    found.retain(|own| !is_on(new, &own.old) && !is_on(old, &own.renaming.new));
    found
}

/// The text before and after each mention of a name.
fn contexts<'l>(text: &'l str, name: &'l str) -> impl Iterator<Item = (&'l str, &'l str)> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let after = rest.get(name.len()..)?;
        (!before.ends_with(is_word) && !after.starts_with(is_word)).then_some((before, after))
    })
}

/// The keys that one line has in place of those of another that it replaces.
fn pairs(path: &str, old: &str, new: &str) -> Vec<(String, String)> {
    let (before, after) = (pieces(path, old), pieces(path, new));
    let found = if before.len() == after.len() {
        of_equal_lines(path, (old, &before), (new, &after))
    } else {
        None
    };
    found.unwrap_or_else(|| {
        let first = first_key(path, (old, &before), (new, &after));
        first.into_iter().collect()
    })
}

/// A line and its pieces.
type Divided<'l, 'p> = (&'l str, &'p [(usize, &'l str)]);

/// The keys in which two lines differ; `None` if they differ in anything else.
fn of_equal_lines(
    path: &str,
    (old, before): Divided<'_, '_>,
    (new, after): Divided<'_, '_>,
) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut words: Vec<(&str, &str)> = Vec::new();
    for ((at, one), (place, other)) in before.iter().zip(after) {
        if one == other {
            continue;
        }
        let is_piece = |text: &str| text.starts_with(is_word) || is_text(text);
        if !is_piece(one) || !is_piece(other) {
            return None;
        }
        if !words.contains(&(one, other)) {
            words.push((one, other));
        }
        let keys = key(path, old, *at, one).zip(key(path, new, *place, other));
        found.extend(keys.and_then(|(one, other)| renaming(one, other)));
    }
    found.dedup();
    (words.len() <= OF_LINE).then_some(found)
}

/// The key at the first difference of two lines, if both have one there and the values after them have a name in common.
fn first_key(
    path: &str,
    (old, before): Divided<'_, '_>,
    (new, after): Divided<'_, '_>,
) -> Option<(String, String)> {
    let (one, other) = before
        .iter()
        .zip(after)
        .find(|(one, other)| one.1 != other.1)?;
    if old.get(..one.0) != new.get(..other.0) {
        return None;
    }
    let value = old.get(one.0 + one.1.len()..)?;
    let now = new.get(other.0 + other.1.len()..)?;
    let mut names = value
        .split(|c: char| !is_word(c))
        .filter(|name| name.len() >= SHARED);
    if !is_key(value) || !is_key(now) || !names.any(|name| mentions_word(now, name)) {
        return None;
    }
    let keys = key(path, old, one.0, one.1).zip(key(path, new, other.0, other.1))?;
    renaming(keys.0, keys.1)
}

fn renaming(one: &str, other: &str) -> Option<(String, String)> {
    let is_renaming = is_distinctive(one) && is_distinctive(other) && !is_form(one, other);
    is_renaming.then(|| (one.to_owned(), other.to_owned()))
}

/// Whether a piece is a text in quotes.
fn is_text(piece: &str) -> bool {
    piece.len() > 2 && piece.starts_with(['"', '\'', '`'])
}

/// Whether what follows a name makes a key of it.
fn is_key(after: &str) -> bool {
    let rest = after.trim_start_matches(['"', '\'', '`', ']']).trim_start();
    rest.starts_with("=>")
        || rest.starts_with(':') && !rest.starts_with("::")
        || rest.starts_with('=') && !rest.starts_with("==")
}

/// The words of a line, its texts without white space, and the characters between them, with their places.
fn pieces<'l>(path: &str, line: &'l str) -> Vec<(usize, &'l str)> {
    let is_data = DATA.contains(&extension(path));
    let is_part = |c: char| is_word(c) || is_data && matches!(c, '.' | '-');
    let is_of_text = |c: char| is_word(c) || matches!(c, '.' | '-' | ':' | '/');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`'));
        let text = quote.and_then(|quote| {
            let inner = rest.get(1..)?;
            let end = inner.trim_start_matches(is_of_text);
            let length = inner.len() - end.len();
            (length > 0 && end.starts_with(quote)).then_some(length + 2)
        });
        let word = rest.len() - rest.trim_start_matches(is_part).len();
        let length = text.unwrap_or(word.max(first));
        let piece = rest.get(..length).unwrap_or_default();
        if !piece.trim().is_empty() {
            found.push((at, piece));
        }
        at += length;
    }
    found
}

/// The key of which a piece is a part: the text between quotes, or the name before `:`, `=` or `=>`.
fn key<'l>(path: &str, line: &'l str, at: usize, word: &str) -> Option<&'l str> {
    if is_text(word) {
        return line.get(at + 1..at + word.len() - 1);
    }
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
    if DATA.contains(&extension(path)) {
        let name = whole.trim_end_matches(':');
        let end = line.get(start.len() + name.len()..)?.trim_start();
        return (starts_entry(start) && end.starts_with([':', '='])).then_some(name);
    }
    let end = after.trim_start();
    // `name: str` annotates a variable in Python; `name = value` without a comma at the end sets one everywhere.
    let is_field = end.starts_with(':') && !end.starts_with("::") && extension(path) != "py";
    let is_argument =
        end.starts_with('=') && !end.starts_with("==") && end.trim_end().ends_with(',');
    (starts_entry(before) && (is_field || is_argument))
        .then(|| line.get(at..at + word.len()))
        .flatten()
}

/// Whether an entry or a field begins after a text.
fn starts_entry(before: &str) -> bool {
    const MODIFIERS: &[&str] = &["pub", "public", "readonly"];
    let words = before.trim().trim_end_matches(['"', '\'', '`', '[']);
    words.is_empty()
        || MODIFIERS.contains(&words)
        || words.ends_with(['{', ',']) && !words.contains('(')
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
        for (before, after) in contexts(text, key) {
            // Another argument of the same call uses the name as the removed line did.
            let is_same = !call.is_empty() && call_of(before) == call;
            let is_text = is_quoted(before, after);
            let is_left = is_defined(before, after) || path == home && is_text;
            let used = if is_left || is_same {
                Some(KeyUse::Defined)
            } else if path != home
                && (is_text || is_in_template(before) || is_other_language && before.ends_with('.'))
            {
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

/// Whether a name is a variable of a template.
fn is_in_template(before: &str) -> bool {
    let lead = before.trim_end();
    lead.ends_with("{{")
        || lead.ends_with("{%")
        || lead.ends_with("<%=")
        || lead.contains("{%")
            && ["if", "in", "not", "elif", "and", "or"].iter().any(|word| {
                let rest = lead.strip_suffix(word);
                rest.is_some_and(|rest| rest.ends_with(' '))
            })
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
                "  \"unknown-device\": \"x\"",
                Some("device-does-not-exist"),
            ),
            (
                "a.py",
                "    context[\"date_previous\"] = date - timedelta(days=1)",
                "    context[\"previous_date\"] = date - one_day",
                Some("date_previous"),
            ),
            (
                "a.py",
                "    context[\"date_previous\"] = before(day)",
                "    context[\"other_thing\"] = x + 1",
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
                "a.js", "const userName = f();", "const loginName = f();", None,
            ),
            (
                "a.ts",
                "import { A } from 'panel/common-ui/Dropdown';",
                "import { A } from 'panel/common-ui/Tooltip';",
                None,
            ),
            ("a.js", "f(userName, 1);", "f(loginName, 1);", None),
            (
                "a.py", "def f(user_name: str):", "def f(login_name: str):", None,
            ),
            (
                "a.js", "x = 'a text of words';", "x = 'a text of names';", None,
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
