//! What type an expression of JavaScript or TypeScript has, as far as the file itself says it: literals, written types,
//! declarations of the file, and the few calls whose result everybody knows.
//!
//! The answer is a list: one entry for each part of a union. [`Type::Unknown`] stands for what is not known here.

mod calls;
mod declarations;
mod expressions;
mod members;
mod written;

use crate::grammar::Role;
use crate::names::sight;
use crate::node::Node;

pub(crate) use self::calls::{gives_value, is_async, returned};
pub(crate) use self::declarations::declared;
use self::expressions::read;

/// How many times one question leads to another one.
const DEPTH: u32 = 6;

/// A type, or one part of a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type<'t> {
    Text,
    Number,
    Bool,
    /// `null` or `undefined`.
    Null,
    Void,
    /// An array, and what says of what.
    Array(Option<Node<'t>>),
    /// A promise, and what says for what.
    Promise(Option<Node<'t>>),
    /// Anything that can be called, and its definition.
    Function(Node<'t>),
    /// A map or a set.
    Collection,
    /// Something else that can be iterated.
    Iterable,
    Class(Node<'t>),
    /// An object of a class of the file, or of a class that everybody knows.
    Instance(Option<Node<'t>>),
    Error,
    /// A plain object, and what says what is in it.
    Object(Option<Node<'t>>),
    Any,
    Unknown,
}

impl Type<'_> {
    /// In words, for a sentence.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Bool => "a boolean",
            Self::Null => "null or undefined",
            Self::Void => "nothing",
            Self::Array(_) => "an array",
            Self::Promise(_) => "a promise",
            Self::Function(_) => "a function",
            Self::Collection => "a map or a set",
            Self::Iterable => "an iterable",
            Self::Class(_) => "a class",
            Self::Instance(_) => "an object of a class",
            Self::Error => "an error",
            Self::Object(_) => "an object",
            Self::Any | Self::Unknown => "of any type",
        }
    }

    /// Whether it is a value that stands for itself: nothing to wait for, and no error.
    pub(crate) fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Number | Self::Bool | Self::Null | Self::Array(_) | Self::Function(_) | Self::Collection
        )
    }

    /// Whether it is known and holds as true whatever its content.
    pub(crate) fn is_always_true(self) -> bool {
        matches!(
            self,
            Self::Array(_)
                | Self::Promise(_)
                | Self::Function(_)
                | Self::Collection
                | Self::Iterable
                | Self::Class(_)
                | Self::Instance(_)
                | Self::Error
                | Self::Object(_)
        )
    }
}

/// The types that an expression or a written type may have. Empty if the file is too big to ask.
pub(crate) fn types(node: Node<'_>) -> Vec<Type<'_>> {
    if sight(node).is_none() { Vec::new() } else { read(node, DEPTH) }
}

/// The one type of an expression, if it has only one and it is known.
pub(crate) fn only_type(node: Node<'_>) -> Option<Type<'_>> {
    let all = types(node);
    let first = *all.first()?;
    (all.iter().all(|other| *other == first) && !matches!(first, Type::Unknown | Type::Any)).then_some(first)
}

/// Whether a name, or the thing it is a part of, is asked for its type somewhere in the function: then its union may be
/// narrowed where it is used.
pub(crate) fn is_narrowed(node: Node<'_>) -> bool {
    let Some(name) = node.leaves().find(|leaf| leaf.is(&["identifier", "this"])).map(Node::text) else { return true };
    let around = node.ancestors().filter(|outer| outer.has_role(Role::Function) || outer.has_role(Role::Lambda)).last();
    let Some(place) = around.or_else(|| node.ancestors().last()) else { return true };
    let text = place.text();
    let tests = [
        format!("typeof {name}"),
        format!("{name} instanceof"),
        format!("({name})"),
        format!("in {name}"),
        format!("!{name}"),
        format!("{name} ="),
        format!("{name} !"),
        format!("{name} &&"),
    ];
    tests.iter().any(|test| text.contains(test.as_str()))
}
