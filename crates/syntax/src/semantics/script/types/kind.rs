//! The types that are distinguished.

use crate::tree::Node;

/// A type, or one part of a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type<'t> {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// `null` or `undefined`.
    Null,
    /// No value: the result of a function that returns none.
    Void,
    /// An array, and the node with the type of its elements.
    Array(Option<Node<'t>>),
    /// A promise, and the node with the type of its value.
    Promise(Option<Node<'t>>),
    /// Anything that can be called, and its definition.
    Function(Node<'t>),
    /// A map or a set.
    Collection,
    /// Something else that can be iterated.
    Iterable,
    /// A class itself.
    Class(Node<'t>),
    /// An object of a class of the file, or of a well-known class.
    Instance(Option<Node<'t>>),
    /// An object of `Error` or of a class derived from it.
    Error,
    /// A plain object, and the node with its content.
    Object(Option<Node<'t>>),
    /// `any`: every use of it is allowed.
    Any,
    /// Unknown.
    Unknown,
}

impl Type<'_> {
    /// Its name, as used in a sentence.
    pub fn described(self) -> &'static str {
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

    /// Whether it is a plain value: neither a promise nor an error.
    pub fn is_plain(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Number
                | Self::Bool
                | Self::Null
                | Self::Array(_)
                | Self::Function(_)
                | Self::Collection
        )
    }

    /// Whether it is known and always truthy, whatever its content.
    pub fn is_always_true(self) -> bool {
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
