//! Raw values ([`Raw`]), checked values ([`Value`]), and their places ([`Source`]).

use std::fmt;

use serde_json::{Map, Value as Json};
use worker::sandbox::Demand;

use super::masked::{Url, masked};

/// A setting as given by its source, of any type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Raw {
    /// Text from a flag, the environment or a secret's file.
    Words(String),
    Text(String),
    Integer(i128),
    Number(f64),
    Flag(bool),
    List(Vec<String>),
    /// A table that is the value of a setting.
    Table(Map<String, Json>),
    /// A type that no setting has: "a table", "an array", "a date".
    Other(&'static str),
}

impl Raw {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Words(text) | Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<i128> {
        match self {
            Self::Words(text) => text.trim().parse().ok(),
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Words(text) => text.trim().parse().ok(),
            // Amounts are prices and the like, far below the limits of f64.
            Self::Integer(number) => number.to_string().parse().ok(),
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// In text, a list is a JSON array, or items separated by commas.
    pub(crate) fn list(&self) -> Option<Vec<String>> {
        match self {
            Self::Words(text) if text.trim_start().starts_with('[') => {
                serde_json::from_str(text).ok()
            }
            Self::Words(text) => {
                let items = text
                    .split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty());
                Some(items.map(str::to_owned).collect())
            }
            Self::List(items) => Some(items.clone()),
            _ => None,
        }
    }

    /// In text, a command is a JSON array, or words separated by spaces.
    pub(crate) fn command(&self) -> Option<Vec<String>> {
        match self {
            Self::Words(text) if text.trim_start().starts_with('[') => {
                serde_json::from_str(text).ok()
            }
            Self::Words(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            _ => self.list(),
        }
    }

    /// In text, a table is a JSON object.
    pub(crate) fn table(&self) -> Option<Map<String, Json>> {
        match self {
            Self::Words(text) => serde_json::from_str(text).ok(),
            Self::Table(table) => Some(table.clone()),
            _ => None,
        }
    }

    pub(crate) fn flag(&self) -> Option<bool> {
        match self {
            Self::Words(text) => text.trim().parse().ok(),
            Self::Flag(flag) => Some(*flag),
            _ => None,
        }
    }
}

/// For error messages: the value as written, without the password of a URL.
impl fmt::Display for Raw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(text) | Self::Text(text) => write!(out, "{:?}", masked(text)),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Number(number) => write!(out, "{number}"),
            Self::Flag(flag) => write!(out, "{flag}"),
            Self::List(_) => out.write_str("an array"),
            Self::Table(_) => out.write_str("a table"),
            Self::Other(what) => out.write_str(what),
        }
    }
}

/// A checked setting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Url(Url),
    Integer(u64),
    Number(f64),
    Flag(bool),
    List(Vec<String>),
    Table(Map<String, Json>),
}

/// In TOML syntax.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "{}", toml::Value::String(text.clone())),
            Self::Url(url) => write!(out, "{}", toml::Value::String(url.to_string())),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Number(number) => write!(out, "{number:?}"),
            Self::Flag(flag) => write!(out, "{flag}"),
            Self::List(items) => {
                let items = items
                    .iter()
                    .map(|item| toml::Value::String(item.clone()))
                    .collect();
                write!(out, "{}", toml::Value::Array(items))
            }
            Self::Table(table) => write_inline(out, &Json::Object(table.clone())),
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Text(text) => text.into(),
            Value::Url(url) => url.to_string().into(),
            Value::Integer(number) => number.into(),
            Value::Number(number) => number.into(),
            Value::Flag(flag) => flag.into(),
            Value::List(items) => items.into(),
            Value::Table(table) => table.into(),
        }
    }
}

/// Writes a value on one line. TOML has no null; it can only come from the environment.
fn write_inline(out: &mut fmt::Formatter<'_>, value: &Json) -> fmt::Result {
    let text = |text: &str| toml::Value::String(text.to_owned());
    match value {
        Json::Object(table) => {
            let mut separator = "{ ";
            for (name, value) in table {
                write!(out, "{separator}{} = ", text(name))?;
                write_inline(out, value)?;
                separator = ", ";
            }
            out.write_str(if table.is_empty() { "{}" } else { " }" })
        }
        Json::Array(items) => {
            out.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                out.write_str(if index > 0 { ", " } else { "" })?;
                write_inline(out, item)?;
            }
            out.write_str("]")
        }
        Json::String(string) => write!(out, "{}", text(string)),
        other => write!(out, "{other}"),
    }
}

/// The place of a setting, in the order in which users search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Default,
    /// Line and column start from 1; the column is in characters.
    File {
        file: String,
        line: usize,
        column: usize,
    },
    /// The variable's name.
    Environment(String),
    /// The flag as typed: `--bind`.
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::Flag(name) => out.write_str(name),
            Self::Environment(name) => out.write_str(name),
            Self::File { file, line, column } => write!(out, "{file}:{line}:{column}"),
        }
    }
}

/// Converts a checked value to the type of the settings' field.
pub(crate) trait FromValue: Sized {
    /// `None` if the kind of the setting does not match the type of the field.
    fn from_value(value: Option<&Value>) -> Option<Self>;

    /// The same, for types that keep the path of the file that a secret was read from.
    fn from_setting(value: Option<&Value>, _file: Option<&str>) -> Option<Self> {
        Self::from_value(value)
    }
}

impl FromValue for u64 {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for usize {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        u64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for f32 {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            // A fraction: the digits that f32 drops are irrelevant here.
            Value::Number(number) => Some(*number as Self),
            _ => None,
        }
    }
}

impl FromValue for u32 {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        u64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for String {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl FromValue for Url {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Url(url) => Some(url.clone()),
            _ => None,
        }
    }
}

impl FromValue for std::net::SocketAddr {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value)?.parse().ok()
    }
}

impl FromValue for Demand {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "required" => Some(Self::Required),
            "best-effort" => Some(Self::BestEffort),
            _ => None,
        }
    }
}

/// The listen address, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listen(
    /// `None`: nowhere.
    pub Option<std::net::SocketAddr>,
);

impl FromValue for Listen {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "off" => Some(Self(None)),
            address => Some(Self(Some(address.parse().ok()?))),
        }
    }
}

impl FromValue for Vec<String> {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::List(items) => Some(items.clone()),
            _ => None,
        }
    }
}

impl FromValue for Vec<server::Network> {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        Vec::<String>::from_value(value)?
            .iter()
            .map(|item| item.parse().ok())
            .collect()
    }
}

impl FromValue for Secret {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value).map(Self::new)
    }

    fn from_setting(value: Option<&Value>, file: Option<&str>) -> Option<Self> {
        Some(Self {
            file: file.map(str::to_owned),
            ..Self::from_value(value)?
        })
    }
}

impl FromValue for bool {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        }
    }
}

impl FromValue for f64 {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// An optional setting.
impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        value.map_or(Some(None), |value| T::from_value(Some(value)).map(Some))
    }

    fn from_setting(value: Option<&Value>, file: Option<&str>) -> Option<Self> {
        value.map_or(Some(None), |value| {
            T::from_setting(Some(value), file).map(Some)
        })
    }
}

/// Text that is never printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
    file: Option<String>,
}

impl Secret {
    /// A secret with this text.
    pub fn new(text: String) -> Self {
        Self { text, file: None }
    }

    /// The text itself, for its single use.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The path of the file that a setting was read from.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}
