//! What a rule reports about an import of another file of the repository.

use review::Reference;

use crate::facts::Offer;

/// What an import leads to.
#[derive(Debug, Clone, Copy)]
pub enum Import<'a> {
    /// Nowhere: none of these files exists, one of which it must be.
    NoFile(&'a [String]),
    /// To the file at this path, with what it offers.
    Of(&'a str, &'a Offer),
}

/// Something that an import does not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What is wrong.
    pub summary: String,
    /// The line of the other file that shows it.
    pub reference: Option<Reference>,
}

impl Missing {
    /// Without a line that shows it.
    #[must_use]
    pub fn new(summary: String) -> Self {
        Self {
            summary,
            reference: None,
        }
    }

    /// With the line of another file that shows it.
    #[must_use]
    pub fn shown_at(summary: String, path: &str, line: u32) -> Self {
        Self {
            summary,
            reference: Some(Reference {
                file_path: path.to_owned(),
                line_number: line,
            }),
        }
    }
}
