//! The kinds of values that are distinguished.

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'t> {
    /// An integer.
    Int,
    /// A number with a fraction.
    Float,
    /// An integer or a number with a fraction.
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
    /// Its name, as used in a sentence.
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

    /// Whether it is a number, a boolean or a string.
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Self::Int | Self::Float | Self::Number | Self::Text | Self::Bool
        )
    }
}

/// A PHP name without its namespace and in lower case.
pub fn plain(name: &str) -> String {
    name.rsplit('\\')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}
