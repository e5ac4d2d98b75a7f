//! How many steps rules may take on a file. Every allowance is linear in the size of what is looked at, and about
//! twice what any rule took on ten thousand files of real changes: who meets one has made the code for it. What a rule took
//! that met its own allowance is given back to the file, so that the others still look.

use std::collections::{BTreeMap, BTreeSet};

use review::Chunk;

use crate::tree::Meter;

/// Steps of one rule on one hunk, whatever its size.
const RULE_STEPS: u64 = 300_000;
/// Steps of one rule on one hunk for each byte of it. Of 10,000 files of real changes none of more than 5 kB took more than
/// 145.
const RULE_STEPS_PER_BYTE: u64 = 250;
/// Steps of all rules on one file, whatever its size.
const FILE_STEPS: u64 = 600_000;
/// Steps of all rules on one file for each byte; as many again may be given back. Of the same files those of more than
/// 5 kB took 100 at most, but for one with 265.
const FILE_STEPS_PER_BYTE: u64 = 500;
/// Rules that a warning names.
const NAMED: usize = 5;

/// What scanning a file took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// All steps; one is about what a node of a syntax tree costs to look at.
    pub steps: u64,
    /// Those of each rule, and of the work before the rules. What took none is not here.
    pub by_rule: BTreeMap<String, u64>,
    /// Rules that were ended.
    pub ended: BTreeSet<String>,
}

/// What is left for the rules on a file.
pub(super) struct Allowance {
    left: u64,
    /// What may still be given back.
    spare: u64,
    cost: Cost,
}

/// What is left for one rule on one hunk.
#[derive(Clone)]
pub(super) struct RuleAllowance {
    left: u64,
    taken: u64,
}

impl RuleAllowance {
    /// On a hunk of so many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self { left: linear(RULE_STEPS, RULE_STEPS_PER_BYTE, bytes), taken: 0 }
    }
}

impl Allowance {
    pub(super) fn of(file: &Chunk<'_>) -> Self {
        let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let bytes = lines.map(|line| line.text.len() + 1).sum();
        let left = linear(FILE_STEPS, FILE_STEPS_PER_BYTE, bytes);
        Self { left, spare: left, cost: Cost::default() }
    }

    /// Lets a rule work as long as there are steps for it; whether it came to its end.
    pub(super) fn spend(&mut self, rule: &str, share: &mut RuleAllowance, meter: &Meter, work: impl FnOnce()) -> bool {
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
            let wasted = if wasteful { share.taken.min(self.spare) } else { 0 };
            self.left = self.left.saturating_add(wasted);
            self.spare -= wasted;
            share.left = 0;
            self.end(rule);
        }
        taken <= allowance
    }

    /// Does work that must be whole, whatever it takes, and counts what it took.
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

    /// What was not looked at, if anything.
    pub(super) fn message(&self) -> Option<String> {
        let named: Vec<&str> = self.cost.ended.iter().take(NAMED).map(String::as_str).collect();
        let more = self.cost.ended.len() - named.len();
        let others = if more == 0 { String::new() } else { format!(" and {more} more") };
        let rules = format!("{}{others}", named.join(", "));
        (!named.is_empty())
            .then(|| format!("Too much work for code of this size: not all of it was looked at by {rules}."))
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
    use super::{Allowance, Cost, RuleAllowance};
    use crate::tree::Meter;

    #[test]
    fn what_a_rule_wasted_is_given_back_to_the_others() {
        let mut allowance = Allowance { left: 100, spare: 100, cost: Cost::default() };
        let meter = Meter::default();
        let mut spend = |rule: &str, share: &mut RuleAllowance, steps: u64| {
            allowance.spend(rule, share, &meter, || while meter.draw(1) && meter.steps() % steps != 0 {})
        };
        let mut wasteful = RuleAllowance { left: 80, taken: 0 };
        assert!(!spend("a/wasteful", &mut wasteful, u64::MAX));
        assert!(!spend("a/wasteful", &mut wasteful, u64::MAX), "it gets no more");
        let mut honest = RuleAllowance { left: 80, taken: 0 };
        assert!(spend("a/honest", &mut honest, 50));
        assert_eq!(allowance.left, 100 - (100 - 81));
    }
}
