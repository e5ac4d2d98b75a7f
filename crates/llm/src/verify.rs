//! The second pass: what the verifier's verdicts do to the findings.
//!
//! The diff is hostile input to the verifier as well. So it can make any finding less certain, but it drops only a model's
//! finding, only one that an attacker would hardly want silenced, and only with a line of the code that refutes it.

use std::collections::HashMap;

use review::{Category, DropCause, Priority};

use crate::cache::{Answer, Lost};
use crate::locate::{Located, Lookup, stands};
use crate::prompt_batch::PromptBatch;
use crate::reply::Verdict;

/// A finding with this score or less is refuted, from 0 to 10.
const REFUTED: f64 = 2.0;
/// A finding with this score or less is doubted.
const DOUBTED: f64 = 4.0;

/// Applies the verdicts on the findings of an answer, and on the hints after them. What has no valid verdict keeps its
/// confidence.
pub(crate) fn apply(verdicts: &[Verdict], batch: &PromptBatch<'_>, answer: &mut Answer) {
    let own = answer.found.len();
    let verdicts = by_place(verdicts, own + batch.hints.len());
    let found = std::mem::take(&mut answer.found);
    let lookup = Lookup::of(batch);
    for (at, located) in found.into_iter().enumerate() {
        match verdicts.get(&at) {
            Some(verdict) if may_be_dropped(&located) && refutes(verdict, &lookup) => {
                answer.dropped.push(Lost::of(DropCause::Refuted, located));
            }
            Some(verdict) => {
                let confidence = f32::midpoint(located.confidence, believed(verdict));
                answer.found.push(Located { confidence, ..located });
            }
            None => answer.found.push(located),
        }
    }
    for (at, hint) in batch.hints.iter().enumerate() {
        if let Some(verdict) = verdicts.get(&(own + at)).filter(|verdict| verdict.score <= DOUBTED) {
            let confidence = f32::midpoint(hint.candidate.confidence, believed(verdict));
            answer.doubts.push((at, confidence));
        }
    }
}

/// The verdicts by the place in the list that the verifier was given. The first one for a finding stands: a second one is no
/// better founded.
fn by_place(verdicts: &[Verdict], count: usize) -> HashMap<usize, &Verdict> {
    let valid = |verdict: &&Verdict| (1..=count).contains(&verdict.finding) && (0.0..=10.0).contains(&verdict.score);
    let mut by_place = HashMap::new();
    for verdict in verdicts.iter().filter(valid) {
        by_place.entry(verdict.finding - 1).or_insert(verdict);
    }
    by_place
}

fn refutes(verdict: &Verdict, lookup: &Lookup<'_>) -> bool {
    verdict.score <= REFUTED && stands(&verdict.quote, lookup)
}

fn may_be_dropped(located: &Located) -> bool {
    located.priority > Priority::P0 && !matches!(located.category, Category::Security | Category::SecretExposure)
}

fn believed(verdict: &Verdict) -> f32 {
    (verdict.score / 10.0) as f32
}
