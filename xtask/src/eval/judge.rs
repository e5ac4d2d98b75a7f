//! The engine beside three plain prompts to the same model, on changes whose defects people have named.

mod arm;
mod bootstrap;
mod count;
mod hearing;
mod matching;
mod report;
mod said;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use llm::Estimate;

pub(super) use arm::{Arm, asker};
pub(super) use hearing::{Selection, hear};

use self::count::Count;
use self::matching::{By, repeats};
use self::said::Heard;
use super::corpus::{Item, Kind};
use super::tape::Spent;

/// Whether an item says what people found, or that they found nothing.
pub(super) fn is_judged(item: &Item) -> bool {
    matches!(item.kind, Kind::Golden | Kind::Clean)
}

/// Bytes that a plain prompt has beside the diff, and bytes a token.
const FRAME: u64 = 6_000;
const BYTES_A_TOKEN: u64 = 2;

/// Adds the calls of the plain prompts to what the engine's will take.
pub(super) fn plain_calls(items: &[&Item], output: u64, estimate: &mut Estimate) {
    for item in items {
        estimate.calls += 3;
        estimate.prompt_tokens += 3 * (item.diff.len() as u64 + FRAME) / BYTES_A_TOKEN;
        estimate.completion_tokens += 3 * output;
    }
}

/// One arm, over all items.
#[derive(Default)]
pub(super) struct Row {
    pub(super) place: Vec<Count>,
    pub(super) meaning: Vec<Count>,
    /// What the labels of all findings before any was dropped would be worth, by place.
    pub(super) pool: Count,
    pub(super) findings: usize,
    pub(super) repeats: usize,
    /// Items without a defect in which something was found.
    pub(super) disturbed: usize,
    pub(super) spent: Spent,
}

/// How the arms compare.
pub(super) struct Judgement {
    pub(super) items: usize,
    pub(super) clean: usize,
    /// Items left out, because an arm had no answer or failed.
    pub(super) left_out: usize,
    pub(super) rows: Vec<Row>,
    /// Findings of ours, and labels among them, after each step.
    pub(super) waterfall: Vec<(&'static str, Count)>,
}

impl Judgement {
    /// Compares what was heard of each item, an entry an arm. An item counts in all arms or in none.
    pub(super) fn of(items: &[&Item], heard: Vec<Vec<Heard>>, unheard: &BTreeSet<String>) -> Self {
        let is_heard = |item: &Item, arms: &[Heard]| {
            let is_answered = Arm::ALL
                .iter()
                .all(|arm| !unheard.contains(&asker(*arm, &item.id)));
            is_answered && arms.iter().all(|heard| !heard.failed)
        };
        let all = heard.len();
        let pairs: Vec<_> = items
            .iter()
            .zip(heard)
            .filter(|(item, arms)| is_heard(item, arms))
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
                .for_each(|(item, heard)| {
                    row.add(item, heard);
                });
            row
        });
        let rows = rows.collect();
        let ours: Vec<(&Item, &Heard)> = pairs
            .iter()
            .filter_map(|(item, arms)| Some((**item, arms.first()?)))
            .collect();
        Self {
            items: pairs.len(),
            clean,
            left_out: all - pairs.len(),
            rows,
            waterfall: hearing::waterfall(&ours),
        }
    }
}

impl Row {
    fn add(&mut self, item: &Item, heard: &Heard) {
        let kept = heard.kept();
        self.place.push(Count::of(item, &kept, By::Place));
        self.meaning.push(Count::of(item, &kept, By::Meaning));
        self.pool.add(Count::of(item, &heard.pool, By::Place));
        self.findings += kept.len();
        self.repeats += repeats(&kept);
        self.disturbed += usize::from(item.labels.is_empty() && !kept.is_empty());
        self.spent += heard.spent;
    }
}
