//! Forms of lines that define a key without a call: in which files they are, and the key of a line.

use super::kinds::is_word;
use super::text::{extension, folders, stem};
use super::translations::TRANSLATIONS;

/// A form of lines.
pub(super) struct LineForm {
    /// Whether a file with this path has lines of this form.
    pub(super) is_in: fn(&str) -> bool,
    /// The key that a line defines.
    pub(super) key: fn(&str) -> Option<String>,
}

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

/// Settings of Django: `NAME = …` in `settings.py`, or in a file of a folder of that name.
pub(super) const SETTINGS: LineForm = LineForm {
    is_in: |path| {
        extension(path) == "py"
            && (stem(path) == "settings" || folders(path).last() == Some("settings"))
    },
    key: |line| upper_name(line, &["=", ":"]).map(str::to_owned),
};

/// Routes of Rails: `as: :name`.
pub(super) const RAILS_ROUTES: LineForm = LineForm {
    is_in: |path| extension(path) == "rb" && path.contains("config/routes"),
    key: |line| route_name(line).map(str::to_owned),
};

/// Resources of Android: `<string name="…">`.
pub(super) const ANDROID_RESOURCES: LineForm = LineForm {
    is_in: |path| extension(path) == "xml" && path.contains("res/values"),
    key: resource,
};

/// Messages of Java: `key = text`.
pub(super) const MESSAGES: LineForm = LineForm {
    is_in: |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        extension(path) == "properties"
            && (name.contains("essages") || folders(path).any(|one| TRANSLATIONS.contains(&one)))
    },
    key: |line| Some(line.split_once('=')?.0.trim().to_owned()),
};

/// Variables that a deployment sets in YAML.
pub(super) const DEPLOYMENT: LineForm = LineForm {
    is_in: |path| {
        matches!(extension(path), "yml" | "yaml")
            && DEPLOYMENTS.iter().any(|own| path.contains(own))
    },
    key: |line| variable(line).map(str::to_owned),
};

/// Variables of `.env` files and of Dockerfiles.
pub(super) const ENVIRONMENT: LineForm = LineForm {
    is_in: |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.starts_with(".env") || name.ends_with(".env") || name.contains("Dockerfile")
    },
    key: |line| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("export ")
            .or_else(|| line.strip_prefix("ENV "))
            .unwrap_or(line);
        upper_name(line, &["=", " "]).map(str::to_owned)
    },
};

/// The resource that a line of XML defines, as `string/name`.
fn resource(line: &str) -> Option<String> {
    let (element, rest) = line.trim_start().strip_prefix('<')?.split_once(' ')?;
    let (_, group) = RESOURCES.iter().find(|(own, _)| *own == element)?;
    let (_, key) = rest.split_once("name=\"")?;
    let (key, _) = key.split_once('"')?;
    Some(format!("{group}/{key}"))
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
