//! Compares the engine with three plain prompts to the same model, on changes with defects that reviewers have
//! labelled.

mod arm;
mod arm_result;
mod arm_reviews;
mod bootstrap;
mod count;
mod matching;
mod report;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use llm::Estimate;

pub(super) use arm::{Arm, asker};
pub(super) use arm_reviews::{Selection, review_all};

use self::arm_result::ArmResult;
use self::count::Count;
use self::matching::{By, repeats};
use super::corpus::{Item, Kind};
use super::tape::Spent;

/// Whether an item has labels from reviewers, or is known to be clean.
pub(super) fn is_judged(item: &Item) -> bool {
    matches!(item.kind, Kind::Golden | Kind::Clean)
}

/// Bytes of a plain prompt in addition to the diff, and bytes per token.
const FRAME: u64 = 6_000;
const BYTES_A_TOKEN: u64 = 2;

/// Adds the calls of the plain prompts to the engine's estimate.
pub(super) fn plain_calls(items: &[&Item], output: u64, estimate: &mut Estimate) {
    for item in items {
        estimate.calls += 3;
        estimate.prompt_tokens += 3 * (item.diff.len() as u64 + FRAME) / BYTES_A_TOKEN;
        estimate.completion_tokens += 3 * output;
    }
}

/// The results of one arm for all items.
#[derive(Default)]
pub(super) struct Row {
    pub(super) place: Vec<Count>,
    pub(super) meaning: Vec<Count>,
    /// The counts for all findings before any was dropped, by place.
    pub(super) pool: Count,
    pub(super) findings: usize,
    pub(super) repeats: usize,
    /// Clean items with findings.
    pub(super) disturbed: usize,
    pub(super) spent: Spent,
}

/// The comparison of the arms.
pub(super) struct Judgement {
    pub(super) items: usize,
    pub(super) clean: usize,
    /// Items left out because an arm had no answer or failed.
    pub(super) left_out: usize,
    pub(super) rows: Vec<Row>,
    /// Our findings, and the labels that they match, after each step.
    pub(super) waterfall: Vec<(&'static str, Count)>,
}

impl Judgement {
    /// Compares the results of each item, with one entry per arm. An item counts in all arms or in none.
    pub(super) fn of(
        items: &[&Item],
        results: Vec<Vec<ArmResult>>,
        unanswered: &BTreeSet<String>,
    ) -> Self {
        let is_answered = |item: &Item, arms: &[ArmResult]| {
            let is_answered = Arm::ALL
                .iter()
                .all(|arm| !unanswered.contains(&asker(*arm, &item.id)));
            is_answered && arms.iter().all(|results| !results.failed)
        };
        let all = results.len();
        let pairs: Vec<_> = items
            .iter()
            .zip(results)
            .filter(|(item, arms)| is_answered(item, arms))
            .collect();
        let clean = pairs
            .iter()
            .filter(|(item, _)| item.labels.is_empty())
            .count();
        let rows = (0..Arm::ALL.len()).map(|arm| {
            let mut row = Row::default();
            pairs
                .iter()
                .filter_map(|(item, arms)| Some((item, arms.get(arm)?)))
                .for_each(|(item, results)| {
                    row.add(item, results);
                });
            row
        });
        let rows = rows.collect();
        let ours: Vec<(&Item, &ArmResult)> = pairs
            .iter()
            .filter_map(|(item, arms)| Some((**item, arms.first()?)))
            .collect();
        Self {
            items: pairs.len(),
            clean,
            left_out: all - pairs.len(),
            rows,
            waterfall: arm_reviews::waterfall(&ours),
        }
    }
}

impl Row {
    fn add(&mut self, item: &Item, results: &ArmResult) {
        let kept = results.kept();
        self.place.push(Count::of(item, &kept, By::Place));
        self.meaning.push(Count::of(item, &kept, By::Meaning));
        self.pool.add(Count::of(item, &results.pool, By::Place));
        self.findings += kept.len();
        self.repeats += repeats(&kept);
        self.disturbed += usize::from(item.labels.is_empty() && !kept.is_empty());
        self.spent += results.spent;
    }
}
