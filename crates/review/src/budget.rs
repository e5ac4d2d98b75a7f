//! The budget of one review: steps of work and bytes of memory, until its deadline or until the caller disconnects.
//!
//! All code that walks over a diff or over an engine's results draws from the one [`Budget`] of its request, and stops
//! when it ends. Allowances are linear in the size of the diff and far above what real changes need: algorithms should
//! be linear, and the budget is the safety net. There is no clock here: a timer or the server calls [`Budget::end`].
//!
//! The answer has a separate budget ([`Budget::of_answer`]), so that partial results can be returned after the work's budget
//! has ended.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::Poll;

use futures_util::task::AtomicWaker;

/// Base allowance of steps.
const STEPS: u64 = 10_000_000;
/// Steps per byte of the diff.
const STEPS_PER_BYTE: u64 = 40;
/// Base allowance of bytes. Together with memory that is not drawn from the budget (the diff's text and lines,
/// candidates), a review stays below [`review_bytes`].
const BYTES: u64 = 2 << 20;
/// Bytes per byte of the diff.
const BYTES_PER_BYTE: u64 = 3;
/// Steps after which [`Budget::draw_and_yield`] yields: a few milliseconds.
const SLICE: u64 = 1 << 15;

/// Maximum memory of the review of a diff of this many bytes in this process, including its text.
#[must_use]
pub const fn review_bytes(diff: usize) -> usize {
    let small = (64usize << 10).saturating_add(diff.saturating_mul(128));
    let base = if small < LARGEST_BASE {
        small
    } else {
        LARGEST_BASE
    };
    base.saturating_add(diff.saturating_mul(6))
}

/// Maximum of the part that does not grow with the diff. Most of it is for findings, of which a small diff has few.
const LARGEST_BASE: usize = 8 << 20;

/// The remaining budget of one request. Clones share it.
#[derive(Debug, Clone)]
pub struct Budget {
    shared: Arc<Shared>,
    /// Set for an answer's budget: the budget of the work, which has the same caller.
    work: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    /// The initial steps and bytes.
    granted: (u64, u64),
    steps: AtomicU64,
    bytes: AtomicU64,
    /// The reason of an early end, as a [`Spent`]; 0 if there is none.
    ended: AtomicU8,
    /// Steps since the last yield.
    slice: AtomicU64,
    /// The task that waits for the end.
    waiting: AtomicWaker,
}

/// Why a budget ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[repr(u8)]
pub enum Spent {
    /// The review took more steps than the size of the diff allows.
    #[error("it took more steps than a diff of this size may")]
    Steps = 1,
    /// The review took more memory than the size of the diff allows.
    #[error("it took more memory than a diff of this size may")]
    Bytes = 2,
    /// The deadline has passed.
    #[error("it did not finish in time")]
    Time = 3,
    /// The caller has disconnected.
    #[error("the caller has left")]
    Caller = 4,
}

impl Budget {
    /// The budget for a diff of `bytes` bytes.
    #[must_use]
    pub fn of_bytes(diff: usize) -> Self {
        let diff = u64::try_from(diff).unwrap_or(u64::MAX);
        let linear = |fixed: u64, each: u64| fixed.saturating_add(diff.saturating_mul(each));
        Self::new(linear(STEPS, STEPS_PER_BYTE), linear(BYTES, BYTES_PER_BYTE))
    }

    /// A budget of the given steps and bytes.
    #[must_use]
    pub fn new(steps: u64, bytes: u64) -> Self {
        let shared = Shared {
            granted: (steps, bytes),
            steps: AtomicU64::new(steps),
            bytes: AtomicU64::new(bytes),
            ended: AtomicU8::new(0),
            slice: AtomicU64::new(0),
            waiting: AtomicWaker::new(),
        };
        Self {
            shared: Arc::new(shared),
            work: None,
        }
    }

    /// The budget for composing the answer: half of this one's initial amount, whatever is left of it. The work's limits and
    /// the deadline do not end it, but a caller who disconnects does.
    #[must_use]
    pub fn of_answer(&self) -> Self {
        let (steps, bytes) = self.shared.granted;
        Self {
            work: Some(Arc::clone(&self.shared)),
            ..Self::new(steps / 2, bytes / 2)
        }
    }

    /// Ends the budget immediately. Later reasons are ignored.
    pub fn end(&self, why: Spent) {
        let _first_reason_wins =
            self.shared
                .ended
                .compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
        self.shared.waiting.wake();
    }

