//! Records when tokens were last used, to the minute and without delaying requests. A token is recorded at most once
//! a minute, and one task writes the records; those added while it writes go into its next transaction.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{Store, TokenId, UnixMillis};

/// Minimum interval between two records of a token.
const MINUTE: i64 = 60_000;
/// Tokens per transaction, because other writers wait for it.
const BATCH: usize = 256;
/// No cleanup below this number of tokens.
const KEPT: usize = 1_024;

/// Records when tokens are used. Clones share the records.
#[derive(Clone)]
pub(crate) struct TokenLastUsed(Arc<Shared>);

struct Shared {
    store: Store,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    /// When each token was last recorded. Entries older than a minute are removed when there are `sweep_at` of them.
    last: HashMap<TokenId, UnixMillis>,
    sweep_at: usize,
    /// Records to be written.
    pending: BTreeMap<TokenId, UnixMillis>,
    /// Whether a task is writing.
    writing: bool,
}

impl TokenLastUsed {
    /// Writes to this store.
    pub(crate) fn new(store: Store) -> Self {
        Self(Arc::new(Shared {
            store,
            noted: Mutex::default(),
        }))
    }

    /// Records that a token is used now, without waiting for the database.
    pub(crate) fn note(&self, token: TokenId, now: UnixMillis) {
        if self.0.noted().add(token, now) {
            let shared = Arc::clone(&self.0);
            tokio::spawn(async move { shared.write().await });
        }
    }
}

impl Shared {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes until no records are left.
    async fn write(&self) {
        loop {
            let batch = self.noted().take();
            if batch.is_empty() {
                return;
            }
            if let Err(error) = self.store.record_token_uses(&batch).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    tokens = batch.len(),
                    "the last use of tokens could not be recorded"
                );
            }
        }
    }
}

impl Noted {
    /// Returns whether the caller must start a writer.
    fn add(&mut self, token: TokenId, now: UnixMillis) -> bool {
        let recent = |last: &UnixMillis| (last.0..last.0.saturating_add(MINUTE)).contains(&now.0);
        if self.last.get(&token).is_some_and(recent) {
            return false;
        }
        if self.last.len() >= self.sweep_at.max(KEPT) {
            self.last.retain(|_, last| recent(last));
            self.sweep_at = self.last.len() * 2;
        }
        self.last.insert(token, now);
        self.pending.insert(token, now);
        !mem::replace(&mut self.writing, true)
    }

    /// The next records to write. `None`: the caller stops writing.
    fn take(&mut self) -> BTreeMap<TokenId, UnixMillis> {
        let rest = self
            .pending
            .keys()
            .nth(BATCH)
            .copied()
            .map(|first| self.pending.split_off(&first));
        let batch = mem::replace(&mut self.pending, rest.unwrap_or_default());
        self.writing = !batch.is_empty();
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recorded_once_a_minute_even_if_the_clock_jumps() {
        let mut noted = Noted::default();
        let (one, other) = (TokenId::new(UnixMillis(0)), TokenId::new(UnixMillis(0)));
        assert!(
            noted.add(one, UnixMillis(1_000)),
            "a writer must be started"
        );
        assert!(!noted.add(other, UnixMillis(1_000)), "a writer is running");
        assert_eq!(noted.take().len(), 2);
        assert!(!noted.add(one, UnixMillis(1_000 + MINUTE - 1)) && noted.take().is_empty());
        assert!(noted.add(one, UnixMillis(1_000 + MINUTE)));
        assert_eq!(
            noted.take(),
            BTreeMap::from([(one, UnixMillis(1_000 + MINUTE))])
        );
        assert!(
            !noted.add(one, UnixMillis(5)),
            "the clock was set back while a writer runs"
        );
        assert_eq!(noted.take(), BTreeMap::from([(one, UnixMillis(5))]));
    }

    #[test]
    fn memory_follows_the_tokens_in_use() {
        let mut noted = Noted::default();
        for minute in 0..20 {
            for _ in 0..KEPT {
                let now = UnixMillis(minute * MINUTE);
                noted.add(TokenId::new(now), now);
            }
            let mut written = 0;
            for batch in
                std::iter::repeat_with(|| noted.take()).take_while(|batch| !batch.is_empty())
            {
                assert!(batch.len() <= BATCH);
                written += batch.len();
            }
            assert_eq!(written, KEPT);
        }
        assert!(noted.last.len() <= 4 * KEPT, "{}", noted.last.len());
    }
}
