//! The keys that a file defines.

use super::KeyKind;
use super::endpoints;
use super::kinds::{Defined, ROWS, ends_with_any, is_word, receiver};
use super::namespaces::declared;
use super::nested::{Format, keys};
use super::text::{Quoted, extension, quoted};

/// Folders with translations.
const TRANSLATIONS: &[&str] = &[
    "locales", "locale", "lang", "langs", "i18n", "translations", "translation", "intl", "messages",
];
/// Android resources by the name of their element.
pub(super) const RESOURCES: &[(&str, &str)] = &[
    ("string", "string"),
    ("plurals", "plurals"),
    ("string-array", "array"),
    ("integer-array", "array"),
    ("color", "color"),
    ("dimen", "dimen"),
    ("integer", "integer"),
    ("bool", "bool"),
];
/// Files of settings of a deployment.
const DEPLOYMENTS: &[&str] = &[
    "compose", "k8s", "kubernetes", "helm", "deploy", "manifests", "configmap",
];

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
    found.extend(
        lines
            .iter()
            .filter_map(|(number, line)| on_line(path, *number, line)),
    );
    found
}

pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
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

/// Whether a name is a language, perhaps with a region.
pub(super) fn is_locale(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, "US"));
    language.len() == 2
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && (2..=4).contains(&region.len())
        && region.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/')
        .map_or("", |(folders, _)| folders)
        .split('/')
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
        .find(|row| may_define(row.kind, path) && ends_with_any(own.lead, row.definers))?;
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

/// Whether keys of a kind are defined in calls of such a file.
fn may_define(kind: KeyKind, path: &str) -> bool {
    let is_in = |names: &[&str]| {
        folders(path)
            .chain([stem(path)])
            .any(|part| names.contains(&part))
    };
    match kind {
        KeyKind::Handler | KeyKind::Emission => matches!(
            extension(path),
            "js" | "ts" | "jsx" | "tsx" | "mjs" | "cjs" | "vue" | "svelte" | "html" | "py"
        ),
        KeyKind::DjangoRoute => extension(path) == "py" && is_in(&["urls"]),
        KeyKind::LaravelRoute => extension(path) == "php" && is_in(&["routes"]),
        KeyKind::VueRoute => {
            matches!(extension(path), "js" | "ts") && is_in(&["router", "routes", "routers"])
        }
        KeyKind::Variable => extension(path) == "cs",
        _ => false,
    }
}

/// A key that a line defines without a call.
fn on_line(path: &str, number: u32, line: &str) -> Option<Defined> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let found = |kind, key: &str| Some(Defined::without_call(kind, key.to_owned(), number));
    match extension(path) {
        "py" if stem(path) == "settings" || folders(path).last() == Some("settings") => {
            found(KeyKind::Setting, upper_name(line, &["=", ":"])?)
        }
        "rb" if path.contains("config/routes") => found(KeyKind::RailsRoute, route_name(line)?),
        "xml" if path.contains("res/values") => {
            let (element, rest) = line.trim_start().strip_prefix('<')?.split_once(' ')?;
            let (_, group) = RESOURCES.iter().find(|(own, _)| *own == element)?;
            let (_, key) = rest.split_once("name=\"")?;
            let (key, _) = key.split_once('"')?;
            found(KeyKind::Resource, &format!("{group}/{key}"))
        }
        "properties" => {
            let (key, _) = line.split_once('=')?;
            let is_message =
                name.contains("essages") || folders(path).any(|one| TRANSLATIONS.contains(&one));
            if !is_message {
                return None;
            }
            found(KeyKind::Translation, key.trim())
        }
        "yml" | "yaml" if DEPLOYMENTS.iter().any(|own| path.contains(own)) => {
            variable(line).and_then(|key| found(KeyKind::Variable, key))
        }
        _ if is_environment(name) => {
            let line = line.trim_start();
            let line = line
                .strip_prefix("export ")
                .or_else(|| line.strip_prefix("ENV "))
                .unwrap_or(line);
            found(KeyKind::Variable, upper_name(line, &["=", " "])?)
        }
        _ => None,
    }
}

fn is_environment(name: &str) -> bool {
    name.starts_with(".env") || name.ends_with(".env") || name.contains("Dockerfile")
}

/// The environment variable that a line of YAML sets.
fn variable(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = line
        .strip_prefix("- ")
        .map_or(line, str::trim_start)
        .trim_start_matches(['"', '\'']);
    match item.strip_prefix("name:") {
        Some(name) => {
            let name = name.trim().trim_matches(['"', '\'']);
            (upper_name(name, &[""]) == Some(name)).then_some(name)
        }
        None => upper_name(item, &["=", ":"]),
    }
}

/// The name in capitals with which a line begins, if one of these texts follows.
fn upper_name<'l>(line: &'l str, ends: &[&str]) -> Option<&'l str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let end = line.find(|c: char| !is_part(c)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let follows = ends
        .iter()
        .any(|own| rest.starts_with(own) || rest.trim_start().starts_with(own));
    let is_name =
        name.len() > 4 && name.contains('_') && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && follows && !rest.starts_with("==")).then_some(name)
}

/// The name that a line of Rails' routes gives to a route.
fn route_name(line: &str) -> Option<&str> {
    let (before, rest) = line
        .split_once("as: ")
        .or_else(|| line.split_once(":as => "))?;
    if before.ends_with(is_word) {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches([':', '"', '\'']);
    let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    rest.get(..end).filter(|name| !name.is_empty())
}

/// The language of a file with translations.
pub(super) fn locale(path: &str) -> Option<&str> {
    let own = stem(path).split_once('_').map(|(_, end)| end);
    let parts = translation_parts(path).chain(own);
    let mut parts = parts.map(|part| part.strip_prefix("values-").unwrap_or(part));
    parts.find(|part| is_locale(part))
}
