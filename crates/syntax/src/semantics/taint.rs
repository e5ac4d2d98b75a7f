//! The origin of a value: a lightweight data-flow analysis within one function.
//!
//! [`source`] follows a value back through assignments, concatenation, formatting, collections and calls that only pass
//! text on, and returns the part of the request that it holds. [`string_build`] returns the variable part of a
//! concatenated or formatted string. Both return nothing if the value was sanitized for the purpose in question, or if
//! a step on the way is unknown. Sources, sinks and sanitizers are data in `table`, one file for each language.

mod address;
mod checks;
mod command_line;
mod const_eval;
mod elements;
mod inserted;
mod kind;
mod names;
mod origins;
mod packages;
mod parameters;
mod scopes;
mod setting;
mod sinks;
mod string_build;
mod table;
#[cfg(test)]
mod tests;
mod trace;

pub use command_line::program;
pub use kind::Kind;
pub use names::{argument_name, argument_value};
pub use sinks::sinks;
pub use string_build::StringBuild;

use crate::tree::Node;
use table::Table;
use trace::Trace;

/// The languages that have a table.
pub const LANGUAGES: &[&str] = &[
    "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#", "PHP", "Ruby",
];

/// The languages whose command lines are followed.
pub const COMMAND_LANGUAGES: &[&str] = &[
    "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#", "PHP", "Ruby",
    "Rust", "C", "C++",
];

/// The part of a request that a value holds, when it is used for `kind`.
pub fn source<'t>(value: Node<'t>, kind: Kind) -> Option<Node<'t>> {
    Trace::of_request(value, kind)?.look(value)
}

/// A text that was built from variable parts by concatenation, formatting or interpolation.
pub fn string_build<'t>(value: Node<'t>, kind: Kind) -> Option<StringBuild<'t>> {
    Trace::of_changing(value, kind)?.string_build(value)
}

/// The part of a value that is not constant.
pub fn changing<'t>(value: Node<'t>, kind: Kind) -> Option<Node<'t>> {
    Trace::of_changing(value, kind)?.look(value)
}

/// The first argument or assigned value that reaches a dangerous sink, with the part of the request in it.
pub fn flow<'t>(node: Node<'t>, kind: Kind) -> Option<(Node<'t>, Node<'t>)> {
    sinks(node, kind)
        .into_iter()
        .find_map(|value| Some((value, source(value, kind)?)))
}

/// Whether a source is not a request, such as the name of an archive's entry.
pub fn is_other(source: Node<'_>) -> bool {
    other_origin(source).is_some()
}

/// The origin of a source that is not a request.
pub fn other_origin(source: Node<'_>) -> Option<&'static str> {
    Table::of(source)?.other_origin(source)
}
