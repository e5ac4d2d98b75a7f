//! The report of a rule about other files of the repository.

use std::collections::BTreeSet;

use review::Reference;

use super::wording::with_places;
use crate::facts::Use;

/// The places in other files that a change breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Description of the problem.
    pub(crate) summary: String,
    /// The places that a finding lists.
    pub(crate) references: Vec<Reference>,
    /// At least one of the uses certainly fails.
    pub(crate) is_certain: bool,
}

impl Broken {
    /// The same if it is also certain for other reasons; otherwise it is not.
    #[must_use]
    pub fn certain(self, is_certain: bool) -> Self {
        Self {
            is_certain: self.is_certain && is_certain,
            ..self
        }
    }

    /// Created from a line of another file that shows it.
    #[must_use]
    pub fn shown_at(summary: String, line: &Reference, is_certain: bool) -> Self {
        Self {
            summary,
            references: vec![line.clone()],
            is_certain,
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
