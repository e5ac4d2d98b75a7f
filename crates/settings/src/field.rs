//! The definition of a setting: its name, its allowed values, its default and its meaning.
//!
//! A [`Field`] is plain data. Validation, the names of environment variables, `hunkwise config`, the reference page and
//! the example file are all derived from it, so they cannot diverge.

use std::net::SocketAddr;

use address::is_private;

use super::masked::Url;
use super::value::{Raw, Value};

/// One setting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Default,
    /// Never shown in full, and may be read from a file: `<name>_file`.
    pub(crate) secret: bool,
    /// The secrets in the same table that are sent to this URL.
    pub(crate) secrets: &'static [&'static str],
}

/// The value of a setting by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Default {
    /// This value, as a user would type it.
    Is(&'static str),
    /// This number.
    Number(u64),
    /// None: the setting is optional.
    Absent,
    /// Must be set if its section is present.
    Required,
}

/// The allowed values of a setting.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// An IP address with a port.
    Address,
    /// The same, or `off`.
    AddressOrOff,
    /// `sqlite://PATH` or `postgres://…`.
    Database,
    /// An `https` URL without a user name; plain `http` to anywhere, or to this machine only.
    Url { plain: Plain },
    /// An `http` or `https` URL, which may contain a user name and a password.
    Proxy,
    /// The same as a URL with TLS or on this machine, with the path to which the issuer redirects browsers.
    Callback,
    /// Non-empty text.
    Text,
    /// A whole number, inclusive.
    Integer { least: u64, most: u64 },
    /// A number, inclusive.
    Number { least: f64, most: f64 },
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any of these words, separated by spaces.
    Words(&'static [&'static str]),
    /// Any number of networks.
    Networks,
    /// Any number of web origins.
    Origins,
    /// A web origin with `https`.
    HttpsOrigin,
    /// A program and its arguments.
    Command,
    /// A table of any values.
    Table,
}

/// The allowed targets of plain `http`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    Anywhere,
    LoopbackOnly,
}

impl Field {
    const fn of(kind: Kind) -> Self {
        Self {
            name: "",
            about: "",
            kind,
            default: Default::Required,
            secret: false,
            secrets: &[],
        }
    }

    pub(crate) const fn address() -> Self {
        Self::of(Kind::Address)
    }

    pub(crate) const fn address_or_off() -> Self {
        Self::of(Kind::AddressOrOff)
    }

    pub(crate) const fn networks() -> Self {
        Self::of(Kind::Networks)
    }

    pub(crate) const fn https_origin() -> Self {
        Self::of(Kind::HttpsOrigin)
    }

    pub(crate) const fn origins() -> Self {
        Self::of(Kind::Origins)
    }

    pub(crate) const fn database() -> Self {
        Self::of(Kind::Database)
    }

    pub(crate) const fn url(plain: Plain) -> Self {
        Self::of(Kind::Url { plain })
    }

    pub(crate) const fn proxy() -> Self {
        Self::of(Kind::Proxy)
    }

    pub(crate) const fn callback() -> Self {
        Self::of(Kind::Callback)
    }

    pub(crate) const fn text() -> Self {
        Self::of(Kind::Text)
    }

    pub(crate) const fn integer(least: u64, most: u64) -> Self {
        Self::of(Kind::Integer { least, most })
    }

    pub(crate) const fn number(least: f64, most: f64) -> Self {
        Self::of(Kind::Number { least, most })
    }

    pub(crate) const fn flag() -> Self {
        Self::of(Kind::Flag)
    }

    pub(crate) const fn choice(words: &'static [&'static str]) -> Self {
        Self::of(Kind::Choice(words))
    }

    pub(crate) const fn command() -> Self {
        Self::of(Kind::Command)
    }

    pub(crate) const fn table() -> Self {
        Self::of(Kind::Table)
    }

    pub(crate) const fn words(words: &'static [&'static str]) -> Self {
        Self::of(Kind::Words(words))
    }

    /// Has this default.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self {
            default: Default::Is(default),
            ..self
        }
    }

    /// Has this number as its default.
    pub(crate) const fn or_number(self, default: u64) -> Self {
        Self {
            default: Default::Number(default),
            ..self
        }
    }

    /// The default value, if it has one.
    pub(crate) fn default_value(&self) -> Option<Value> {
        match self.default {
            Default::Is(text) => self.kind.read(&Raw::Words(text.to_owned())),
            Default::Number(number) => Some(Value::Integer(number)),
            Default::Absent | Default::Required => None,
        }
    }

    pub(crate) const fn optional(self) -> Self {
        Self {
            default: Default::Absent,
            ..self
        }
    }

    pub(crate) const fn secret(self) -> Self {
        Self {
            secret: true,
            ..self
        }
    }

    pub(crate) const fn with_secrets(self, secrets: &'static [&'static str]) -> Self {
        Self { secrets, ..self }
    }

    pub(crate) const fn named(self, name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            ..self
        }
    }
}

