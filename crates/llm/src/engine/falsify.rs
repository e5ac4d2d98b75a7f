//! The call that tries to refute the most serious findings: one for all of them.

use super::call::{AskError, FOLLOW_UPS};
use super::pool::{Part, candidates};
use super::run::ModelRun;
use crate::prompt;
use crate::reply::Objection;
use crate::stages::falsify::{doubted, to_check};
use crate::stages::ranking::Ranking;

impl ModelRun<'_> {
    /// Has the findings that are about to be shown as serious checked, where the effort is worth that.
    pub(super) async fn falsify(&self, parts: &[&Part<'_>], ranking: Ranking) -> Result<Ranking, (Ranking, AskError)> {
        let pool = candidates(parts);
        let asked = to_check(&pool, &ranking.chosen);
        if !self.shared.effort.has_check() || asked.is_empty() {
            return Ok(ranking);
        }
        let (shown, listed) = self.listing(parts, &asked);
        let prompt = prompt::falsify(&shown, &listed.findings(self), self.frame());
        match self.ask::<Objection>(&prompt, "checks", FOLLOW_UPS).await {
            Ok(answer) => Ok(Ranking { doubted: doubted(&answer.items, &asked, &shown), ..ranking }),
            Err(error) => Err((ranking, error)),
        }
    }
}
