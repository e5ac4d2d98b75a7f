//! Look-ups in the repository that the finder requests before it answers.
//!
//! A finder has [`ROUNDS`] rounds, and a review as many look-ups as the settings allow. The model requests them in the
//! JSON of its answer, so they work the same with every provider: each round is a call with the same prompt and the
//! results so far. The providers' own tool calls would need a conversation in each of four protocols, and gateways
//! support them unevenly.
//!
//! Definitions of called functions in the first prompt, without a request, found nothing more (docs/models.md has the
//! measurement), so a prompt has only what the model requested.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use futures_util::future::join_all;
use review::repository::Lookup;
use review::{Event, LookUps, ModelUse};

use super::call::AskError;
use super::run::{ModelRun, SHOWN_BYTES};
use crate::cache::Answer;
use crate::looked_up::LookedUp;
use crate::prompt::{self, View};
use crate::prompt_batch::PromptBatch;
use crate::reply::Items;

/// Rounds of look-ups before a finder's answer.
const ROUNDS: usize = 3;
/// Maximum bytes of one look-up's answer in a prompt.
const LOOK_UP_BYTES: usize = 8_000;

/// Code from the repository that one batch shows.
#[derive(Default)]
pub(super) struct Shown {
    looked_up: Vec<LookedUp>,
    asked: HashSet<Lookup>,
}

impl Shown {
    /// The texts from the repository that the prompt shows.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.looked_up.iter().flat_map(LookedUp::texts)
    }

    fn view(&self, left: usize) -> View<'_> {
        View {
            looked_up: &self.looked_up,
            left,
        }
    }

    fn room(&self) -> usize {
        SHOWN_BYTES.saturating_sub(self.looked_up.iter().map(LookedUp::bytes).sum())
    }
}

impl ModelRun<'_> {
    /// Calls the finder, and answers its look-ups until it returns its list. Results of earlier rounds are kept if a
    /// later call fails.
    pub(super) async fn ask_with_look_ups(
        &self,
        batch: &PromptBatch<'_>,
        shown: &mut Shown,
        follow_ups: u32,
    ) -> Result<(Answer, Option<AskError>), AskError> {
        let mut known = Items::default();
        let mut rounds = ROUNDS;
        loop {
            let left = match self.repository {
                Some(_) if rounds > 0 && shown.room() > 0 => {
                    self.look_ups_left.load(Ordering::Relaxed)
                }
                _ => 0,
            };
            let view = self.repository.map(|_| shown.view(left));
            let items = match self
                .ask(&prompt::finder(batch, self.frame(view)), follow_ups)
                .await
            {
                Ok(items) => items,
                Err(error) if known.items.is_empty() => return Err(error),
                Err(error) => return Ok((self.located(batch, &known).0, Some(error))),
            };
            if left == 0 || items.lookups.is_empty() || !self.look_up(&items.lookups, shown).await {
                return Ok(self.located(batch, &items));
            }
            known = items;
            rounds -= 1;
        }
    }

    /// Answers look-ups. Returns whether at least one had not been answered before.
    async fn look_up(&self, lookups: &[Lookup], shown: &mut Shown) -> bool {
        let Some(repository) = self.repository else {
            return false;
        };
        let mut new = Vec::new();
        for lookup in lookups {
            if !shown.asked.contains(lookup) && self.take_look_up() {
                shown.asked.insert(lookup.clone());
                new.push(lookup);
            }
        }
        let redactor = &self.shared.redactor;
        // An answer holds whole files until it is masked.
        let answers = new.iter().map(|lookup| async move {
            let answer = repository.look_up(lookup).await;
            let look_ups = LookUps::of(lookup, &answer);
            (look_ups, LookedUp::of(lookup, answer, redactor))
        });
        for (look_ups, mut looked_up) in join_all(answers).await {
            self.report.report(Event::Sent(Box::new(ModelUse {
                look_ups,
                ..ModelUse::default()
            })));
            looked_up.cut(LOOK_UP_BYTES.min(shown.room()));
            shown.looked_up.push(looked_up);
        }
        !new.is_empty()
    }

    fn take_look_up(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        self.look_ups_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }
}
