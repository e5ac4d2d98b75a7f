//! The tokens that one review may use. They are reserved before a call and released after it, so that calls side by side
//! cannot use more than there is.

use std::sync::Mutex;

use tokio::sync::Notify;

/// What one review may still use.
#[derive(Debug)]
pub(crate) struct Budget {
    state: Mutex<State>,
    released: Notify,
}

#[derive(Debug)]
struct State {
    /// Tokens that are neither used nor reserved.
    free: u64,
    /// Reservations that are open.
    open: usize,
}

/// Tokens set aside for a call. Dropping it unused returns them: the call was never answered.
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

    /// Sets tokens aside. Waits while others hold what may come free; `None` when it will not.
    pub(crate) async fn reserve(&self, tokens: u64) -> Option<Reservation<'_>> {
        loop {
            // Registered before the look, so that nothing released in between is missed.
            let released = self.released.notified();
            match self.try_reserve(tokens) {
                Ok(reservation) => return Some(reservation),
                Err(0) => return None,
                Err(_) => released.await,
            }
        }
    }

    /// The reservation, or how many others are open.
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
        // Nothing panics while it is held.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Pays what the call really used, and gives the rest back. What it used beyond its reservation is taken from what
    /// is free.
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
    async fn what_a_call_did_not_use_is_free_again() {
        let budget = Budget::new(100);
        budget.reserve(80).await.unwrap().charge(30);
        budget.reserve(70).await.unwrap().charge(70);
        assert!(budget.reserve(1).await.is_none());
    }

    #[tokio::test]
    async fn a_call_waits_while_others_may_give_something_back() {
        let budget = Budget::new(100);
        let first = budget.reserve(80).await.unwrap();
        let mut second = Box::pin(budget.reserve(50));
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        second.await.unwrap().charge(50);
        assert!(
            budget.reserve(51).await.is_none(),
            "nobody is left who could give something back"
        );
    }
}
