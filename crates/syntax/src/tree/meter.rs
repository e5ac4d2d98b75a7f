//! Counts the steps of rules, so that their work is proportional to the size of the text.
//!
//! A step is about the cost of a node. All walks over a tree draw their steps; work without a walk calls [`Meter::draw`]. When
//! an allowance ends, the walks end early, so results based on them must be discarded.
//!
//! Allowances are a safety net for hostile code. A rule that needs to know something about the whole text asks an index that is built once
//! per tree (`index`, `mentions`), and does not walk the tree for each node.

use std::cell::Cell;

/// The steps of one file.
#[derive(Debug)]
pub struct Meter {
    steps: Cell<u64>,
    /// The number of steps at which walks end.
    end: Cell<u64>,
    /// The number of pattern searches through nodes of which the hunk shows only a part.
    unseen: Cell<u32>,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            steps: Cell::new(0),
            end: Cell::new(u64::MAX),
            unseen: Cell::new(0),
        }
    }
}

impl Meter {
    /// Draws steps; false if there are none left.
    pub fn draw(&self, steps: u64) -> bool {
        let drawn = self.steps.get().saturating_add(steps);
        self.steps.set(drawn);
        drawn <= self.end.get()
    }

    /// All steps drawn so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Records a search with a result that depends on code that the hunk does not show.
    pub(crate) fn note_unseen(&self) {
        self.unseen.set(self.unseen.get().saturating_add(1));
    }

    /// Runs work; returns the number of such searches in it, and its result.
    pub fn count_unseen<T>(&self, work: impl FnOnce() -> T) -> (u32, T) {
        self.unseen.set(0);
        let made = work();
        (self.unseen.get(), made)
    }

    /// Runs work with an allowance of steps. Returns the number drawn, which exceeds the allowance if the work was cut short.
    pub fn within(&self, allowance: u64, work: impl FnOnce()) -> u64 {
        let before = self.steps.get();
        let outer = self.end.replace(before.saturating_add(allowance));
        work();
        self.end.set(outer);
        self.steps.get() - before
    }

    /// Runs work that produces a shared result: it is neither cut short nor charged to the first caller.
    pub fn apart<T>(&self, work: impl FnOnce() -> T) -> T {
        let (steps, end) = (self.steps.get(), self.end.replace(u64::MAX));
        let made = work();
        self.steps.set(steps);
        self.end.set(end);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::Meter;

    #[test]
    fn an_allowance_is_exact_and_does_not_affect_the_next() {
        let meter = Meter::default();
        assert_eq!(meter.within(3, || assert!(meter.draw(3))), 3);
        assert_eq!(meter.within(3, || assert!(!meter.draw(4))), 4);
        assert_eq!(meter.within(1, || assert!(meter.draw(1))), 1);
        assert_eq!(meter.steps(), 8);
    }

    #[test]
    fn shared_work_is_never_cut_short() {
        let meter = Meter::default();
        let taken = meter.within(1, || {
            assert!(meter.apart(|| meter.draw(100)));
            assert!(meter.draw(1));
            assert!(!meter.draw(1));
        });
        assert_eq!(taken, 2);
    }
}
