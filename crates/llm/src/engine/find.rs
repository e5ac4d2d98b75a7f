//! The candidates of one batch: finders, deduplication and the evidence gate; from the cache if that was done before.

use std::sync::Arc;

use futures_util::future::join_all;
use review::{Candidate, DropCause, Origin};

use super::call::AskError;
use super::run::ModelRun;
use crate::cache::{self, Answer, Lost};
use crate::locate::{Located, Lookup, locate};
use crate::model::Prompt;
use crate::prompt;
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use crate::reply::RawFinding;
use crate::stages::dedupe::dedupe;
use crate::stages::evidence::{Symbols, gate};

/// What came of a batch.
pub(super) struct BatchResult {
    pub(super) answer: Result<Arc<Answer>, AskError>,
    /// Why not all is known that the finders would have said.
    pub(super) missing: Option<AskError>,
}

impl BatchResult {
    fn of(answer: Result<Arc<Answer>, AskError>) -> Self {
        Self { answer, missing: None }
    }

    /// Whether half of the batch might well succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        self.answer.as_ref().err().is_some_and(AskError::is_lack_of_room)
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
    /// Looks for candidates in a batch, or takes what is known of it. A batch without further calls is a half of another.
    pub(super) async fn find(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchResult {
        let Some(cache) = &self.shared.answers else { return self.find_fresh(batch, follow_ups).await };
        let key = self.key(batch);
        if let Some(answer) = cache.get(&key) {
            return BatchResult::of(Ok(answer));
        }
        let result = self.find_fresh(batch, follow_ups).await;
        if let (Ok(answer), None) = (&result.answer, result.missing) {
            cache.put(key, Arc::clone(answer));
        }
        result
    }

    /// What determines the candidates of a batch.
    pub(super) fn key(&self, batch: &PromptBatch<'_>) -> cache::Key {
        let guidelines = self.guidelines.as_ref().map_or("", Masked::as_str);
        cache::key(&[&self.tenant, &self.shared.identity, guidelines], batch)
    }

    async fn find_fresh(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchResult {
        // An answer without room is better asked for in halves than taken as far as it goes.
        let may_halve = follow_ups > 0 && batch.lines().nth(1).is_some();
        let (mut found, mut dropped, mut missing) = (Vec::new(), Vec::new(), None);
        let prompts: Vec<Prompt> =
            (0..self.finders()).map(|finder| prompt::finder(batch, self.frame(), finder)).collect();
        for result in join_all(prompts.iter().map(|prompt| self.found(batch, prompt, follow_ups))).await {
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
            return BatchResult::of(Err(error));
        }
        let deduplicated = dedupe(found);
        dropped.extend(deduplicated.dropped);
        let symbols = Symbols::of(batch);
        let found = deduplicated.found.into_iter().map(|found| gate(found, &symbols)).collect();
        BatchResult { answer: Ok(Arc::new(Answer { found, dropped })), missing }
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
            if [&raw.summary, &raw.fix, &raw.scenario].iter().any(|text| prompt::quotes_instructions(text)) {
                let summary = "it quotes the model's instructions".to_owned();
                dropped.push(Lost { cause: DropCause::Unreadable, summary, ..self.unanchored(raw) });
                continue;
            }
            match locate(raw, &lookup) {
                Some(located) => found.push(Located { place: found.len(), ..located }),
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

    /// How many finders look at a batch.
    pub(super) fn finders(&self) -> usize {
        self.shared.effort.finders()
    }
}

/// A finding as the pipeline takes it, as its finder had it.
pub(super) fn candidate(batch: &PromptBatch<'_>, located: &Located, confidence: f32) -> Option<Candidate> {
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
        confidence,
        scope: None,
        span: None,
        related: Vec::new(),
        replacement: None,
        lowered_in_test_code: false,
        suppression: None,
    })
}
