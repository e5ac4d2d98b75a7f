//! The review of one part: finders, vote, verifier; from the cache if it was done before.

use std::sync::Arc;

use futures_util::future::join_all;
use review::{Candidate, TokenUsage};

use super::ReviewEngine;
use super::call::{Answered, Trouble};
use crate::cache::{self, Answer};
use crate::model::CallError;
use crate::part::Part;
use crate::place::{Placed, place};
use crate::prompt;
use crate::reply::{Said, Verdict};
use crate::settings::Effort;
use crate::verify;
use crate::vote::unite;

/// What came of a part.
pub(super) struct PartReview {
    pub(super) result: Result<Arc<Answer>, Trouble>,
    pub(super) usage: TokenUsage,
    /// Why the verifier did not look at it, though it should have.
    pub(super) unverified: Option<Trouble>,
    /// Finders that gave no answer, while others did.
    pub(super) missing: Option<Trouble>,
}

impl PartReview {
    /// Whether half of the part might well succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        matches!(self.result, Err(Trouble::NoRoom | Trouble::Call(CallError::TooLong)))
    }
}

impl ReviewEngine {
    /// Reviews a part, or takes what is known of it.
    pub(super) async fn review_part(&self, part: &Part<'_>) -> PartReview {
        let guidelines = self.guidelines.as_deref().unwrap_or_default();
        let key = cache::key(&[&self.tenant, &self.shared.identity, guidelines], part);
        if let Some(answer) = self.shared.cache.as_ref().and_then(|cache| cache.get(&key)) {
            let (usage, unverified, missing) = (TokenUsage::default(), None, None);
            return PartReview { result: Ok(answer), usage, unverified, missing };
        }
        let review = self.look_at(part).await;
        if let (Some(cache), Ok(answer), None, None) =
            (&self.shared.cache, &review.result, review.unverified, review.missing)
        {
            cache.put(key, Arc::clone(answer));
        }
        review
    }

    async fn look_at(&self, part: &Part<'_>) -> PartReview {
        let orders = 0..finders(self.shared.effort);
        let ballots = join_all(orders.map(|order| self.find(part, order))).await;
        let mut usage = TokenUsage::default();
        let (mut found, mut unplaced, mut trouble) = (Vec::new(), 0, None);
        for (result, used) in ballots {
            usage += used;
            match result {
                Ok((placed, lost)) => {
                    found.push(placed);
                    unplaced += lost;
                }
                Err(why) => trouble = trouble.or(Some(why)),
            }
        }
        if let (true, Some(trouble)) = (found.is_empty(), trouble) {
            return PartReview { result: Err(trouble), usage, unverified: None, missing: None };
        }
        let mut answer = Answer { found: unite(found), unplaced, refuted: Vec::new() };
        let mut unverified = None;
        if self.shared.effort != Effort::Low {
            let verified = self.verify(part, &mut answer).await;
            usage += verified.usage;
            unverified = verified.result.err();
        }
        PartReview { result: Ok(Arc::new(answer)), usage, unverified, missing: trouble }
    }

    /// One finder's findings and how many have no place.
    async fn find(&self, part: &Part<'_>, order: usize) -> (Result<(Vec<Placed>, usize), Trouble>, TokenUsage) {
        let shown = part.ordered(order);
        let prompt = prompt::finder(&shown, self.guidelines.as_deref(), self.output_room());
        let Answered { result, usage } = self.ask::<Said>(&prompt, "findings").await;
        let placed = result.map(|said| {
            let placed: Vec<Placed> = said.items.iter().filter_map(|said| place(said, part)).collect();
            let unplaced = said.items.len() - placed.len() + said.unreadable;
            (placed, unplaced)
        });
        (placed, usage)
    }

    /// Has the findings of this engine and those of the rules checked.
    async fn verify(&self, part: &Part<'_>, answer: &mut Answer) -> Answered<Verdict> {
        let own: Vec<Candidate> = answer.found.iter().filter_map(|placed| candidate(part, placed)).collect();
        let count = own.len() + part.hints.len();
        if count == 0 {
            let items = crate::reply::Items { items: Vec::new(), unreadable: 0 };
            return Answered { result: Ok(items), usage: TokenUsage::default() };
        }
        let all = own.iter().chain(part.hints.iter().map(|(_, hint)| *hint));
        let prompt = prompt::verifier(part, all, self.output_room());
        let answered = self.ask::<Verdict>(&prompt, "verdicts").await;
        if let Ok(verdicts) = &answered.result {
            let scores = verify::scores(&verdicts.items, count);
            answer.refuted = verify::refuted(&part.hints, &scores, own.len());
            answer.found = verify::judge(std::mem::take(&mut answer.found), &scores);
        }
        answered
    }
}

fn finders(effort: Effort) -> usize {
    match effort {
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 4,
    }
}

/// A placed finding as the pipeline takes it.
pub(super) fn candidate(part: &Part<'_>, placed: &Placed) -> Option<Candidate> {
    let (file, line) = part.line(placed.at)?;
    let (side, number) = line.place()?;
    Some(Candidate {
        file: file.index,
        side,
        line: number,
        rule_id: None,
        priority: placed.priority,
        category: placed.category,
        summary: placed.summary.clone(),
        suggested_fix: placed.fix.clone(),
        confidence: placed.confidence,
        scope: None,
    })
}
