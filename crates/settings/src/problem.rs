//! The faults in the settings, each with its place.

use std::fmt;

use super::value::Source;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(super) place: Source,
    pub(super) message: String,
}

/// All faults found; never empty.
#[derive(Debug)]
pub struct Problems(pub(super) Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => out.write_str("the settings are not valid:")?,
            count => write!(out, "the settings are not valid ({count} faults):")?,
        }
        for problem in &self.0 {
            // A variable's name identifies the setting; a line of a file or a flag does not.
            match &problem.place {
                Source::Environment(name) if problem.message.starts_with(name) => {
                    write!(out, "\n  {}", problem.message)?
                }
                place => write!(out, "\n  {place}: {}", problem.message)?,
            }
        }
        Ok(())
    }
}

/// The known name that is most similar to `name`, if it is similar enough.
pub(super) fn nearest<'k>(name: &str, known: &'k [String]) -> Option<&'k str> {
    known
        .iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(name, candidate),
                candidate.as_str(),
            )
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
