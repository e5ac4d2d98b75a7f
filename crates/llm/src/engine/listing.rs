//! Findings as later prompts list them, with what is shown of the change beside them.

use std::borrow::Cow;

use review::Candidate;

use super::find::candidate;
use super::pool::Part;
use super::run::ModelRun;
use crate::excerpt::excerpt;
use crate::locate::{At, Located};
use crate::prompt::Listed;
use crate::prompt_batch::PromptBatch;
use crate::reply::Evidence;

/// Findings, in the order of their list.
pub(super) struct Listing<'p>(Vec<(Candidate, &'p Located)>);

impl ModelRun<'_> {
    /// The findings at these places of the pool, and the change as a finder was shown it, if that was one part; else what is around the
    /// findings.
    pub(super) fn listing<'p>(
        &self,
        parts: &[&'p Part<'_>],
        asked: &[usize],
    ) -> (Cow<'p, PromptBatch<'p>>, Listing<'p>) {
        let pool: Vec<(&Part<'_>, &Located)> = parts.iter().flat_map(|part| part.candidates()).collect();
        let asked: Vec<_> = asked.iter().filter_map(|at| pool.get(*at).copied()).collect();
        let findings = asked.iter().filter_map(|(part, found)| Some((candidate(&part.batch, found, 0.0)?, *found)));
        let listing = Listing(findings.collect());
        if let [part] = parts {
            return (Cow::Borrowed(&part.batch), listing);
        }
        let places: Vec<(&PromptBatch<'_>, At)> = asked.iter().map(|(part, found)| (&*part.batch, found.at)).collect();
        (Cow::Owned(excerpt(&places, |bytes| self.fits(bytes))), listing)
    }
}

impl Listing<'_> {
    /// The findings for a prompt. What a model said of a masked line is masked again: it may have guessed.
    pub(super) fn findings(&self, run: &ModelRun<'_>) -> Vec<Listed<'_>> {
        let finders = run.finders();
        let listed = self.0.iter().map(|(candidate, found)| Listed {
            candidate,
            summary: run.shared.redactor.text(&candidate.summary),
            scenario: found.scenario.as_deref().map(|text| run.shared.redactor.text(text)),
            agreement: (finders > 1).then_some((found.votes, finders)),
            depends: found.evidence == Evidence::Depends,
        });
        listed.collect()
    }
}