impl Kind {
    /// The allowed values, to be used after "expected".
    pub(crate) fn expectation(self) -> String {
        match self {
            Self::Address => "an IP address with a port, such as 127.0.0.1:8080".to_owned(),
            Self::Database => "sqlite://PATH or postgres://USER@HOST/DATABASE".to_owned(),
            Self::Url { plain: Plain::Anywhere } => "an http or https URL without a user name or a password".to_owned(),
            Self::Url { plain: Plain::LoopbackOnly } => {
                "an https URL (plain http to this machine only) without a user name or a password".to_owned()
            }
            Self::Proxy => "an http or https URL, such as http://USER:PASSWORD@proxy.example.com:3128".to_owned(),
            Self::Callback => format!(
                "an https URL (plain http to this machine only) with the path {path}, such as https://hunkwise.example.com{path}",
                path = server::CALLBACK_PATH
            ),
            Self::Text => "a non-empty string".to_owned(),
            Self::Integer { least, most: u64::MAX } => format!("a whole number, at least {least}"),
            Self::Integer { least, most } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most: f64::INFINITY } => format!("a number, at least {least}"),
            Self::Number { least, most } => format!("a number from {least} to {most}"),
            Self::Flag => "true or false".to_owned(),
            Self::AddressOrOff => "an IP address with a port, such as 127.0.0.1:9464, or \"off\"".to_owned(),
            Self::Networks => "a list of networks, such as [\"10.0.0.0/8\", \"fd00::/8\"]".to_owned(),
            Self::Origins => "a list of origins, such as [\"https://console.example.com\"]".to_owned(),
            Self::HttpsOrigin => {
                "https://HOST or https://HOST:PORT without a path, such as https://hunkwise.example.com".to_owned()
            }
            Self::Command => {
                "a program and its arguments, such as [\"gcloud\", \"auth\", \"print-access-token\"]".to_owned()
            }
            Self::Table => "a table, such as { top_k = 20 }".to_owned(),
            Self::Choice(words) => format!("one of {}", quoted(words)),
            Self::Words(words) => format!("some of {}, separated by spaces", quoted(words)),
        }
    }

    /// Parses a raw value; `None` if it has another type or is out of range.
    pub(crate) fn read(self, raw: &Raw) -> Option<Value> {
        match self {
            Self::Integer { least, most } => {
                let number = u64::try_from(raw.integer()?).ok()?;
                (least..=most)
                    .contains(&number)
                    .then_some(Value::Integer(number))
            }
            Self::Number { least, most } => raw
                .number()
                .filter(|number| number.is_finite() && (least..=most).contains(number))
                .map(Value::Number),
            Self::Flag => raw.flag().map(Value::Flag),
            Self::Networks | Self::Origins => raw
                .list()
                .filter(|items| items.iter().all(|item| self.accepts(item)))
                .map(Value::List),
            Self::Command => raw
                .command()
                .filter(|words| words.first().is_some_and(|word| !word.is_empty()))
                .map(Value::List),
            Self::Table => raw.table().map(Value::Table),
            Self::Database | Self::Url { .. } | Self::Proxy | Self::Callback => raw
                .text()
                .filter(|text| self.accepts(text))
                .map(|text| Value::Url(Url::new(text.to_owned()))),
            Self::Address
            | Self::AddressOrOff
            | Self::HttpsOrigin
            | Self::Text
            | Self::Choice(_)
            | Self::Words(_) => raw
                .text()
                .filter(|text| self.accepts(text))
                .map(|text| Value::Text(text.to_owned())),
        }
    }

    fn accepts(self, text: &str) -> bool {
        match self {
            Self::Address => text.parse::<SocketAddr>().is_ok(),
            Self::AddressOrOff => text == "off" || text.parse::<SocketAddr>().is_ok(),
            Self::Networks => text.parse::<server::Network>().is_ok(),
            // Exactly as browsers write it: without a path, a wildcard or a default port.
            Self::Origins => is_origin(text),
            Self::HttpsOrigin => text.starts_with("https://") && is_origin(text),
            Self::Database => ["sqlite://", "postgres://", "postgresql://"]
                .iter()
                .any(|scheme| {
                    text.strip_prefix(scheme)
                        .is_some_and(|rest| !rest.is_empty())
                }),
            Self::Url { plain } => {
                url::Url::parse(text).is_ok_and(|url| acceptable(&url, plain) && !has_user(&url))
            }
            Self::Proxy => url::Url::parse(text).is_ok_and(|url| acceptable(&url, Plain::Anywhere)),
            Self::Callback => url::Url::parse(text).is_ok_and(|url| {
                let is_whole = url.path() == server::CALLBACK_PATH
                    && url.query().is_none()
                    && url.fragment().is_none();
                is_whole && acceptable(&url, Plain::LoopbackOnly) && !has_user(&url)
            }),
            Self::Choice(words) => words.contains(&text),
            Self::Words(words) => text.split_whitespace().all(|word| words.contains(&word)),
            _ => !text.trim().is_empty(),
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("\"{word}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

fn is_origin(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| url.origin().ascii_serialization() == text)
}

fn acceptable(url: &url::Url, plain: Plain) -> bool {
    let allowed = is_private(url) || (url.scheme() == "http" && plain == Plain::Anywhere);
    url.has_host() && allowed
}

fn has_user(url: &url::Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}
