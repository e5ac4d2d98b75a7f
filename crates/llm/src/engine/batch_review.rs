//! The review of one part: finders, vote, verifier; from the cache if it was done before.

use std::sync::Arc;

use futures_util::future::join_all;
use review::{Candidate, Origin, TokenUsage};

use super::call::{Answered, AskError};
use super::run::ModelRun;
use crate::cache::{self, Answer};
use crate::consensus::merge;
use crate::locate::{Located, locate};
use crate::prompt::{self, Told};
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use crate::reply::{Items, RawFinding, Verdict};
use crate::settings::Effort;
use crate::verify;

/// What came of a part.
pub(super) struct BatchReview {
    pub(super) result: Result<Arc<Answer>, AskError>,
    pub(super) usage: TokenUsage,
    /// Why the verifier did not look at it, though it should have.
    pub(super) unverified: Option<AskError>,
    /// Why not all is known that the finders would have said.
    pub(super) missing: Option<AskError>,
}

impl BatchReview {
    fn failed(error: AskError, usage: TokenUsage) -> Self {
        Self { result: Err(error), usage, unverified: None, missing: None }
    }

    /// Whether half of the part might well succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        self.result.as_ref().err().is_some_and(AskError::is_lack_of_room)
    }
}

/// What one finder found.
struct FinderResult {
    found: Vec<Located>,
    unanchored: usize,
    /// Why there may be more findings.
    missing: Option<AskError>,
}

impl ModelRun {
    /// Reviews a part, or takes what is known of it. `may_halve` says that an answer without room is better asked for in
    /// halves than taken as far as it goes.
    pub(super) async fn review_batch(&self, batch: &PromptBatch<'_>, may_halve: bool) -> BatchReview {
        let Some(cache) = &self.shared.cache else { return self.look_at(batch, may_halve).await };
        let guidelines = self.guidelines.as_ref().map_or("", Masked::as_str);
        let key = cache::key(&[&self.tenant, &self.shared.identity, guidelines], batch);
        if let Some(answer) = cache.get(&key) {
            let (usage, unverified, missing) = (TokenUsage::default(), None, None);
            return BatchReview { result: Ok(answer), usage, unverified, missing };
        }
        let review = self.look_at(batch, may_halve).await;
        if let (Ok(answer), None, None) = (&review.result, review.unverified, review.missing) {
            cache.put(key, Arc::clone(answer));
        }
        review
    }

    async fn look_at(&self, batch: &PromptBatch<'_>, may_halve: bool) -> BatchReview {
        let orders = 0..finders(self.shared.effort);
        let results = join_all(orders.map(|order| self.find(batch, order))).await;
        let mut usage = TokenUsage::default();
        let (mut found, mut unanchored, mut missing) = (Vec::new(), 0, None);
        for (result, used) in results {
            usage += used;
            match result {
                Ok(result) => {
                    found.push(result.found);
                    unanchored += result.unanchored;
                    missing = missing.or(result.missing);
                }
                Err(why) => missing = missing.or(Some(why)),
            }
        }
        if let Some(error) = missing
            && (found.is_empty() || may_halve && error.is_lack_of_room())
        {
            return BatchReview::failed(error, usage);
        }
        let mut answer = Answer { found: merge(found), unanchored, refuted: Vec::new() };
        let mut unverified = None;
        if self.shared.effort != Effort::Low {
            let verified = self.verify(batch, &mut answer).await;
            usage += verified.usage;
            unverified = match verified.result {
                Ok(verdicts) => AskError::of(&verdicts),
                Err(error) => Some(error),
            };
        }
        BatchReview { result: Ok(Arc::new(answer)), usage, unverified, missing }
    }

    async fn find(&self, batch: &PromptBatch<'_>, order: usize) -> (Result<FinderResult, AskError>, TokenUsage) {
        let shown = batch.ordered(order);
        let prompt = prompt::finder(&shown, self.guidelines.as_ref(), self.output_room());
        let Answered { result, usage } = self.ask::<RawFinding>(&prompt, "findings").await;
        let result = result.map(|raw| {
            let found: Vec<Located> = raw.items.iter().filter_map(|raw| locate(raw, batch)).collect();
            let unanchored = raw.items.len() - found.len() + raw.unreadable;
            FinderResult { unanchored, found, missing: AskError::of(&raw) }
        });
        (result, usage)
    }

    /// Has the findings of this engine and those of the rules checked.
    async fn verify(&self, batch: &PromptBatch<'_>, answer: &mut Answer) -> Answered<Verdict> {
        let own: Vec<Candidate> = answer.found.iter().filter_map(|located| candidate(batch, located)).collect();
        let count = own.len() + batch.hints.len();
        if count == 0 {
            return Answered { result: Ok(Items::default()), usage: TokenUsage::default() };
        }
        // What a model said of a masked line is masked again: it may have guessed.
        let own_told = own.iter().map(|own| Told { candidate: own, summary: self.shared.redactor.text(&own.summary) });
        let all = own_told.chain(batch.hints.iter().map(Told::from));
        let prompt = prompt::verifier(batch, all, self.output_room());
        let answered = self.ask::<Verdict>(&prompt, "verdicts").await;
        if let Ok(verdicts) = &answered.result {
            let scores = verify::scores(&verdicts.items, count);
            answer.refuted = verify::refuted(&batch.hints, &scores, own.len());
            answer.found = verify::judge(std::mem::take(&mut answer.found), &scores);
        }
        answered
    }
}

/// How many finders look at a part.
pub(super) fn finders(effort: Effort) -> usize {
    match effort {
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 4,
    }
}

/// A placed finding as the pipeline takes it.
pub(super) fn candidate(batch: &PromptBatch<'_>, located: &Located) -> Option<Candidate> {
    let (file, line) = batch.line(located.at)?;
    let (side, number) = line.locate()?;
    Some(Candidate {
        file: file.index,
        side,
        line: number,
        origin: Origin::Model,
        priority: located.priority,
        category: located.category,
        summary: located.summary.clone(),
        suggested_fix: located.fix.clone(),
        confidence: located.confidence,
        scope: None,
    })
}
