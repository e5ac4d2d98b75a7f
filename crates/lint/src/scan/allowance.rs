//! Limits the steps of rules. An allowance is linear in the size of the analysed text and about twice the maximum that
//! any rule used on ten thousand files of real changes, so only contrived code exceeds it. The steps of a rule that
//! exceeds its allowance are returned to the file, so that the other rules still run.
//!
//! A rule has an allowance for each hunk, and all rules share one for the file. Pairing old and new code draws from them too. Rules on
//! text look at each line once, with expressions that match in linear time.

use std::collections::{BTreeMap, BTreeSet};

use review::Chunk;
use syntax::tree::Meter;

/// Base allowance of one rule on one hunk.
const RULE_STEPS: u64 = 300_000;
/// Allowance of one rule on one hunk per byte. In 10,000 files of real changes, no rule used more than 145 on a file
/// above 5 kB.
const RULE_STEPS_PER_BYTE: u64 = 250;
/// Base allowance of all rules on one file.
const FILE_STEPS: u64 = 600_000;
/// Allowance of all rules on one file per byte. At most the same number again is returned. Of the same files, those
/// above 5 kB used at most 100, except one with 265.
const FILE_STEPS_PER_BYTE: u64 = 500;
/// Maximum number of rules named in a warning.
const NAMED: usize = 5;

/// The cost of scanning a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// All steps; one is about the cost of visiting a node of a syntax tree.
    pub steps: u64,
    /// The steps of each rule, and of the work before the rules, without zeros.
    pub by_rule: BTreeMap<String, u64>,
    /// Rules that exceeded an allowance.
    pub ended: BTreeSet<String>,
}

/// The remaining allowance of the rules on a file.
pub(super) struct Allowance {
    left: u64,
    /// Steps that may still be returned.
    spare: u64,
    cost: Cost,
}

/// The remaining allowance of one rule on one hunk.
#[derive(Clone)]
pub(super) struct RuleAllowance {
    left: u64,
    taken: u64,
}

impl RuleAllowance {
    /// For a hunk of this size in bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self {
            left: linear(RULE_STEPS, RULE_STEPS_PER_BYTE, bytes),
            taken: 0,
        }
    }
}

impl Allowance {
    pub(super) fn of(file: &Chunk<'_>) -> Self {
        let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let bytes = lines.map(|line| line.text.len() + 1).sum();
        let left = linear(FILE_STEPS, FILE_STEPS_PER_BYTE, bytes);
        Self {
            left,
            spare: left,
            cost: Cost::default(),
        }
    }

    /// Runs a rule within its allowance; returns whether it finished.
    pub(super) fn spend(
        &mut self,
        rule: &str,
        share: &mut RuleAllowance,
        meter: &Meter,
        work: impl FnOnce(),
    ) -> bool {
        let allowance = share.left.min(self.left);
        if allowance == 0 {
            self.end(rule);
            return false;
        }
        let taken = meter.within(allowance, work);
        let wasteful = taken > share.left;
        share.left = share.left.saturating_sub(taken);
        share.taken = share.taken.saturating_add(taken);
        self.left = self.left.saturating_sub(taken);
        self.count(rule, taken);
        if taken > allowance {
            let wasted = if wasteful {
                share.taken.min(self.spare)
            } else {
                0
            };
            self.left = self.left.saturating_add(wasted);
            self.spare -= wasted;
            share.left = 0;
            self.end(rule);
        }
        taken <= allowance
    }

    /// Runs work that must finish, regardless of its cost, and counts its steps.
    pub(super) fn note(&mut self, what: &str, meter: &Meter, work: impl FnOnce()) {
        let taken = meter.within(u64::MAX, work);
        self.count(what, taken);
    }

    fn count(&mut self, what: &str, taken: u64) {
        match self.cost.by_rule.get_mut(what) {
            Some(steps) => *steps += taken,
            None if taken > 0 => {
                self.cost.by_rule.insert(what.to_owned(), taken);
            }
            None => {}
        }
    }

    fn end(&mut self, rule: &str) {
        if !self.cost.ended.contains(rule) {
            self.cost.ended.insert(rule.to_owned());
        }
    }

    /// A message about the work that was not finished, if any.
    pub(super) fn message(&self) -> Option<String> {
        let named: Vec<&str> = self
            .cost
            .ended
            .iter()
            .take(NAMED)
            .map(String::as_str)
            .collect();
        let more = self.cost.ended.len() - named.len();
        let others = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        let rules = format!("{}{others}", named.join(", "));
        (!named.is_empty()).then(|| {
            format!("The step limit for code of this size was reached: {rules} did not examine all of it.")
        })
    }

    pub(super) fn cost(self, steps: u64) -> Cost {
        Cost { steps, ..self.cost }
    }
}

fn linear(fixed: u64, each: u64, size: usize) -> u64 {
    fixed.saturating_add(each.saturating_mul(u64::try_from(size).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use syntax::tree::Meter;

    use super::{Allowance, Cost, RuleAllowance};

    #[test]
    fn steps_of_a_stopped_rule_are_returned_to_the_others() {
        let mut allowance = Allowance {
            left: 100,
            spare: 100,
            cost: Cost::default(),
        };
        let meter = Meter::default();
        let mut spend = |rule: &str, share: &mut RuleAllowance, steps: u64| {
            allowance.spend(rule, share, &meter, || {
                while meter.draw(1) && meter.steps() % steps != 0 {}
            })
        };
        let mut wasteful = RuleAllowance { left: 80, taken: 0 };
        assert!(!spend("a/wasteful", &mut wasteful, u64::MAX));
        assert!(
            !spend("a/wasteful", &mut wasteful, u64::MAX),
            "its allowance is exhausted"
        );
        let mut honest = RuleAllowance { left: 80, taken: 0 };
        assert!(spend("a/honest", &mut honest, 50));
        assert_eq!(allowance.left, 100 - (100 - 81));
    }
}
