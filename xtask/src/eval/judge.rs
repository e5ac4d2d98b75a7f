//! The engine beside three plain prompts to the same model, on changes whose defects people have named.

mod bootstrap;
mod hearing;
mod matching;
mod report;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use llm::{Estimate, Plain};
use review::Priority;

pub(super) use hearing::hear;

use self::hearing::{Heard, Said};
use self::matching::{By, is_wanted, matched, repeats};
use super::corpus::{Item, Kind};
use super::tape::Spent;

/// Who reviews.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    Ours,
    Pasted,
    Numbered,
    AtMost,
}

impl Arm {
    pub(super) const ALL: [Self; 4] = [Self::Ours, Self::Pasted, Self::Numbered, Self::AtMost];

    fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Pasted => "A: pasted diff",
            Self::Numbered => "B: our schema",
            Self::AtMost => "C: B, at most K",
        }
    }

    /// What it asks, where it is a plain prompt.
    fn plain(self, at_most: usize) -> Option<Plain> {
        match self {
            Self::Ours => None,
            Self::Pasted => Some(Plain::Pasted),
            Self::Numbered => Some(Plain::Numbered),
            Self::AtMost => Some(Plain::AtMost(at_most)),
        }
    }
}

/// The name that an arm's questions about an item are asked under.
pub(super) fn asker(arm: Arm, item: &str) -> String {
    let arm = match arm {
        Arm::Ours => "ours",
        Arm::Pasted => "pasted",
        Arm::Numbered => "numbered",
        Arm::AtMost => "at-most",
    };
    format!("{arm} {item}")
}

/// Which findings count, of every arm.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub(super) priority: Priority,
    pub(super) min_confidence: f64,
}

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

/// What is counted of one item in one arm, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Count {
    pub(super) said: usize,
    pub(super) labels: usize,
    pub(super) right: usize,
}

impl Count {
    fn of(item: &Item, said: &[Said], by: By) -> Self {
        let said: Vec<&Said> = said.iter().collect();
        let labels: Vec<_> = item
            .labels
            .iter()
            .filter(|label| is_wanted(label, by))
            .collect();
        Self {
            said: said.len(),
            labels: labels.len(),
            right: matched(&labels, &said, by),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.said += other.said;
        self.labels += other.labels;
        self.right += other.right;
    }

    pub(super) fn precision(self) -> f64 {
        ratio(self.right, self.said)
    }

    pub(super) fn recall(self) -> f64 {
        ratio(self.right, self.labels)
    }

    pub(super) fn f1(self) -> f64 {
        ratio(2 * self.right, self.said + self.labels)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
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

/// The sum over items.
pub(super) fn total<'a>(counts: impl IntoIterator<Item = &'a Count>) -> Count {
    let mut total = Count::default();
    counts.into_iter().for_each(|count| total.add(*count));
    total
}
