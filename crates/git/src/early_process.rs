//! A git process that is started before its input is known.

use std::process::Child;
use std::sync::{Mutex, PoisonError};

/// A process that waits for its input. Dropping it ends the process.
#[derive(Debug, Default)]
pub(super) struct EarlyProcess(Mutex<Option<Child>>);

impl EarlyProcess {
    /// Keeps a process until it is taken or dropped.
    pub(super) fn keep(&self, child: Child) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    }

    pub(super) fn take(&self) -> Option<Child> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for EarlyProcess {
    fn drop(&mut self) {
        if let Some(mut child) = self.take() {
            let _it_has_ended = child.kill();
            let _its_status_is_not_used = child.wait();
        }
    }
}
