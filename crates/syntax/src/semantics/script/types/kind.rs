//! The types that are distinguished.

use crate::tree::Node;

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
            Self::Text
                | Self::Number
                | Self::Bool
                | Self::Null
                | Self::Array(_)
                | Self::Function(_)
                | Self::Collection
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
