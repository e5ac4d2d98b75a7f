//! Look-ups in the repository that a model requests before it decides on its candidates.
//!
//! Each round is a call that sends the whole conversation again, so look-ups are only offered if a candidate depends on code
//! that is not shown, as the model states in the first turn. A conversation has few rounds ([`ROUNDS`]), and a review as many
//! look-ups as the settings allow. The model requests them in the JSON of its answer, so they work the same with every
//! provider. The providers' own tool calls differ in each of four protocols, and gateways support them unevenly.
//!
//! Definitions of called functions in the first prompt, without a request, found nothing more (docs/models.md has the
//! measurement), so a conversation has only what the model requested.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::Ordering;

use futures_util::future::join_all;
use review::repository::Lookup;
use review::{Event, LookUps, MAX_RELATED, ModelUse, Reference};

use super::run::ModelRun;
use crate::looked_up::{LookedUp, Passage};
use crate::prompt_batch::BatchFile;
use crate::settings::LOOK_UPS;
use crate::stages::names::{identifiers, in_back_ticks};

/// Rounds of look-ups in a conversation.
const ROUNDS: usize = 2;
/// The same if the settings allow more look-ups than the default.
const MORE_ROUNDS: usize = 3;
/// Maximum bytes of one look-up's answer in a prompt.
const LOOK_UP_BYTES: usize = 8_000;

/// Code from the repository that one conversation shows.
pub(super) struct Shown {
    looked_up: Vec<LookedUp>,
    asked: HashSet<Lookup>,
    rounds: usize,
    /// Maximum bytes of all answers.
    bytes: usize,
}

impl Shown {
    /// Whether the conversation shows nothing from the repository.
    pub(super) fn is_empty(&self) -> bool {
        self.looked_up.is_empty()
    }

    /// The texts from the repository that the conversation shows.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.looked_up.iter().flat_map(LookedUp::texts)
    }

    /// The lines outside of these files that a finding with this text is about, or else all that were looked at.
    pub(super) fn references(&self, text: &str, files: &[BatchFile<'_>]) -> Vec<Reference> {
        let is_outside = |path: &str| files.iter().all(|file| file.path != path);
        let names = in_back_ticks(text);
        let passages = self.looked_up.iter().flat_map(LookedUp::passages);
        let all = passages.map(|passage| reference(passage, text, &names));
        let all: Vec<_> = all
            .filter(|(reference, _)| is_outside(&reference.file_path))
            .collect();
        let has_named = all.iter().any(|(_, is_named)| *is_named);
        let mut references: Vec<Reference> = Vec::new();
        for (reference, is_named) in all {
            if (is_named || !has_named) && !references.contains(&reference) {
                references.push(reference);
            }
        }
        references.truncate(MAX_RELATED);
        references
    }

    /// The last answers.
    pub(super) fn last(&self, count: usize) -> &[LookedUp] {
        let known = self.looked_up.len().saturating_sub(count);
        self.looked_up.get(known..).unwrap_or_default()
    }

    fn room(&self) -> usize {
        self.bytes
            .saturating_sub(self.looked_up.iter().map(LookedUp::bytes).sum())
    }
}

impl ModelRun<'_> {
    /// The start of a conversation.
    pub(super) fn nothing_shown(&self) -> Shown {
        let rounds = if self.shared.look_ups > LOOK_UPS {
            MORE_ROUNDS
        } else {
            ROUNDS
        };
        Shown {
            looked_up: Vec::new(),
            asked: HashSet::new(),
            rounds,
            bytes: self.shown_bytes(),
        }
    }

    /// How many look-ups a conversation may still request.
    pub(super) fn offered(&self, shown: &Shown) -> usize {
        match self.repository {
            Some(_) if shown.rounds > 0 && shown.room() > 0 => {
                self.look_ups_left.load(Ordering::Relaxed)
            }
            _ => 0,
        }
    }

    /// Answers the look-ups that were not answered before, and returns their number. Without any, there are no more rounds.
    pub(super) async fn look_up(&self, lookups: &[Lookup], shown: &mut Shown) -> usize {
        shown.rounds = shown.rounds.saturating_sub(1);
        let Some(repository) = self.repository else {
            return 0;
        };
        let mut new = Vec::new();
        for lookup in lookups {
            if !shown.asked.contains(lookup) && self.take_look_up() {
                shown.asked.insert(lookup.clone());
                new.push(lookup);
            }
        }
        if new.is_empty() {
            shown.rounds = 0;
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
        new.len()
    }

    fn take_look_up(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        self.look_ups_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }
}

/// A line of a passage, the first one with one of these names if there is one, and whether the text is about the passage.
fn reference(passage: &Passage, text: &str, names: &BTreeSet<String>) -> (Reference, bool) {
    let mut lines = passage.text.as_str().lines();
    let named = lines.position(|line| identifiers(line).any(|name| names.contains(&name)));
    let number = passage.first + named.unwrap_or_default();
    let path = passage.path.as_str();
    let reference = Reference {
        file_path: path.to_owned(),
        line_number: u32::try_from(number).unwrap_or(u32::MAX),
    };
    (reference, named.is_some() || text.contains(path))
}
