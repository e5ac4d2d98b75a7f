//! Prints the settings: the reference page, the example file, and the settings in force.

use std::fmt::Write as _;

use super::field::{Default as Preset, Field};
use super::list::{OTHER_VARIABLES, SECTIONS};
use super::load::variable_of;
use super::masked::MASK;
use super::section::{Entry, Presence, Section, Values, join};
use super::value::{Raw, Value};

const INTRODUCTION: &str = "# Settings

<!-- Generated from the list of settings by `hunkwise config --reference`; do not edit. -->

A setting is taken from the first of these sources that has it: a command-line flag, the environment, the
configuration file (TOML; `--config FILE` or the variable `HUNKWISE_CONFIG`), its default.

The environment variable of a setting is `HUNKWISE_` followed by its path in capitals, joined by two underscores. A secret may be
kept in a file: the setting with `_file` after its name (the variable with `_FILE`) names that file.

At start, all unknown names, wrong types and out-of-range values in the file are reported together, each with its place.
An unknown `HUNKWISE_…` variable is a warning, and an error with `--strict-config`. A setting that no longer has an effect
(`llm.effort`) is accepted with a warning.
`hunkwise config` prints the settings in force, with secrets masked, and the source of each.
`hunkwise config --example` prints a configuration file with every setting at its default, `hunkwise config schema` a JSON Schema
of the file for editors.
";

/// The reference page, in Markdown.
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for section in SECTIONS {
        add(
            &mut page,
            format_args!("\n## {}\n\n{}\n", title(section), section.about.trim()),
        );
        page.push_str(
            "\n| setting | allowed values | default | environment |\n|---|---|---|---|\n",
        );
        for field in section.fields {
            add(&mut page, format_args!("{}\n", row(section, field)));
        }
    }
    page.push_str("\n## Variables that are not settings\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in OTHER_VARIABLES {
        add(&mut page, format_args!("| `{name}` | {meaning} |\n"));
    }
    page
}

fn title(section: &Section) -> String {
    match section.presence {
        Presence::List => format!("`[[{}]]`", section.path),
        _ if section.path.is_empty() => "At the top".to_owned(),
        _ => format!("`[{}]`", section.path),
    }
}

fn row(section: &Section, field: &Field) -> String {
    let default = match field.default {
        Preset::Is("") => "none".to_owned(),
        Preset::Is(text) => format!("`{text}`"),
        Preset::Number(number) => format!("`{number}`"),
        Preset::Absent => "none".to_owned(),
        Preset::Required => "required".to_owned(),
    };
    let table = if section.presence == Presence::List {
        join(section.path, "0")
    } else {
        section.path.to_owned()
    };
    let variable = variable_of(&join(&table, field.name));
    let twin = if field.secret {
        format!(", `{variable}_FILE`")
    } else {
        String::new()
    };
    let secret = if field.secret { " Secret." } else { "" };
    let (name, about, expectation) = (field.name, field.about.trim(), field.kind.expectation());
    format!("| `{name}`<br>{about}{secret} | {expectation} | {default} | `{variable}`{twin} |")
}

/// A configuration file with every setting at its default. Required settings are commented out.
pub fn example() -> String {
    let mut file =
        "# Every setting of Hunkwise at its default. See `hunkwise config --help`.\n".to_owned();
    for section in SECTIONS {
        let hash = if section.presence == Presence::Always {
            ""
        } else {
            "# "
        };
        let about = section.about.trim();
        match section.presence {
            _ if section.path.is_empty() => {}
            Presence::List => add(
                &mut file,
                format_args!("\n# {about}\n{hash}[[{}]]\n", section.path),
            ),
            _ => add(
                &mut file,
                format_args!("\n# {about}\n{hash}[{}]\n", section.path),
            ),
        }
        for field in section.fields {
            let (value, hash) = match field.default {
                Preset::Is(text) => (typed(field, text), hash),
                Preset::Number(number) => (number.to_string(), hash),
                Preset::Absent | Preset::Required => {
                    (format!("… # {}", field.kind.expectation()), "# ")
                }
            };
            add(
                &mut file,
                format_args!("# {}\n{hash}{} = {value}\n", field.about.trim(), field.name),
            );
        }
    }
    file
}

fn typed(field: &Field, text: &str) -> String {
    field
        .kind
        .read(&Raw::Words(text.to_owned()))
        .map_or_else(|| text.to_owned(), |value| value.to_string())
}

/// The settings in force as a configuration file, each line with its source.
pub fn in_force(values: &Values) -> String {
    let width = values
        .iter()
        .map(|(name, entry)| last(name).len() + 3 + masked(entry).to_string().len())
        .max();
    let mut text = String::new();
    let mut table = "";
    for (name, entry) in ordered(values) {
        let (here, last) = name.rsplit_once('.').unwrap_or(("", name));
        if here != table {
            table = here;
            match here
                .rsplit_once('.')
                .filter(|(_, number)| number.parse::<u64>().is_ok())
            {
                Some((list, _)) => add(&mut text, format_args!("\n[[{list}]]\n")),
                None => add(&mut text, format_args!("\n[{here}]\n")),
            }
        }
        let line = format!("{last} = {}", masked(entry));
        add(
            &mut text,
            format_args!(
                "{line:width$}  # {}\n",
                origin(entry),
                width = width.unwrap_or(0)
            ),
        );
    }
    text
}

/// The settings in force: the name, the value with secrets masked, and the source.
pub fn shown(values: &Values) -> impl Iterator<Item = (&str, serde_json::Value, String)> {
    ordered(values).map(|(name, entry)| (name, masked(entry).into(), origin(entry)))
}

/// The settings in force, in the order of the list.
fn ordered(values: &Values) -> impl Iterator<Item = (&str, &Entry)> {
    let place = |name: &str| {
        let table = name.rsplit_once('.').map_or("", |(table, _)| table);
        let section = SECTIONS
            .iter()
            .rposition(|section| table.starts_with(section.path));
        let fields = section
            .and_then(|index| SECTIONS.get(index))
            .map_or(&[][..], |section| section.fields);
        (
            section,
            table.to_owned(),
            fields.iter().position(|field| field.name == last(name)),
        )
    };
    let mut entries: Vec<_> = values
        .iter()
        .map(|(name, entry)| (name.as_str(), entry))
        .collect();
    entries.sort_by_key(|(name, _)| place(name));
    entries.into_iter()
}

/// The source of a setting in force, including the file of a secret.
fn origin(entry: &Entry) -> String {
    match &entry.secret_file {
        Some(path) => format!("{} ({path})", entry.source),
        None => entry.source.to_string(),
    }
}

/// The value with secrets masked.
fn masked(entry: &Entry) -> Value {
    match &entry.value {
        // The type masks itself.
        Value::Url(url) => Value::Url(url.clone()),
        _ if entry.field.secret => Value::Text(MASK.to_owned()),
        value => value.clone(),
    }
}

fn last(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

fn add(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _written = text.write_fmt(words);
}
