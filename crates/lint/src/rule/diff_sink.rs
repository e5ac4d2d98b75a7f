//! The sink of cross-file rules.

use std::collections::BTreeSet;

use impact::with_places;
use review::{Candidate, Side};

use crate::facts::{Definition, Facts};

use super::finding_builder::FindingBuilder;
use super::rule_meta::RuleMeta;

/// Receives the findings of cross-file rules.
pub struct DiffSink<'a> {
    pub(crate) info: RuleMeta<'a>,
    pub(crate) found: Vec<Candidate>,
}

impl DiffSink<'_> {
    /// Reports a defect on a line of the new side of a file.
    pub fn report(
        &mut self,
        file: &Facts,
        line: u32,
        summary: impl Into<String>,
    ) -> FindingBuilder<'_> {
        self.add(file, (Side::New, line), &summary.into())
    }

    /// Reports a changed or removed function at its definition, with the unchanged calls that it breaks.
    pub fn report_definition(
        &mut self,
        file: &Facts,
        definition: &Definition,
        summary: &str,
        calls: &BTreeSet<(&str, u32)>,
    ) -> FindingBuilder<'_> {
        let place = match (&definition.after, definition.replacement_line) {
            (Some(_), _) => (Side::New, definition.line),
            (None, Some(line)) => (Side::New, line),
            (None, None) => (Side::Old, definition.line),
        };
        let (summary, references) = with_places(summary, calls);
        self.add(file, place, &summary).references(references)
    }

    fn add(
        &mut self,
        file: &Facts,
        (side, line): (Side, u32),
        summary: &str,
    ) -> FindingBuilder<'_> {
        let candidate = self.info.candidate(file.file, side, line, summary);
        FindingBuilder::new(&mut self.found, candidate)
    }
}
