//! The candidates of one batch: the answer of the first turn, located and marked by its evidence, or a cached answer.

use std::sync::Arc;

use review::DropCause;

use super::call::AskError;
use super::decide::FirstTurn;
use super::run::ModelRun;
use crate::cache::{self, Answer, Lost};
use crate::locate::{BatchIndex, Located, locate};
use crate::prompt;
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use crate::reply::{Items, RawFinding};
use crate::stages::evidence::{Symbols, gate};

/// The result of a batch.
pub(super) struct BatchResult {
    pub(super) answer: Result<Arc<Answer>, AskError>,
    /// Why the answer may be incomplete.
    pub(super) missing: Option<AskError>,
    /// The conversation, if it has a second turn.
    pub(super) first: Option<FirstTurn>,
}

/// The located findings of an answer.
pub(super) struct Found {
    pub(super) answer: Answer,
    /// The model's words for each finding.
    raw: Vec<RawFinding>,
    /// Why there may be more.
    pub(super) missing: Option<AskError>,
}

impl BatchResult {
    /// Whether half of the batch may succeed where the whole did not.
    pub(super) fn lacks_room(&self) -> bool {
        self.answer
            .as_ref()
            .err()
            .is_some_and(AskError::is_too_long)
    }
}

impl ModelRun<'_> {
    /// Looks for candidates in a batch. Halves of a batch have no `follow_ups`.
    pub(super) async fn find(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchResult {
        let Some(cache) = &self.shared.answers else {
            return self.find_fresh(batch, follow_ups).await;
        };
        let key = self.key(batch);
        if let Some(answer) = cache.get(&key) {
            return BatchResult {
                answer: Ok(answer),
                missing: None,
                first: None,
            };
        }
        let mut result = self.find_fresh(batch, follow_ups).await;
        if let (Ok(answer), None) = (&result.answer, result.missing) {
            match &mut result.first {
                Some(first) => first.key = Some(key),
                None => cache.put(key, Arc::clone(answer)),
            }
        }
        result
    }

    /// A hash of everything that determines the candidates of a batch, except what look-ups show.
    fn key(&self, batch: &PromptBatch<'_>) -> cache::Key {
        let [guidelines, description] = [&self.guidelines, &self.description]
            .map(|text| text.as_ref().map_or("", Masked::as_str));
        let look_ups = self.repository.map_or("", |_| "look-ups");
        let frame = [
            self.tenant.as_str(),
            self.shared.models.as_str(),
            guidelines,
            description,
            look_ups,
        ];
        cache::key(&frame, batch)
    }

    async fn find_fresh(&self, batch: &PromptBatch<'_>, follow_ups: u32) -> BatchResult {
        let prompt = prompt::finder(batch, self.frame());
        let found = match self.ask(&prompt, follow_ups).await {
            Ok(items) => self.located(batch, items),
            Err(error) => {
                return BatchResult {
                    answer: Err(error),
                    missing: None,
                    first: None,
                };
            }
        };
        let symbols = Symbols::of(batch);
        let gated = found.answer.found.into_iter();
        let answer = Arc::new(Answer {
            found: gated.map(|found| gate(found, &symbols)).collect(),
            ..found.answer
        });
        let has_second = prompt::has_second_turn(self.shared.model.window().context)
            && (!answer.found.is_empty() || batch.doubtful().next().is_some());
        let first = has_second.then(|| FirstTurn {
            prompt,
            answer: Arc::clone(&answer),
            raw: found.raw,
            key: None,
        });
        BatchResult {
            answer: Ok(answer),
            missing: found.missing,
            first,
        }
    }

    /// Locates a model's findings.
    pub(super) fn located(&self, batch: &PromptBatch<'_>, raw: Items) -> Found {
        let missing = AskError::of(&raw);
        let (mut answer, mut kept) = (Answer::default(), Vec::new());
        let index = BatchIndex::of(batch);
        for raw in raw.items {
            if [&raw.summary, &raw.fix]
                .iter()
                .any(|text| prompt::quotes_instructions(text))
            {
                let summary = "it quotes the model's instructions".to_owned();
                answer.dropped.push(Lost {
                    cause: DropCause::Unreadable,
                    summary,
                    ..self.unanchored(&raw)
                });
                continue;
            }
            match locate(&raw, &index) {
                Some(located) => {
                    answer.found.push(Located {
                        place: answer.found.len(),
                        ..located
                    });
                    kept.push(raw);
                }
                None => answer.dropped.push(self.unanchored(&raw)),
            }
        }
        answer.dropped.extend(Lost::unreadable(raw.unreadable));
        Found {
            answer,
            raw: kept,
            missing,
        }
    }

    /// A finding that could not be placed. Its text is masked, because the model may have guessed a secret.
    fn unanchored(&self, raw: &RawFinding) -> Lost {
        let masked = |text: &str| prompt::plain_line(self.shared.redactor.text(text).as_str());
        let place = masked(&format!("{} {}", raw.file.trim(), raw.line.trim()));
        Lost {
            cause: DropCause::Unanchored,
            count: 1,
            place,
            summary: masked(&raw.summary),
        }
    }
}
