//! What pieces of code are.

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Plain,
    Comment,
    Text,
    Number,
    Keyword,
}

impl Class {
    /// Its name in the style sheet.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Comment => "comment",
            Self::Text => "string",
            Self::Number => "number",
            Self::Keyword => "keyword",
        }
    }
}

/// A piece of a line.
pub(super) type Piece<'a> = (Class, &'a str);
