//! Access to values that are shared by threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while the lock is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
