//! From what came of the parts to what the pipeline is told of the chunk.

use std::collections::BTreeMap;

use review::{Outcome, OutcomeStatus, Warning, WarningCode};

use super::call::Trouble;
use super::part_review::{PartReview, candidate};
use crate::model::CallError;
use crate::part::Part;

/// Puts the parts' reviews together. The chunk is done if any part is; it was in time unless time was all that was lacking.
pub(super) fn unite(reviews: &[(Part<'_>, PartReview)]) -> Outcome {
    let mut outcome = Outcome { status: OutcomeStatus::Failed, ..Outcome::default() };
    let mut troubles = Vec::new();
    let mut refuted = BTreeMap::new();
    for (part, review) in reviews {
        outcome.usage += review.usage;
        if part.redacted {
            warn(&mut outcome, part, WarningCode::SecretsRedacted, MASKED);
        }
        match &review.result {
            Ok(answer) => {
                outcome.status = OutcomeStatus::Done;
                outcome.candidates.extend(answer.found.iter().filter_map(|placed| candidate(part, placed)));
                outcome.unplaced += answer.unplaced;
                for (hint, candidate) in answer.refuted.iter().filter_map(|at| part.hints.get(*at)) {
                    outcome.refuted.push(*hint);
                    if let Some(file) = part.files.iter().find(|file| file.index == candidate.file) {
                        *refuted.entry(file.path).or_insert(0_usize) += 1;
                    }
                }
            }
            Err(trouble) => troubles.push((part, *trouble)),
        }
        if let Some(trouble) = review.unverified {
            let message = format!("what was found here was not verified: {}", sentence(trouble));
            warn(&mut outcome, part, WarningCode::FindingsUnverified, &message);
        }
        if let Some(trouble) = review.missing {
            let message = format!("not all that could be found in this part is known: {}", sentence(trouble));
            warn(&mut outcome, part, WarningCode::FilePartlyAnalyzed, &message);
        }
    }
    for (path, count) in refuted {
        let message = format!("findings of rules that the verifier refuted: {count}");
        outcome.warnings.push(Warning::file(WarningCode::FindingsRefuted, path, message));
    }
    say_what_failed(&mut outcome, &troubles);
    outcome
}

const MASKED: &str = "secret values were masked before this file went to the language model";

fn say_what_failed(outcome: &mut Outcome, troubles: &[(&Part<'_>, Trouble)]) {
    let all =
        |wanted: fn(&Trouble) -> bool| !troubles.is_empty() && troubles.iter().all(|(_, trouble)| wanted(trouble));
    if outcome.status == OutcomeStatus::Failed {
        if all(|trouble| *trouble == Trouble::NoBudget) {
            // That the model did not look is said below; that it may not is no failure.
            outcome.status = OutcomeStatus::Done;
        } else if all(|trouble| *trouble == Trouble::Call(CallError::TimedOut)) {
            outcome.status = OutcomeStatus::TimedOut;
        }
    }
    for (part, trouble) in troubles {
        let code = match trouble {
            Trouble::NoBudget => WarningCode::TokenBudgetReached,
            Trouble::Call(CallError::TimedOut) => WarningCode::ChunkTimedOut,
            _ => WarningCode::ChunkFailed,
        };
        let message = format!("the language model did not review this part: {}", sentence(*trouble));
        warn(outcome, part, code, &message);
    }
}

/// A warning for each file of the part, once.
fn warn(outcome: &mut Outcome, part: &Part<'_>, code: WarningCode, message: &str) {
    for file in &part.files {
        let warning = Warning::file(code, file.path, message);
        if !outcome.warnings.contains(&warning) {
            outcome.warnings.push(warning);
        }
    }
}

fn sentence(trouble: Trouble) -> String {
    match trouble {
        Trouble::Call(error) => error.to_string(),
        Trouble::Unreadable => "its answer could not be read".to_owned(),
        Trouble::NoRoom => "its answer did not fit".to_owned(),
        Trouble::NoBudget => "the token budget of the review is used up".to_owned(),
    }
}
