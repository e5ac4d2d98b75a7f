//! Passes an engine's events through the filters into the review's state.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::outcome::Progress;
use super::state::{ReviewState, Tag};
use crate::candidate::Candidate;
use crate::engine::{Event, Filter, Report};
use crate::finding::Finding;

/// The state of a review, and the observer of its progress.
pub(super) struct Inbox<'a> {
    pub(super) state: ReviewState,
    pub(super) observe: &'a mut (dyn FnMut(Progress) + Send),
}

/// Receives the events of one engine.
pub(super) struct Collector<'a, 'b> {
    pub(super) name: &'static str,
    /// The engine's index.
    pub(super) engine: usize,
    pub(super) filters: &'a [&'a dyn Filter],
    pub(super) inbox: &'a Mutex<Inbox<'b>>,
}

impl<'b> Collector<'_, 'b> {
    fn inbox(&self) -> MutexGuard<'_, Inbox<'b>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The findings so far, in diff order, and the tags with which to return them.
    pub(super) fn take_found(&self) -> (Vec<Tag>, Vec<Candidate>) {
        self.inbox().state.take_found()
    }

    /// Passes on the findings of earlier engines, placed and merged. From here on, the progress counts these.
    pub(super) fn placed(&self, findings: &[Finding]) {
        self.filters
            .iter()
            .for_each(|filter| filter.placed(findings));
        let mut inbox = self.inbox();
        let Inbox { state, observe } = &mut *inbox;
        if state.count_earlier(findings.len()) {
            observe(state.progress());
        }
    }

    /// Returns the earlier findings. `path` is that of a file.
    pub(super) fn put_back(
        &self,
        tags: Vec<Tag>,
        found: Vec<Candidate>,
        path: impl Fn(usize) -> String,
    ) {
        self.inbox().state.put_back(tags, found, path);
    }
}

impl Report for Collector<'_, '_> {
    fn report(&self, event: Event) {
        let filtered = self
            .filters
            .iter()
            .try_fold(event, |event, filter| filter.filter(self.name, event));
        let Some(event) = filtered else { return };
        let mut inbox = self.inbox();
        let Inbox { state, observe } = &mut *inbox;
        if state.add(self.engine, event) {
            observe(state.progress());
        }
    }
}

/// The state, after all events.
pub(super) fn close(inbox: Mutex<Inbox<'_>>) -> ReviewState {
    inbox
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .state
}
