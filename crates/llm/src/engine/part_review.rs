//! The review of one part: finders, vote, verifier; from the cache if it was done before.

use std::sync::Arc;

use futures_util::future::join_all;
use review::{Candidate, TokenUsage};

use super::ReviewEngine;
use super::call::{Answered, Trouble};
use crate::cache::{self, Answer};
use crate::part::Part;
use crate::place::{Placed, place};
use crate::prompt;
use crate::reply::{Items, Said, Verdict};
use crate::settings::Effort;
use crate::verify;
use crate::vote::unite;

/// What came of a part.
pub(super) struct PartReview {
    pub(super) result: Result<Arc<Answer>, Trouble>,
    pub(super) usage: TokenUsage,
    /// Why the verifier did not look at it, though it should have.
    pub(super) unverified: Option<Trouble>,
    /// Why not all is known that the finders would have said.
    pub(super) missing: Option<Trouble>,
}

impl PartReview {
    fn failed(trouble: Trouble, usage: TokenUsage) -> Self {
        Self { result: Err(trouble), usage, unverified: None, missing: None }
    }

    /// Whether half of the part might well succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        self.result.as_ref().err().is_some_and(Trouble::is_lack_of_room)
    }
}

/// What one finder found.
struct Ballot {
    found: Vec<Placed>,
    unplaced: usize,
    /// The answer broke off.
    cut: bool,
}

impl ReviewEngine {
    /// Reviews a part, or takes what is known of it. `may_halve` says that an answer without room is better asked for in
    /// halves than taken as far as it goes.
    pub(super) async fn review_part(&self, part: &Part<'_>, may_halve: bool) -> PartReview {
        let Some(cache) = &self.shared.cache else { return self.look_at(part, may_halve).await };
        let guidelines = self.guidelines.as_deref().unwrap_or_default();
        let key = cache::key(&[&self.tenant, &self.shared.identity, guidelines], part);
        if let Some(answer) = cache.get(&key) {
            let (usage, unverified, missing) = (TokenUsage::default(), None, None);
            return PartReview { result: Ok(answer), usage, unverified, missing };
        }
        let review = self.look_at(part, may_halve).await;
        if let (Ok(answer), None, None) = (&review.result, review.unverified, review.missing) {
            cache.put(key, Arc::clone(answer));
        }
        review
    }

    async fn look_at(&self, part: &Part<'_>, may_halve: bool) -> PartReview {
        let orders = 0..finders(self.shared.effort);
        let ballots = join_all(orders.map(|order| self.find(part, order))).await;
        let mut usage = TokenUsage::default();
        let (mut found, mut unplaced, mut missing) = (Vec::new(), 0, None);
        for (result, used) in ballots {
            usage += used;
            match result {
                Ok(ballot) => {
                    found.push(ballot.found);
                    unplaced += ballot.unplaced;
                    missing = missing.or(ballot.cut.then_some(Trouble::NoRoom));
                }
                Err(why) => missing = missing.or(Some(why)),
            }
        }
        if let Some(trouble) = missing
            && (found.is_empty() || may_halve && trouble.is_lack_of_room())
        {
            return PartReview::failed(trouble, usage);
        }
        let mut answer = Answer { found: unite(found), unplaced, refuted: Vec::new() };
        let mut unverified = None;
        if self.shared.effort != Effort::Low {
            let verified = self.verify(part, &mut answer).await;
            usage += verified.usage;
            unverified = match verified.result {
                Ok(verdicts) => verdicts.cut.then_some(Trouble::NoRoom),
                Err(trouble) => Some(trouble),
            };
        }
        PartReview { result: Ok(Arc::new(answer)), usage, unverified, missing }
    }

    async fn find(&self, part: &Part<'_>, order: usize) -> (Result<Ballot, Trouble>, TokenUsage) {
        let shown = part.ordered(order);
        let prompt = prompt::finder(&shown, self.guidelines.as_deref(), self.output_room());
        let Answered { result, usage } = self.ask::<Said>(&prompt, "findings").await;
        let ballot = result.map(|said| {
            let found: Vec<Placed> = said.items.iter().filter_map(|said| place(said, part)).collect();
            Ballot { unplaced: said.items.len() - found.len() + said.unreadable, found, cut: said.cut }
        });
        (ballot, usage)
    }

    /// Has the findings of this engine and those of the rules checked.
    async fn verify(&self, part: &Part<'_>, answer: &mut Answer) -> Answered<Verdict> {
        let own: Vec<Candidate> = answer.found.iter().filter_map(|placed| candidate(part, placed)).collect();
        let count = own.len() + part.hints.len();
        if count == 0 {
            return Answered { result: Ok(Items::default()), usage: TokenUsage::default() };
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

/// How many finders look at a part.
pub(super) fn finders(effort: Effort) -> usize {
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
