//! The report of a rule about other files of the repository.

use std::collections::BTreeSet;

use review::{MAX_RELATED, Reference};

use super::diff_sink::shown_path;
use crate::facts::Use;

/// The number of places that a summary names.
const NAMED: usize = 3;

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

/// A summary that names the first of several places, and references to the places.
pub fn with_places(summary: &str, places: &BTreeSet<(&str, u32)>) -> (String, Vec<Reference>) {
    let named: Vec<String> = places
        .iter()
        .take(NAMED)
        .map(|(path, line)| format!("{}:{line}", shown_path(path)))
        .collect();
    let end = if places.len() > NAMED { ", …" } else { "." };
    let reference = |(path, line): &(&str, u32)| Reference {
        file_path: (*path).to_owned(),
        line_number: *line,
    };
    let references = places.iter().map(reference).take(MAX_RELATED).collect();
    (format!("{summary}: {}{end}", named.join(", ")), references)
}
