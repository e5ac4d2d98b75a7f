//! The tokens that one review may use. They are reserved before a call and released after it, so that concurrent calls
//! cannot exceed the budget.

use std::sync::Mutex;

use tokio::sync::Notify;

/// The remaining tokens of one review.
#[derive(Debug)]
pub(crate) struct Budget {
    state: Mutex<State>,
    released: Notify,
}

#[derive(Debug)]
struct State {
    /// Tokens that are neither used nor reserved.
    free: u64,
    /// Open reservations.
    open: usize,
}

/// Tokens set aside for a call. Dropping an unused reservation returns them: the call was not answered.
#[derive(Debug)]
pub(crate) struct Reservation<'b> {
    budget: &'b Budget,
    tokens: u64,
}

impl Budget {
    pub(crate) fn new(tokens: u64) -> Self {
        Self {
            state: Mutex::new(State {
                free: tokens,
                open: 0,
            }),
            released: Notify::new(),
        }
    }

    /// Reserves tokens. Waits while open reservations may still free enough; returns `None` when they cannot.
    pub(crate) async fn reserve(&self, tokens: u64) -> Option<Reservation<'_>> {
        loop {
            // Registered before the check, so that no release in between is missed.
            let released = self.released.notified();
            match self.try_reserve(tokens) {
                Ok(reservation) => return Some(reservation),
                Err(0) => return None,
                Err(_) => released.await,
            }
        }
    }

    /// The reservation, or the number of other open ones.
    fn try_reserve(&self, tokens: u64) -> Result<Reservation<'_>, usize> {
        let mut state = self.state();
        if state.free < tokens {
            return Err(state.open);
        }
        state.free -= tokens;
        state.open += 1;
        Ok(Reservation {
            budget: self,
            tokens,
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing panics while the lock is held.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Charges the tokens that the call used and returns the rest. Use beyond the reservation is taken from the free
    /// tokens.
    pub(crate) fn charge(mut self, used: u64) {
        if let Some(beyond) = used.checked_sub(self.tokens) {
            let mut state = self.budget.state();
            state.free = state.free.saturating_sub(beyond);
        }
        self.tokens = self.tokens.saturating_sub(used);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.free += self.tokens;
        state.open -= 1;
        drop(state);
        self.budget.released.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::Budget;

    #[tokio::test]
    async fn unused_tokens_are_returned() {
        let budget = Budget::new(100);
        budget.reserve(80).await.unwrap().charge(30);
        budget.reserve(70).await.unwrap().charge(70);
        assert!(budget.reserve(1).await.is_none());
    }

    #[tokio::test]
    async fn a_call_waits_while_open_reservations_may_free_tokens() {
        let budget = Budget::new(100);
        let first = budget.reserve(80).await.unwrap();
        let mut second = Box::pin(budget.reserve(50));
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        second.await.unwrap().charge(50);
        assert!(
            budget.reserve(51).await.is_none(),
            "no open reservation is left to free tokens"
        );
    }
}
