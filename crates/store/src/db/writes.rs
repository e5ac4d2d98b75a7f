//! Whether the database accepts writes, as far as the statements so far show.

use std::{
    io::{Error as IoError, ErrorKind},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::Error;

use crate::{error::is_outage, latency::Operation};

/// For how long a commit shows that the database accepts writes.
const RECENT: Duration = Duration::from_secs(10);
/// Timeout for a trial write.
const TRIAL_WAIT: Duration = Duration::from_secs(2);

/// How the last write ended.
#[derive(Debug)]
pub(super) struct LastWrite {
    /// The time of the last commit; `None` once a later write has failed.
    committed: Mutex<Option<Instant>>,
    trial: tokio::sync::Mutex<()>,
}

impl LastWrite {
    /// Opening a database writes to it.
    pub(super) fn now() -> Self {
        Self {
            committed: Mutex::new(Some(Instant::now())),
            trial: tokio::sync::Mutex::default(),
        }
    }

    /// Whether the database accepts writes. It tries one only if that is not known, and never two concurrently.
    pub(super) async fn check(
        &self,
        trial: impl Future<Output = Result<(), Error>>,
    ) -> Result<(), Error> {
        if self.last_commit().is_some_and(|at| at.elapsed() < RECENT) {
            return Ok(());
        }
        let Ok(_alone) = self.trial.try_lock() else {
            let failed = || failure("the last write failed, and the next one is being tried");
            return self.last_commit().map(drop).ok_or_else(failed);
        };
        let late = |_| {
            self.set(None);
            Err(failure("a trial write was not done within 2 seconds"))
        };
        let done = tokio::time::timeout(TRIAL_WAIT, trial).await;
        done.unwrap_or_else(late)
    }

    fn last_commit(&self) -> Option<Instant> {
        *self
            .committed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of how an operation ended. Within a transaction only the commit shows that a write has succeeded.
    pub(super) fn note(&self, operation: Operation, error: Option<&Error>) {
        use Operation::{Begin, Commit, Delete, Insert, Update};
        match (operation, error) {
            (Commit, None) => self.set(Some(Instant::now())),
            (Begin | Insert | Update | Delete | Commit, Some(error)) if is_outage(error) => {
                self.set(None);
            }
            _ => {}
        }
    }

    fn set(&self, committed: Option<Instant>) {
        *self
            .committed
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = committed;
    }
}

fn failure(message: &'static str) -> Error {
    Error::Io(IoError::new(ErrorKind::TimedOut, message))
}

#[cfg(test)]
mod tests {
    use super::LastWrite;
    use crate::latency::Operation;
    use sqlx::Error;

    #[test]
    fn an_outage_counts_until_the_next_commit() {
        let last = LastWrite::now();
        for (operation, error, works) in [
            (Operation::Insert, Some(Error::RowNotFound), true),
            (Operation::Select, Some(Error::PoolTimedOut), true),
            (Operation::Insert, Some(Error::WorkerCrashed), false),
            (Operation::Begin, None, false),
            (Operation::Insert, None, false),
            (Operation::Commit, None, true),
            (Operation::Commit, Some(Error::WorkerCrashed), false),
        ] {
            last.note(operation, error.as_ref());
            assert_eq!(
                last.last_commit().is_some(),
                works,
                "{operation:?} {error:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_write_is_tried_only_while_it_is_unknown_whether_one_succeeds() {
        let last = LastWrite::now();
        let refused = || async { Err(Error::PoolTimedOut) };
        assert!(last.check(refused()).await.is_ok(), "opening wrote");
        last.note(Operation::Commit, Some(&Error::PoolTimedOut));
        assert!(last.check(refused()).await.is_err());
        let alone = last.trial.lock().await;
        assert!(last.check(async { Ok(()) }).await.is_err(), "one at a time");
        drop(alone);
        assert!(last.check(async { Ok(()) }).await.is_ok());
    }
}
