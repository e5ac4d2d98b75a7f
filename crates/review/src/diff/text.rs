//! Makes the text of a diff readable, in the forms in which people send it.

use std::borrow::Cow;

use super::model::{Diff, DiffError, Unread};
use super::{colour, mail, reader};
use crate::budget::Budget;

/// The text of a diff without colour codes and without the transfer encodings of mails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffText {
    text: String,
    /// A mail was decoded, so line numbers are those of the decoded text.
    is_decoded: bool,
}

impl DiffText {
    /// Removes the colour codes of a coloured diff (`git diff --color=always`), and decodes mails whose body is
    /// quoted-printable, base64 or multipart. Other texts are unchanged.
    #[must_use]
    pub fn of(text: String) -> Self {
        let text = match colour::strip(&text) {
            Cow::Owned(plain) => plain,
            Cow::Borrowed(_) => text,
        };
        match mail::decode(&text) {
            Cow::Owned(decoded) => Self {
                text: decoded,
                is_decoded: true,
            },
            Cow::Borrowed(_) => Self {
                text,
                is_decoded: false,
            },
        }
    }

    /// The readable text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Parses the diff.
    ///
    /// # Errors
    /// As [`Diff::parse`].
    pub fn parse(&self) -> Result<Diff<'_>, DiffError> {
        self.parse_within(&Budget::of_bytes(self.text.len()))
            .map_err(DiffError::from)
    }

    /// As [`DiffText::parse`], within a budget.
    ///
    /// # Errors
    /// As [`DiffText::parse`], or the budget ended.
    pub fn parse_within(&self, budget: &Budget) -> Result<Diff<'_>, Unread> {
        reader::read(&self.text, budget).map_err(|unread| match unread {
            Unread::Invalid(error) if self.is_decoded => {
                let reason = format!("{} (the line is counted in the decoded mail)", error.reason);
                DiffError { reason, ..error }.into()
            }
            other => other,
        })
    }
}
