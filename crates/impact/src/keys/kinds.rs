//! The kinds of keys. Everything that depends on a framework is in their rows (`table`).

use serde::{Deserialize, Serialize};

/// The kind of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeyKind {
    /// The handler of an event or request.
    Handler,
    /// The place that sends an event.
    Emission,
    /// A translated text.
    Translation,
    /// An Android resource, as `string/name`.
    Resource,
    /// A value of Laravel's configuration, with the name of its file.
    Config,
    /// A Django setting.
    Setting,
    /// The name of a Django route.
    DjangoRoute,
    /// The name of a Laravel route.
    LaravelRoute,
    /// The name of a Rails route.
    RailsRoute,
    /// The name of a Vue route.
    VueRoute,
    /// The path of an HTTP endpoint, without outer slashes and with parameters as `*`.
    Endpoint,
    /// An environment variable.
    Variable,
    /// A namespace of C#.
    Namespace,
    /// A column of a database, as `table.column` in lower case.
    Column,
    /// A text or a key of any other kind that the change renames.
    Text,
}

/// A place that reads, or defines, a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// It reads the key, and fails if it is certain.
    Read { line: u32, is_certain: bool },
    /// The key is defined here, or may be.
    Defined,
    /// Something else has the same name here, so only certain uses count.
    Ambiguous,
}

/// A key that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Defined {
    pub(crate) kind: KeyKind,
    pub(crate) key: String,
    pub(crate) line: u32,
    /// The receiver of the call, for a key in a call.
    pub(crate) receiver: String,
}

impl Defined {
    /// A key that no call defines.
    pub(super) fn without_call(kind: KeyKind, key: String, line: u32) -> Self {
        Self {
            kind,
            key,
            line,
            receiver: String::new(),
        }
    }
}

/// Whether a text ends with a call, as a whole word.
pub(crate) fn ends_with_call(lead: &str, call: &str) -> bool {
    lead.strip_suffix(call)
        .is_some_and(|rest| !call.starts_with(is_word) || !rest.ends_with(is_word))
}

/// Whether a text ends with one of these calls.
pub(super) fn ends_with_any(lead: &str, calls: &[&str]) -> bool {
    calls.iter().any(|call| ends_with_call(lead, call))
}

/// The last name before a call.
pub(super) fn receiver(lead: &str) -> &str {
    let before = lead.rsplit_once('.').map_or("", |(before, _)| before);
    let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether a character belongs to a word.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The last part of a key.
pub(crate) fn last_part(key: &str) -> &str {
    key.rsplit(['.', ':', '/']).next().unwrap_or(key)
}
