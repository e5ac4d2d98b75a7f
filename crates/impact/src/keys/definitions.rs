//! The keys that a file defines.

use super::KeyKind;
use super::endpoints;
use super::kinds::{Defined, ends_with_any, receiver};
use super::namespaces::declared;
use super::nested::{Format, keys};
use super::table::{ROWS, line_form};
use super::text::{Quoted, extension, folders, quoted, stem};
use super::translations::{is_locale, is_translation};

/// The keys that a file defines, by its lines without comments. Those of nested structures are known only if the lines are the
/// whole file.
pub(crate) fn definitions(path: &str, lines: &[(u32, &str)], is_whole: bool) -> Vec<Defined> {
    let pieces = quoted(lines);
    let mut found: Vec<Defined> = pieces.iter().filter_map(|own| in_call(path, own)).collect();
    found.extend(endpoints::definitions(path, &pieces));
    if let Some((kind, format)) = nested_kind(path).filter(|_| is_whole) {
        let prefix = if kind == KeyKind::Config || extension(path) == "php" {
            format!("{}.", stem(path))
        } else {
            String::new()
        };
        let all = keys(format, lines).into_iter();
        found.extend(all.filter_map(|(key, line)| {
            let key = if format == Format::Yaml {
                without_locale(&key)?
            } else {
                &key
            };
            Some(Defined::without_call(kind, format!("{prefix}{key}"), line))
        }));
    }
    found.extend(declared(path, lines).into_iter().filter(|_| is_whole));
    if let Some((kind, form)) = line_form(path) {
        let on_line = |(number, line): &(u32, &str)| {
            Some(Defined::without_call(kind, (form.key)(line)?, *number))
        };
        found.extend(lines.iter().filter_map(on_line));
    }
    found
}

/// A YAML file of Rails has the locale as its first key.
fn without_locale(key: &str) -> Option<&str> {
    let first = key.split('.').next().unwrap_or(key);
    if is_locale(first) {
        key.get(first.len() + 1..)
    } else {
        Some(key)
    }
}

/// The kind of the keys of a file that is one nested structure.
fn nested_kind(path: &str) -> Option<(KeyKind, Format)> {
    let format = match extension(path) {
        "json" | "js" | "ts" => Format::Object,
        "yml" | "yaml" => Format::Yaml,
        "php" => Format::Array,
        _ => return None,
    };
    let is_named = is_translation(path);
    let is_code = matches!(extension(path), "js" | "ts");
    let parts = path.split(['/', '.', '_']);
    if is_named && (!is_code || parts.into_iter().any(is_locale)) {
        return Some((KeyKind::Translation, format));
    }
    let is_config = folders(path)
        .last()
        .is_some_and(|folder| folder.eq_ignore_ascii_case("config"));
    (format == Format::Array && is_config).then_some((KeyKind::Config, format))
}

/// A key in the call that defines it.
fn in_call(path: &str, own: &Quoted<'_>) -> Option<Defined> {
    let row = ROWS
        .iter()
        .find(|row| row.defined_in.has(path) && ends_with_any(own.lead, row.definers))?;
    let is_key = !own
        .text
        .contains(|c: char| c.is_whitespace() || "<>{}()".contains(c));
    let key = own.text;
    is_key.then(|| Defined {
        kind: row.kind,
        key: key.to_owned(),
        line: own.line,
        receiver: receiver(own.lead).to_owned(),
    })
}
