//! The judgement of a rule on a conflict.

use std::collections::BTreeSet;

use review::Reference;

use crate::facts::Use;
use crate::text::with_places;

/// A conflict that is a defect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Description of the problem.
    pub summary: String,
    /// The lines of other files that show it.
    pub references: Vec<Reference>,
    /// At least one of the uses certainly fails.
    pub is_certain: bool,
}

impl Judgement {
    /// A certain defect, without a line of another file that shows it.
    #[must_use]
    pub fn new(summary: String) -> Self {
        Self {
            summary,
            references: Vec::new(),
            is_certain: true,
        }
    }

    /// The same with a line of another file that shows it.
    #[must_use]
    pub fn shown_at(self, path: &str, line: u32) -> Self {
        let shown = Reference {
            file_path: path.to_owned(),
            line_number: line,
        };
        Self {
            references: vec![shown],
            ..self
        }
    }

    /// The same if it is also certain for other reasons; otherwise it is not.
    #[must_use]
    pub fn certain(self, is_certain: bool) -> Self {
        Self {
            is_certain: self.is_certain && is_certain,
            ..self
        }
    }

    /// Created from the uses that fail, and the summary for their number. `None` without uses.
    pub fn of<'u>(
        failing: impl Iterator<Item = &'u Use>,
        summary: impl Fn(usize) -> String,
    ) -> Option<Self> {
        let mut is_certain = false;
        let mut places = BTreeSet::new();
        for one in failing {
            is_certain |= one.is_certain;
            places.insert((one.path.as_str(), one.line));
        }
        let (summary, references) = with_places(&summary(places.len()), &places);
        (!references.is_empty()).then_some(Self {
            summary,
            references,
            is_certain,
        })
    }
}
