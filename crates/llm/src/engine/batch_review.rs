//! The review of one batch: finders, consensus, verifier; from the cache if it was done before.

use std::sync::Arc;

use futures_util::future::join_all;
use review::{Candidate, DropCause, Origin};

use super::call::{AskError, FOLLOW_UPS};
use super::run::ModelRun;
use crate::cache::{self, Answer, Lost};
use crate::consensus::merge;
use crate::locate::{Located, Lookup, locate};
use crate::model::Prompt;
use crate::prompt::{self, Told};
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use crate::reply::{Items, RawFinding, Verdict};
use crate::settings::Effort;
use crate::verify;

/// What came of a batch.
pub(super) struct BatchReview {
    pub(super) result: Result<Arc<Answer>, AskError>,
    /// Why the verifier did not look at it, though it should have.
    pub(super) unverified: Option<AskError>,
    /// Why not all is known that the finders would have said.
    pub(super) missing: Option<AskError>,
}

impl BatchReview {
    fn of(result: Result<Arc<Answer>, AskError>) -> Self {
        Self { result, unverified: None, missing: None }
    }

    /// Whether half of the batch might well succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        self.result.as_ref().err().is_some_and(AskError::is_lack_of_room)
    }
}

/// What one finder found.
pub(super) struct FinderResult {
    pub(super) found: Vec<Located>,
    pub(super) dropped: Vec<Lost>,
    /// Why there may be more findings.
    pub(super) missing: Option<AskError>,
}

impl ModelRun<'_> {
    /// Reviews a batch, or takes what is known of it. A batch without further calls is a half of another.
    pub(super) async fn review_batch(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchReview {
        let Some(cache) = &self.shared.cache else { return self.look_at(batch, follow_ups).await };
        let guidelines = self.guidelines.as_ref().map_or("", Masked::as_str);
        let key = cache::key(&[&self.tenant, &self.shared.identity, guidelines], batch);
        if let Some(answer) = cache.get(&key) {
            return BatchReview::of(Ok(answer));
        }
        let review = self.look_at(batch, follow_ups).await;
        if let (Ok(answer), None, None) = (&review.result, review.unverified, review.missing) {
            cache.put(key, Arc::clone(answer));
        }
        review
    }

    async fn look_at(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchReview {
        let orders = 0..finders(self.shared.effort);
        // An answer without room is better asked for in halves than taken as far as it goes.
        let may_halve = follow_ups > 0 && batch.lines().nth(1).is_some();
        let (mut found, mut dropped, mut missing) = (Vec::new(), Vec::new(), None);
        for result in join_all(orders.map(|order| self.find(batch, order, follow_ups))).await {
            match result {
                Ok(result) => {
                    found.push(result.found);
                    dropped.extend(result.dropped);
                    missing = missing.or(result.missing);
                }
                Err(why) => missing = missing.or(Some(why)),
            }
        }
        if let Some(error) = missing
            && (found.is_empty() || may_halve && error.is_lack_of_room())
        {
            return BatchReview::of(Err(error));
        }
        let consensus = merge(found);
        dropped.extend(consensus.dropped);
        let mut answer = Answer { found: consensus.found, doubts: Vec::new(), dropped };
        let mut unverified = None;
        if self.shared.effort != Effort::Low {
            unverified = match self.verify(batch, &mut answer).await {
                Ok(verdicts) => AskError::of(&verdicts),
                Err(error) => Some(error),
            };
        }
        BatchReview { result: Ok(Arc::new(answer)), unverified, missing }
    }

    async fn find(&self, batch: &PromptBatch<'_>, order: usize, follow_ups: u32) -> Result<FinderResult, AskError> {
        let shown = batch.ordered(order);
        let prompt = prompt::finder(&shown, self.guidelines.as_ref(), self.output_room());
        self.found(batch, &prompt, follow_ups).await
    }

    /// What a model finds in a batch when it is asked this.
    pub(super) async fn found(
        &self,
        batch: &PromptBatch<'_>,
        prompt: &Prompt,
        follow_ups: u32,
    ) -> Result<FinderResult, AskError> {
        let raw = self.ask::<RawFinding>(prompt, "findings", follow_ups).await?;
        let missing = AskError::of(&raw);
        let (mut found, mut dropped) = (Vec::new(), Vec::new());
        let lookup = Lookup::of(batch);
        for raw in &raw.items {
            if [&raw.summary, &raw.fix].iter().any(|text| prompt::quotes_instructions(text)) {
                let summary = "it quotes the model's instructions".to_owned();
                dropped.push(Lost { cause: DropCause::Unreadable, summary, ..self.unanchored(raw) });
                continue;
            }
            match locate(raw, &lookup) {
                Some(located) => found.push(located),
                None => dropped.push(self.unanchored(raw)),
            }
        }
        dropped.extend(Lost::unreadable(raw.unreadable));
        Ok(FinderResult { found, dropped, missing })
    }

    /// What a model said is masked again: it may have guessed.
    fn unanchored(&self, raw: &RawFinding) -> Lost {
        let masked = |text: &str| prompt::plain_line(self.shared.redactor.text(text).as_str());
        let place = masked(&format!("{} {}", raw.file.trim(), raw.line.trim()));
        Lost { cause: DropCause::Unanchored, count: 1, at: None, place, summary: masked(&raw.summary) }
    }

    /// Has the findings of this engine and those of the rules checked.
    async fn verify(&self, batch: &PromptBatch<'_>, answer: &mut Answer) -> Result<Items<Verdict>, AskError> {
        let own: Vec<Candidate> = answer.found.iter().filter_map(|located| candidate(batch, located)).collect();
        if own.is_empty() && batch.hints.is_empty() {
            return Ok(Items::default());
        }
        // What a model said of a masked line is masked again: it may have guessed.
        let redactor = &self.shared.redactor;
        let own_told = own.iter().map(|own| Told {
            candidate: own,
            summary: redactor.text(&own.summary),
            fix: own.suggested_fix.as_deref().map(|fix| redactor.text(fix)),
        });
        let all = own_told.chain(batch.hints.iter().map(Told::from));
        let prompt = prompt::verifier(batch, all, self.output_room());
        let verdicts = self.ask::<Verdict>(&prompt, "verdicts", FOLLOW_UPS).await?;
        verify::apply(&verdicts.items, batch, answer);
        Ok(verdicts)
    }
}

/// How many finders look at a batch.
pub(super) fn finders(effort: Effort) -> usize {
    match effort {
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 4,
    }
}

/// A located finding as the pipeline takes it.
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
        span: None,
        related: Vec::new(),
        replacement: None,
    })
}
