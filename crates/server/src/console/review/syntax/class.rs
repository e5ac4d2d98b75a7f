//! Classes of tokens.

/// The class of a token.
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

/// A token: a part of a line with its class.
pub(super) type Piece<'a> = (Class, &'a str);
