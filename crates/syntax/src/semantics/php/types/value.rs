//! The kinds of values that are distinguished.

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'t> {
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
    pub fn name(&self) -> String {
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
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Self::Int | Self::Float | Self::Number | Self::Text | Self::Bool
        )
    }
}

/// What a name of PHP means, whatever its case and its namespace.
pub fn plain(name: &str) -> String {
    name.rsplit('\\')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}
