//! What one review may take: steps of work and bytes of memory, until its deadline and while its caller waits.
//!
//! Whatever walks over a diff, or over what an engine made of it, draws from the one [`Budget`] of its request, and
//! stops where that ends. Allowances are linear in the diff, and far beyond what any real change takes: algorithms are
//! to be linear by themselves, and the budget holds where one is not. There is no clock here: who knows the time, or
//! sees the caller leave, says so with [`Budget::end`].
//!
//! Putting the answer together has a budget of its own ([`Budget::of_answer`]): whatever the work before it took, what
//! was found by then is returned.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::Poll;

use futures_util::task::AtomicWaker;

/// Steps that any review may take, whatever its size.
const STEPS: u64 = 10_000_000;
/// Steps for each byte of the diff.
const STEPS_PER_BYTE: u64 = 40;
/// Bytes that any review may hold, whatever its size.
const BYTES: u64 = 48 << 20;
/// Bytes for each byte of the diff.
const BYTES_PER_BYTE: u64 = 30;
/// Steps after which [`Budget::turn`] lets others run: a few milliseconds.
const SLICE: u64 = 1 << 15;

/// What is left for one request. Clones share it.
#[derive(Debug, Clone)]
pub struct Budget {
    shared: Arc<Shared>,
    /// Of an answer: the budget of the work before it. The caller is the same.
    work: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    /// What there was at first: steps and bytes.
    granted: (u64, u64),
    steps: AtomicU64,
    bytes: AtomicU64,
    /// Why it ended early, as a [`Spent`]; 0 while it did not.
    ended: AtomicU8,
    /// Steps since others could run.
    slice: AtomicU64,
    /// Who waits for the end.
    waiting: AtomicWaker,
}

/// Why a budget gives nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[repr(u8)]
pub enum Spent {
    /// The work was more than a diff of this size is worth.
    #[error("it took more steps than a diff of this size may")]
    Steps = 1,
    /// The memory was more than a diff of this size is worth.
    #[error("it took more memory than a diff of this size may")]
    Bytes = 2,
    /// The deadline has passed.
    #[error("it did not finish in time")]
    Time = 3,
    /// Nobody waits for the answer any more.
    #[error("the caller has left")]
    Caller = 4,
}

impl Budget {
    /// The budget of a review of so many bytes.
    #[must_use]
    pub fn of_bytes(diff: usize) -> Self {
        let diff = u64::try_from(diff).unwrap_or(u64::MAX);
        let linear = |fixed: u64, each: u64| fixed.saturating_add(diff.saturating_mul(each));
        Self::new(linear(STEPS, STEPS_PER_BYTE), linear(BYTES, BYTES_PER_BYTE))
    }

