//! The sink of rules that examine one hunk.

use review::Candidate;
use syntax::parse::shorten;

use super::finding_builder::FindingBuilder;
use super::place::Place;
use super::rule_meta::RuleMeta;

/// Receives the findings of rules that examine one hunk.
pub struct Sink<'a> {
    pub(crate) info: RuleMeta<'a>,
    pub(crate) file: usize,
    pub(crate) heading: &'a str,
    /// Findings on unchanged lines are rejected.
    pub(crate) changed_only: bool,
    pub(crate) found: &'a mut Vec<Candidate>,
}

impl Sink<'_> {
    /// Reports a defect at a node or a line.
    ///
    /// For a node, the first changed line is used. A node rule cannot report an unchanged line, because existing
    /// defects are not due to the change. Nothing is reported at a node in or next to text that the parser could not
    /// parse.
    pub fn report(
        &mut self,
        at: impl Into<Place>,
        summary: impl Into<String>,
    ) -> FindingBuilder<'_> {
        let place = at.into();
        let is_wanted = (place.changed || !self.changed_only) && !place.recovered;
        let Some(line) = place.line.filter(|_| is_wanted) else {
            return FindingBuilder::none();
        };
        let heading = Some(self.heading.trim()).filter(|heading| !heading.is_empty());
        let scope = place
            .scope
            .or_else(|| heading.map(|heading| shorten(heading, 120).to_owned()));
        let candidate = self
            .info
            .candidate(self.file, place.side, line, &summary.into());
        FindingBuilder::new(
            self.found,
            Candidate {
                scope,
                span: place.span,
                ..candidate
            },
        )
    }
}
