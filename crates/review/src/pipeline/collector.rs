//! Takes the reports of an engine, past the filters, into the state of the review.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::outcome::Progress;
use super::state::{ReviewState, Tag};
use crate::candidate::Candidate;
use crate::engine::{Event, Filter, Report};

/// The state of a review, and who watches its progress.
pub(super) struct Inbox<'a> {
    pub(super) state: ReviewState,
    pub(super) observe: &'a mut (dyn FnMut(Progress) + Send),
}

/// The report of one engine.
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

    /// What was found so far, in the order of the diff, and the tags by which to put it back.
    pub(super) fn take_found(&self) -> (Vec<Tag>, Vec<Candidate>) {
        self.inbox().state.take_found()
    }

    /// Puts back what was found before this engine, as far as it still believes it.
    pub(super) fn put_back(&self, tags: Vec<Tag>, found: Vec<Candidate>) {
        self.inbox().state.put_back(tags, found);
    }
}

impl Report for Collector<'_, '_> {
    fn report(&self, event: Event) {
        let filtered = self.filters.iter().try_fold(event, |event, filter| filter.filter(self.name, event));
        let Some(event) = filtered else { return };
        let mut inbox = self.inbox();
        let Inbox { state, observe } = &mut *inbox;
        if state.add(self.engine, event) {
            observe(state.progress());
        }
    }
}

/// The state, when all reports came in.
pub(super) fn close(inbox: Mutex<Inbox<'_>>) -> ReviewState {
    inbox.into_inner().unwrap_or_else(PoisonError::into_inner).state
}
