//! A section: the settings of one TOML table, and the struct that they fill.

use std::collections::BTreeMap;

use super::field::Field;
use super::value::{FromValue, Source, Value};

/// The settings of one TOML table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section {
    /// Dotted path; empty for the settings outside of tables.
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    pub(crate) presence: Presence,
    pub(crate) fields: &'static [Field],
}

/// When a section is present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Always: every setting has a default.
    Always,
    /// If one of its settings is set.
    Optional,
    /// Any number of times, as `[[path]]`.
    List,
}

/// A setting in force and its source.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) field: Field,
    pub(crate) value: Value,
    pub(crate) source: Source,
    /// The file that a secret was read from.
    pub(crate) secret_file: Option<String>,
}

/// The settings in force by their full names (`limits.diff_bytes`, `llm.models.0.model`).
pub type Values = BTreeMap<String, Entry>;

impl Section {
    /// The full name of a setting of this section.
    pub(crate) fn full(&self, name: &str) -> String {
        join(self.path, name)
    }
}

/// `section.name`, or the name alone.
pub(crate) fn join(section: &str, name: &str) -> String {
    if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    }
}

/// The value of one setting, converted to the type of its field.
pub(crate) fn value_of<T: FromValue>(values: &Values, section: &Section, name: &str) -> Option<T> {
    let entry = values.get(&section.full(name));
    T::from_setting(
        entry.map(|entry| &entry.value),
        entry.and_then(|entry| entry.secret_file.as_deref()),
    )
}

/// Defines a section: the table of its settings and, with `filled by`, the function that creates the struct.
///
/// Settings after `apart` are checked like the others, but are read elsewhere.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $table:ident: $path:literal, $presence:expr $(, filled by $read:ident: $filled:path $(, else $rest:expr)?)?;
        $( $(#[doc = $doc:literal])+ $name:ident = $field:expr ),+ ;
        $( apart $( $(#[doc = $apart_doc:literal])+ $apart_name:ident = $apart_field:expr ),+ ; )?
    ) => {
        pub(super) const $table: Section = Section {
            path: $path,
            about: concat!($($about),+),
            presence: $presence,
            fields: &[
                $( $field.named(stringify!($name), concat!($($doc),+)), )+
                $( $( $apart_field.named(stringify!($apart_name), concat!($($apart_doc),+)), )+ )?
            ],
        };

        section!(@filling $table $( $filled, $read $(, $rest)? )?; $($name),+);
    };
    (@filling $table:ident; $($name:ident),+) => {};
    (@filling $table:ident $filled:path, $read:ident $(, $rest:expr)?; $($name:ident),+) => {
        pub(super) fn $read(values: &Values) -> Option<$filled> {
            use $filled as Filled;
            Some(Filled {
                $( $name: section::value_of(values, &$table, stringify!($name))?, )+
                $( ..$rest )?
            })
        }
    };
}
pub(crate) use section;
