//! From what came of the parts to what the pipeline is told of the chunk.

use std::collections::BTreeMap;

use review::{Outcome, OutcomeStatus, Warning, WarningCode};

use super::batch_review::{BatchReview, candidate};
use super::call::AskError;
use crate::model::CallError;
use crate::prompt_batch::PromptBatch;

/// Puts the parts' reviews together. The chunk is done if any part is; it was in time unless time was all that was lacking.
pub(super) fn merge(reviews: &[(PromptBatch<'_>, BatchReview)]) -> Outcome {
    let mut outcome = Outcome { status: OutcomeStatus::Failed, ..Outcome::default() };
    let mut errors = Vec::new();
    let mut refuted = BTreeMap::new();
    for (batch, review) in reviews {
        outcome.usage += review.usage;
        if batch.redacted {
            warn(&mut outcome, batch, WarningCode::SecretsRedacted, MASKED);
        }
        match &review.result {
            Ok(answer) => {
                outcome.status = OutcomeStatus::Done;
                outcome.candidates.extend(answer.found.iter().filter_map(|located| candidate(batch, located)));
                outcome.unanchored += answer.unanchored;
                for hint in answer.refuted.iter().filter_map(|at| batch.hints.get(*at)) {
                    outcome.refuted.push(hint.index);
                    if let Some(file) = batch.files.iter().find(|file| file.index == hint.candidate.file) {
                        *refuted.entry(file.path).or_insert(0_usize) += 1;
                    }
                }
            }
            Err(error) => errors.push((batch, *error)),
        }
        if let Some(error) = review.unverified {
            let message = format!("what was found here was not verified: {}", sentence(error));
            warn(&mut outcome, batch, WarningCode::FindingsUnverified, &message);
        }
        if let Some(error) = review.missing {
            let message = format!("not all that could be found in this part is known: {}", sentence(error));
            warn(&mut outcome, batch, WarningCode::FilePartlyAnalyzed, &message);
        }
    }
    for (path, count) in refuted {
        let message = format!("findings of rules that the verifier refuted: {count}");
        outcome.warnings.push(Warning::file(WarningCode::FindingsRefuted, path, message));
    }
    say_what_failed(&mut outcome, &errors);
    outcome
}

const MASKED: &str = "secret values were masked before this file went to the language model";

fn say_what_failed(outcome: &mut Outcome, errors: &[(&PromptBatch<'_>, AskError)]) {
    let all = |wanted: fn(&AskError) -> bool| !errors.is_empty() && errors.iter().all(|(_, error)| wanted(error));
    if outcome.status == OutcomeStatus::Failed {
        if all(|error| *error == AskError::NoBudget) {
            // That the model did not look is said below; that it may not is no failure.
            outcome.status = OutcomeStatus::Done;
        } else if all(|error| *error == AskError::Call(CallError::TimedOut)) {
            outcome.status = OutcomeStatus::TimedOut;
        }
    }
    for (batch, error) in errors {
        let code = match error {
            AskError::NoBudget => WarningCode::TokenBudgetReached,
            AskError::Call(CallError::TimedOut) => WarningCode::ChunkTimedOut,
            _ => WarningCode::ChunkFailed,
        };
        let message = format!("the language model did not review this part: {}", sentence(*error));
        warn(outcome, batch, code, &message);
    }
}

/// A warning for each file of the part, once.
fn warn(outcome: &mut Outcome, batch: &PromptBatch<'_>, code: WarningCode, message: &str) {
    for file in &batch.files {
        let warning = Warning::file(code, file.path, message);
        if !outcome.warnings.contains(&warning) {
            outcome.warnings.push(warning);
        }
    }
}

fn sentence(error: AskError) -> String {
    match error {
        AskError::Call(error) => error.to_string(),
        AskError::Unreadable => "its answer could not be read".to_owned(),
        AskError::BrokeOff => "its answer broke off".to_owned(),
        AskError::NoRoom => "its answer did not fit".to_owned(),
        AskError::NoBudget => "the token budget of the review is used up".to_owned(),
    }
}
