//! The report of a rule about an import from another file of the repository.

use review::Reference;

use crate::facts::Offer;

/// The file that an import refers to.
#[derive(Debug, Clone, Copy)]
pub enum Import<'a> {
    /// It does not exist: one of these files must exist, and none does.
    NoFile(&'a [String]),
    /// The file at this path, with the names that it exports.
    Of(&'a str, &'a Offer),
}

/// An import of something that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Description of the problem.
    pub summary: String,
    /// The line of the other file that shows it.
    pub reference: Option<Reference>,
}

impl Missing {
    /// Creates one without a line that shows it.
    #[must_use]
    pub fn new(summary: String) -> Self {
        Self {
            summary,
            reference: None,
        }
    }

    /// Creates one with the line of another file that shows it.
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
