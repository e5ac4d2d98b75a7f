//! Counts what rules look at, so that no rule takes more of a text than its size is worth.
//!
//! A step is about what one node costs. Every walk over a tree draws its steps by itself; whoever works without walking
//! says so with [`Meter::draw`]. Where an allowance ends, the walks end, so what was made of them is not to be believed.

use std::cell::Cell;

/// The steps of one file.
#[derive(Debug)]
pub(crate) struct Meter {
    steps: Cell<u64>,
    /// The number of steps at which the walks end.
    end: Cell<u64>,
}

impl Default for Meter {
    fn default() -> Self {
        Self { steps: Cell::new(0), end: Cell::new(u64::MAX) }
    }
}

impl Meter {
    /// Takes steps; false where there are no more.
    pub(crate) fn draw(&self, steps: u64) -> bool {
        let drawn = self.steps.get().saturating_add(steps);
        self.steps.set(drawn);
        drawn <= self.end.get()
    }

    /// All steps that were taken.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Does some work with so many steps. Gives how many it took, which is more than there were where it was ended.
    pub(crate) fn within(&self, allowance: u64, work: impl FnOnce()) -> u64 {
        let before = self.steps.get();
        let outer = self.end.replace(before.saturating_add(allowance));
        work();
        self.end.set(outer);
        self.steps.get() - before
    }

    /// Does some work whose result is kept for others: it neither ends early nor costs whoever asked first.
    pub(crate) fn apart<T>(&self, work: impl FnOnce() -> T) -> T {
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
    fn an_allowance_ends_where_it_says_and_the_next_one_is_whole() {
        let meter = Meter::default();
        assert_eq!(meter.within(3, || assert!(meter.draw(3))), 3);
        assert_eq!(meter.within(3, || assert!(!meter.draw(4))), 4);
        assert_eq!(meter.within(1, || assert!(meter.draw(1))), 1);
        assert_eq!(meter.steps(), 8);
    }

    #[test]
    fn what_is_kept_for_others_is_made_whole() {
        let meter = Meter::default();
        let taken = meter.within(1, || {
            assert!(meter.apart(|| meter.draw(100)));
            assert!(meter.draw(1));
            assert!(!meter.draw(1));
        });
        assert_eq!(taken, 2);
    }
}
