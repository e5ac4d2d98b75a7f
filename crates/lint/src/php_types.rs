//! What kind of value a PHP expression surely has, as far as the text in sight says it: literals, `new`, casts, declared
//! parameters, the library's best known functions, and variables whose last setting stands before them in any case.
//!
//! `None` means "not known here".

mod classes;
mod fits;
mod mentions;
mod origins;
mod values;

use crate::node::Node;

pub(crate) use self::classes::{family, is_no_array, only_class, own_function};
pub(crate) use self::fits::fits;
pub(crate) use self::mentions::reads_only;
use self::origins::{Origin, origin};
use self::values::known;

/// How many times a question leads to another one.
const DEPTH: u32 = 6;

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'t> {
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
    /// One of the two.
    Number,
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// An array.
    List,
    /// An object, with the last part of its class's name if that is known.
    Object(&'t str),
}

impl Value<'_> {
    /// For a sentence.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Int => "a whole number".to_owned(),
            Self::Float | Self::Number => "a number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Bool => "true or false".to_owned(),
            Self::Null => "null".to_owned(),
            Self::List => "an array".to_owned(),
            Self::Object("") => "an object".to_owned(),
            Self::Object(class) => format!("an object of `{class}`"),
        }
    }

    /// A number, true or false, a string.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, Self::Int | Self::Float | Self::Number | Self::Text | Self::Bool)
    }
}

/// What a name of PHP means, whatever its case and its namespace.
pub(crate) fn plain(name: &str) -> String {
    name.rsplit('\\').next().unwrap_or_default().to_ascii_lowercase()
}

/// The kind of value of an expression.
pub(crate) fn value_of(node: Node<'_>) -> Option<Value<'_>> {
    known(node, DEPTH)
}

/// The expression that a variable got its value from, or the node itself.
pub(crate) fn source_of(node: Node<'_>) -> Node<'_> {
    let node = node.unparenthesised();
    match node.is(&["variable_name"]).then(|| origin(node)) {
        Some(Some(Origin::Value(value))) => value.unparenthesised(),
        _ => node,
    }
}

/// What stands in a string that has no values in it.
pub(crate) fn literal_text(node: Node<'_>) -> Option<&str> {
    let is_fixed = |node: Node<'_>| node.named_children().all(|part| part.is(&["string_content", "escape_sequence"]));
    node.string_value().filter(|_| node.is(&["string"]) || node.is(&["encapsed_string"]) && is_fixed(node))
}

/// A text in sight that is no number.
pub(crate) fn is_word(node: Node<'_>) -> bool {
    let source = source_of(node);
    literal_text(source).is_some_and(|text| {
        let start = text.trim_start().trim_start_matches(['-', '+', '.']).chars().next();
        start.is_none_or(|first| !first.is_ascii_digit() && first != '$')
    })
}