    /// A budget of so many steps and bytes.
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
        Self { shared: Arc::new(shared), work: None }
    }

    /// The budget for putting the answer together: half of what this one was at first, whatever is left of it. Neither
    /// its steps nor its bytes nor the deadline end the answer's; a caller who leaves ends both.
    #[must_use]
    pub fn of_answer(&self) -> Self {
        let (steps, bytes) = self.shared.granted;
        Self { work: Some(Arc::clone(&self.shared)), ..Self::new(steps / 2, bytes / 2) }
    }

    /// Ends it now. The first reason stands.
    pub fn end(&self, why: Spent) {
        let _the_first_stands = self.shared.ended.compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
        self.shared.waiting.wake();
    }

    /// Why it ended, if it did.
    #[must_use]
    pub fn ended(&self) -> Option<Spent> {
        let caller_left = || self.work.as_ref().and_then(|work| work.ended()).filter(|why| *why == Spent::Caller);
        self.shared.ended().or_else(caller_left)
    }

    /// Waits for its end. One task at a time may do so.
    pub async fn over(&self) -> Spent {
        poll_fn(|context| {
            self.shared.waiting.register(context.waker());
            self.ended().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Steps that were taken so far.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.shared.granted.0.saturating_sub(self.shared.steps.load(Ordering::Relaxed))
    }

    /// Takes so many steps; one is about what a line of a diff costs to look at.
    ///
    /// # Errors
    /// Why there is no more: whoever asked stops, and says what was not done.
    pub fn draw(&self, steps: u64) -> Result<(), Spent> {
        if let Some(why) = self.ended() {
            return Err(why);
        }
        self.shared.slice.fetch_add(steps, Ordering::Relaxed);
        take(&self.shared.steps, steps).then_some(()).ok_or_else(|| self.spend(Spent::Steps))
    }

    /// Takes so many steps, and lets other tasks run where it is time for that: whoever drops the review can then do so.
    ///
    /// # Errors
    /// As [`Budget::draw`].
    pub async fn turn(&self, steps: u64) -> Result<(), Spent> {
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

    /// Takes so many bytes, before they are allocated. They come back when what is returned is dropped.
    ///
    /// # Errors
    /// As [`Budget::draw`].
    pub fn hold(&self, bytes: usize) -> Result<MemoryPermit, Spent> {
        if let Some(why) = self.ended() {
            return Err(why);
        }
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let held = || MemoryPermit { budget: self.clone(), bytes };
        take(&self.shared.bytes, bytes).then(held).ok_or_else(|| self.spend(Spent::Bytes))
    }

    /// Ends the budget when what is returned is dropped: for whoever waits for the answer.
    #[must_use]
    pub fn attend(&self) -> Attendance {
        Attendance(self.clone())
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
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(wanted)).is_ok()
}

/// Bytes that were set aside.
#[derive(Debug)]
pub struct MemoryPermit {
    budget: Budget,
    bytes: u64,
}

impl Drop for MemoryPermit {
    fn drop(&mut self) {
        self.budget.shared.bytes.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

/// Somebody waits for the answer. Dropping it ends the budget with [`Spent::Caller`].
#[derive(Debug)]
pub struct Attendance(Budget);

impl Drop for Attendance {
    fn drop(&mut self) {
        self.0.end(Spent::Caller);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, SLICE, Spent};
    use futures_util::FutureExt as _;

    #[test]
    fn steps_and_bytes_end_where_they_are_said_to_and_the_first_reason_stands() {
        let budget = Budget::new(10, 10);
        assert_eq!(budget.draw(10), Ok(()));
        assert_eq!(budget.draw(1), Err(Spent::Steps));
        budget.end(Spent::Time);
        assert_eq!(budget.hold(1).map(drop), Err(Spent::Steps));
        let budget = Budget::new(10, 10);
        assert_eq!(budget.hold(11).map(drop), Err(Spent::Bytes));
    }

    #[test]
    fn bytes_come_back_and_steps_do_not() {
        let budget = Budget::new(10, 10);
        for _ in 0..3 {
            let _held = budget.hold(10).unwrap();
        }
        let shared = budget.clone();
        budget.draw(6).unwrap();
        assert_eq!(shared.draw(6), Err(Spent::Steps));
    }

    #[test]
    fn a_caller_who_leaves_ends_it() {
        let budget = Budget::of_bytes(0);
        let attendance = budget.attend();
        assert_eq!(budget.draw(1), Ok(()));
        drop(attendance);
        assert_eq!(budget.draw(1), Err(Spent::Caller));
    }

    #[test]
    fn the_answer_can_be_put_together_when_the_work_took_all_and_not_when_the_caller_left() {
        for why in [Spent::Steps, Spent::Bytes, Spent::Time] {
            let work = Budget::new(10, 10);
            work.end(why);
            let answer = work.of_answer();
            assert_eq!((answer.draw(5), answer.draw(1)), (Ok(()), Err(Spent::Steps)));
        }
        let work = Budget::new(10, 10);
        let answer = work.of_answer();
        drop(work.attend());
        assert_eq!(answer.draw(1), Err(Spent::Caller));
    }

    #[test]
    fn who_waits_for_the_end_is_told() {
        let budget = Budget::new(10, 10);
        assert_eq!(budget.over().now_or_never(), None);
        budget.end(Spent::Time);
        assert_eq!(budget.over().now_or_never(), Some(Spent::Time));
    }

    #[test]
    fn long_work_gives_way_to_others() {
        let budget = Budget::of_bytes(0);
        assert_eq!(budget.turn(1).now_or_never(), Some(Ok(())));
        assert_eq!(budget.turn(SLICE).now_or_never(), None);
        assert_eq!(budget.turn(1).now_or_never(), Some(Ok(())));
    }
}
