//! The second pass: what the verifier's scores do to the findings.
//!
//! The diff is hostile input to the verifier as well. So it can make a finding of a rule less believed, and refute one that
//! matters little, but it cannot silence one that an attacker would want silenced.

use std::collections::HashMap;

use review::{Candidate, Category, Priority};

use crate::locate::Located;
use crate::prompt_batch::Hint;
use crate::reply::Verdict;

/// A finding with this score or less is refuted, from 0 to 10.
const REFUTED: f64 = 4.0;
/// A rule is code, and was measured: it takes more to refute what it says.
const RULE_REFUTED: f64 = 2.0;

/// The scores by the place in the list that the verifier was given. What has no valid score has none.
pub(crate) fn scores(verdicts: &[Verdict], count: usize) -> HashMap<usize, f64> {
    let valid = |verdict: &&Verdict| (1..=count).contains(&verdict.finding) && (0.0..=10.0).contains(&verdict.score);
    let mut scores = HashMap::new();
    for verdict in verdicts.iter().filter(valid) {
        // The first verdict stands: a second one for the same finding is no better founded.
        scores.entry(verdict.finding - 1).or_insert(verdict.score);
    }
    scores
}

/// What remains of a model's findings. One that the verifier passed over keeps what the finder believed.
pub(crate) fn judge(found: Vec<Located>, scores: &HashMap<usize, f64>) -> Vec<Located> {
    let judged = found.into_iter().enumerate().filter_map(|(at, located)| match scores.get(&at) {
        Some(score) if *score <= REFUTED => None,
        Some(score) => Some(Located { confidence: (located.confidence + (*score / 10.0) as f32) / 2.0, ..located }),
        None => Some(located),
    });
    judged.collect()
}

/// Which of the rules' findings are refuted; `first` is the place of the first of them in the verifier's list.
pub(crate) fn refuted(hints: &[Hint<'_>], scores: &HashMap<usize, f64>, first: usize) -> Vec<usize> {
    let refuted = |at: &usize| {
        let hint = hints.get(*at).map(|hint| hint.candidate);
        hint.is_some_and(may_be_refuted) && scores.get(&(first + at)).is_some_and(|score| *score <= RULE_REFUTED)
    };
    (0..hints.len()).filter(refuted).collect()
}

fn may_be_refuted(hint: &Candidate) -> bool {
    hint.priority > Priority::P1 && !matches!(hint.category, Category::Security | Category::SecretExposure)
}