    /// Why it ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<Spent> {
        let caller_left = || {
            self.work
                .as_ref()
                .and_then(|work| work.ended())
                .filter(|why| *why == Spent::Caller)
        };
        self.shared.ended().or_else(caller_left)
    }

    /// Waits until it ends. Only one task at a time may wait.
    pub async fn wait_for_end(&self) -> Spent {
        poll_fn(|context| {
            self.shared.waiting.register(context.waker());
            self.ended().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Steps taken so far.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.shared
            .granted
            .0
            .saturating_sub(self.shared.steps.load(Ordering::Relaxed))
    }

    /// Takes steps; one is about the cost of looking at a line of a diff.
    ///
    /// # Errors
    /// The reason why the budget has ended. The caller must stop and report what was not done.
    pub fn draw(&self, steps: u64) -> Result<(), Spent> {
        if let Some(why) = self.ended() {
            return Err(why);
        }
        self.shared.slice.fetch_add(steps, Ordering::Relaxed);
        take(&self.shared.steps, steps)
            .then_some(())
            .ok_or_else(|| self.spend(Spent::Steps))
    }

    /// Takes steps and yields to other tasks now and then, so that the review can be dropped.
    ///
    /// # Errors
    /// As [`Budget::draw`].
    pub async fn draw_and_yield(&self, steps: u64) -> Result<(), Spent> {
        self.draw(steps)?;
        if self.shared.slice.load(Ordering::Relaxed) >= SLICE {
            self.shared.slice.store(0, Ordering::Relaxed);
            let mut gave_way = false;
            poll_fn(|cx| {
                if std::mem::replace(&mut gave_way, true) {
                    return Poll::Ready(());
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
        }
        self.ended().map_or(Ok(()), Err)
    }

    /// Reserves bytes. They are returned when the permit is dropped.
    ///
    /// # Errors
    /// The budget has ended or has too few bytes left. Too few bytes do not end it: the caller works without
    /// the memory and reports the omission.
    pub fn hold(&self, bytes: usize) -> Result<MemoryPermit, Spent> {
        if let Some(why) = self.ended() {
            return Err(why);
        }
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let held = || MemoryPermit {
            budget: self.clone(),
            bytes,
        };
        take(&self.shared.bytes, bytes)
            .then(held)
            .ok_or(Spent::Bytes)
    }

    /// Returns a guard that ends the budget when dropped, to be held on behalf of the caller.
    #[must_use]
    pub fn guard_caller(&self) -> CallerGuard {
        CallerGuard(self.clone())
    }

    fn spend(&self, why: Spent) -> Spent {
        self.end(why);
        self.ended().unwrap_or(why)
    }
}

impl Shared {
    fn ended(&self) -> Option<Spent> {
        match self.ended.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Spent::Steps),
            2 => Some(Spent::Bytes),
            3 => Some(Spent::Time),
            _ => Some(Spent::Caller),
        }
    }
}

fn take(left: &AtomicU64, wanted: u64) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
        left.checked_sub(wanted)
    })
    .is_ok()
}

/// Reserved bytes.
#[derive(Debug)]
pub struct MemoryPermit {
    budget: Budget,
    bytes: u64,
}

impl MemoryPermit {
    /// Returns all but this many bytes.
    pub fn shrink(&mut self, bytes: usize) {
        let kept = u64::try_from(bytes).unwrap_or(u64::MAX).min(self.bytes);
        self.budget
            .shared
            .bytes
            .fetch_add(self.bytes - kept, Ordering::Relaxed);
        self.bytes = kept;
    }
}

impl Drop for MemoryPermit {
    fn drop(&mut self) {
        self.budget
            .shared
            .bytes
            .fetch_add(self.bytes, Ordering::Relaxed);
    }
}

/// Held while the caller is connected. Dropping it ends the budget with [`Spent::Caller`].
#[derive(Debug)]
pub struct CallerGuard(Budget);

impl Drop for CallerGuard {
    fn drop(&mut self) {
        self.0.end(Spent::Caller);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, SLICE, Spent};
    use futures_util::FutureExt as _;

    #[test]
    fn limits_are_exact_and_the_first_reason_is_kept() {
        let budget = Budget::new(10, 10);
        assert_eq!(budget.draw(10), Ok(()));
        assert_eq!(budget.draw(1), Err(Spent::Steps));
        budget.end(Spent::Time);
        assert_eq!(budget.hold(1).map(drop), Err(Spent::Steps));
        let budget = Budget::new(10, 10);
        assert_eq!(budget.hold(11).map(drop), Err(Spent::Bytes));
        assert_eq!(budget.draw(10), Ok(()), "too few bytes do not end the work");
    }

    #[test]
    fn a_permit_returns_what_it_no_longer_needs() {
        let budget = Budget::new(10, 10);
        let mut held = budget.hold(10).unwrap();
        held.shrink(4);
        held.shrink(7);
        let rest = budget.hold(6).unwrap();
        assert_eq!(budget.hold(1).map(drop), Err(Spent::Bytes));
        drop((held, rest));
        assert!(budget.hold(10).is_ok());
    }

    #[test]
    fn bytes_are_returned_and_steps_are_not() {
        let budget = Budget::new(10, 10);
        for _ in 0..3 {
            let _held = budget.hold(10).unwrap();
        }
        let shared = budget.clone();
        budget.draw(6).unwrap();
        assert_eq!(shared.draw(6), Err(Spent::Steps));
    }

    #[test]
    fn a_disconnected_caller_ends_the_budget() {
        let budget = Budget::of_bytes(0);
        let attendance = budget.guard_caller();
        assert_eq!(budget.draw(1), Ok(()));
        drop(attendance);
        assert_eq!(budget.draw(1), Err(Spent::Caller));
    }

    #[test]
    fn an_answer_is_possible_after_the_budget_ends_but_not_after_the_caller_disconnects() {
        for why in [Spent::Steps, Spent::Bytes, Spent::Time] {
            let work = Budget::new(10, 10);
            work.end(why);
            let answer = work.of_answer();
            assert_eq!(
                (answer.draw(5), answer.draw(1)),
                (Ok(()), Err(Spent::Steps))
            );
        }
        let work = Budget::new(10, 10);
        let answer = work.of_answer();
        drop(work.guard_caller());
        assert_eq!(answer.draw(1), Err(Spent::Caller));
    }

    #[test]
    fn a_task_that_waits_for_the_end_is_woken() {
        let budget = Budget::new(10, 10);
        assert_eq!(budget.wait_for_end().now_or_never(), None);
        budget.end(Spent::Time);
        assert_eq!(budget.wait_for_end().now_or_never(), Some(Spent::Time));
    }

    #[test]
    fn long_work_yields_to_other_tasks() {
        let budget = Budget::of_bytes(0);
        assert_eq!(budget.draw_and_yield(1).now_or_never(), Some(Ok(())));
        assert_eq!(budget.draw_and_yield(SLICE).now_or_never(), None);
        assert_eq!(budget.draw_and_yield(1).now_or_never(), Some(Ok(())));
    }
}
