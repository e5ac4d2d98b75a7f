//! The syntax of comments, strings and keywords: one row for each group of languages. Rules, classification and the
//! console all use this table.

mod row;
mod table;
#[cfg(test)]
mod tests;

pub use row::{BlockComment, Comment, Heredoc, Lexical, LineComment, Quotes, ends_heredoc};

use table::{ANY, ROWS};

impl Lexical {
    /// The row of a language by Linguist's name.
    #[must_use]
    pub fn of(language: &str) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.names.contains(&language))
    }

    /// The row of a language, or else the comment marks that most languages use.
    #[must_use]
    pub fn or_any(language: Option<&str>) -> &'static Self {
        language.and_then(Self::of).unwrap_or(&ANY)
    }

    /// All rows.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ROWS.iter()
    }
}
