//! Reads settings from a TOML file, each with its place.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Number, Value as Json};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::problem::Problem;
use super::value::{Raw, Source};

/// The content of a file: all values and tables by dotted path, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) values: Vec<(String, Raw, Source)>,
    pub(super) tables: Vec<(String, Source)>,
}

/// Reads a file and reports the parts that cannot be read. `is_value` returns whether the value of the setting with
/// that name is a table.
pub(super) fn read(path: &Path, is_value: fn(&str) -> bool) -> (Contents, Vec<Problem>) {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, file, is_value),
        Err(error) => {
            let message = format!("cannot read the file: {error}");
            (
                Contents::default(),
                vec![Problem {
                    place: Source::File {
                        file,
                        line: 1,
                        column: 1,
                    },
                    message,
                }],
            )
        }
    }
}

/// Reads the text of `file`.
pub(super) fn parse(
    text: &str,
    file: String,
    is_value: fn(&str) -> bool,
) -> (Contents, Vec<Problem>) {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut walk = Walk {
        text,
        file,
        is_value,
        contents: Contents::default(),
    };
    let problems = errors
        .iter()
        .map(|error| walk.syntax_problem(error))
        .collect();
    walk.table("", root.get_ref());
    walk.contents
        .values
        .sort_by_key(|(_, _, source)| position(source));
    (walk.contents, problems)
}

struct Walk<'t> {
    text: &'t str,
    file: String,
    is_value: fn(&str) -> bool,
    contents: Contents,
}

impl Walk<'_> {
    fn table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let full = super::section::join(path, key.get_ref());
            self.value(full, &key.span(), value);
        }
    }

    /// `at` is the place of the key, which is what a user searches for.
    fn value(&mut self, path: String, at: &Range<usize>, value: &Spanned<DeValue<'_>>) {
        let source = self.place(at.start);
        let raw = match value.get_ref() {
            DeValue::Table(table) if (self.is_value)(&path) => json_table(table).map_or(
                Raw::Other("a table with a number that is too large"),
                Raw::Table,
            ),
            DeValue::Table(table) => {
                self.contents.tables.push((path.clone(), source));
                return self.table(&path, table);
            }
            DeValue::Array(items) if items.iter().any(|item| item.get_ref().is_table()) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(format!("{path}.{index}"), &item.span(), item);
                }
                return;
            }
            DeValue::Array(items) => {
                let texts = items
                    .iter()
                    .map(|item| item.get_ref().as_str().map(str::to_owned))
                    .collect();
                Option::map_or(texts, Raw::Other("an array"), Raw::List)
            }
            DeValue::Datetime(_) => Raw::Other("a date or time"),
            DeValue::String(text) => Raw::Text(text.to_string()),
            DeValue::Boolean(flag) => Raw::Flag(*flag),
            DeValue::Float(number) => number
                .as_str()
                .parse()
                .map_or(Raw::Other("a number too large"), Raw::Number),
            DeValue::Integer(number) => {
                integer(number).map_or(Raw::Other("a whole number too large"), Raw::Integer)
            }
        };
        self.contents.values.push((path, raw, source));
    }

    fn syntax_problem(&self, error: &toml::de::Error) -> Problem {
        let start = error.span().map_or(0, |span| span.start);
        Problem {
            place: self.place(start),
            message: error.message().trim().replace('\n', ", "),
        }
    }

    fn place(&self, offset: usize) -> Source {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Source::File {
            file: self.file.clone(),
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }
}

fn integer(number: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(number.as_str(), number.radix()).ok()
}

/// The table as JSON, without places. `None` if a number is too large for JSON.
fn json_table(table: &DeTable<'_>) -> Option<Map<String, Json>> {
    let entry = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        Some((key.get_ref().to_string(), json(value.get_ref())?))
    };
    table.iter().map(entry).collect()
}

fn json(value: &DeValue<'_>) -> Option<Json> {
    Some(match value {
        DeValue::Table(table) => Json::Object(json_table(table)?),
        DeValue::Array(items) => items
            .iter()
            .map(|item| json(item.get_ref()))
            .collect::<Option<_>>()?,
        DeValue::String(text) => text.to_string().into(),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Datetime(time) => time.to_string().into(),
        DeValue::Float(number) => Number::from_f64(number.as_str().parse().ok()?)?.into(),
        DeValue::Integer(number) => Number::from_i128(integer(number)?)?.into(),
    })
}

fn position(source: &Source) -> (usize, usize) {
    match source {
        Source::File { line, column, .. } => (*line, *column),
        _ => (0, 0),
    }
}
