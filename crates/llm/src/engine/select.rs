//! The selector's call: one for all candidates of a change.

use std::sync::Arc;

use super::call::{AskError, FOLLOW_UPS};
use super::pool::{Part, candidates};
use super::run::ModelRun;
use crate::cache;
use crate::prompt;
use crate::redact::Masked;
use crate::reply::Selected;
use crate::stages::ranking::Ranking;
use crate::stages::selector::{chosen, competing};

/// Candidates that a model is shown at once, at most: beyond that, the order that code can tell decides.
const ASKED: usize = 60;

impl ModelRun<'_> {
    /// Decides what becomes of the candidates of a change, or takes what is known of that.
    pub(super) async fn rank(&self, parts: &[&Part<'_>], quota: usize) -> Ranking {
        let key = self.ranking_key(parts);
        if let Some(known) = self.shared.rankings.as_ref().and_then(|cache| cache.get(&key)) {
            return Ranking::clone(&known);
        }
        let chosen = self.choose(parts, quota).await;
        let is_chosen = chosen.is_ok();
        let ranking = chosen.unwrap_or_else(|error| {
            self.report_unranked(parts, "chose among the findings here; their order is computed", error);
            Ranking::computed(&candidates(parts), quota)
        });
        match self.falsify(parts, ranking).await {
            Ok(ranking) => {
                if let (true, Some(cache)) = (is_chosen, &self.shared.rankings) {
                    cache.put(key, Arc::new(ranking.clone()));
                }
                ranking
            }
            Err((ranking, error)) => {
                self.report_unranked(parts, "tried to refute the serious findings here", error);
                ranking
            }
        }
    }

    /// The order that code can tell, or a model's choice where the effort is worth that and there is something to choose from.
    async fn choose(&self, parts: &[&Part<'_>], quota: usize) -> Result<Ranking, AskError> {
        let pool = candidates(parts);
        let asked = competing(&pool);
        if !self.shared.effort.has_selector() || asked.len() <= quota {
            return Ok(Ranking::computed(&pool, quota));
        }
        Ok(Ranking { chosen: self.select(parts, &asked, quota).await?, ..Ranking::default() })
    }

    /// Has a model choose from the candidates at these places.
    async fn select(&self, parts: &[&Part<'_>], asked: &[usize], quota: usize) -> Result<Vec<usize>, AskError> {
        let asked = asked.get(..ASKED).unwrap_or(asked);
        let (shown, listing) = self.listing(parts, asked);
        let prompt = prompt::selector(&shown, &listing.findings(self), quota, self.frame());
        let answer = self.ask::<Selected>(&prompt, "selected", FOLLOW_UPS).await?;
        match AskError::of(&answer) {
            // The best come first, so an answer that broke off after some of them is an answer.
            Some(error) if answer.items.is_empty() => Err(error),
            _ => Ok(chosen(&answer.items, asked, quota)),
        }
    }

    /// What determines a ranking: the candidates, where they are, and what the change is meant to do.
    fn ranking_key(&self, parts: &[&Part<'_>]) -> cache::Key {
        let description = self.description.as_ref().map_or("", Masked::as_str);
        let parts: Vec<_> = parts.iter().map(|part| (self.key(&part.batch), &*part.answer.found)).collect();
        cache::ranking_key(&parts, description)
    }
}
