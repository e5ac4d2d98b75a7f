//! The list of a working tree's files, kept between the reviews of an editor: listing takes longer than most reviews.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A list of paths. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct KeptList(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    paths: Option<Arc<Vec<String>>>,
    /// How often the list was discarded. One that was read before that is not kept.
    discarded: u64,
}

/// When a list was requested.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment(u64);

impl KeptList {
    /// Discards the list, because files may have been created or deleted.
    pub fn discard(&self) {
        let mut state = self.state();
        state.discarded += 1;
        state.paths = None;
    }

    /// The list, if there is one.
    pub(super) fn get(&self) -> (Moment, Option<Arc<Vec<String>>>) {
        let state = self.state();
        (Moment(state.discarded), state.paths.clone())
    }

    /// Keeps a list that was read after this moment.
    pub(super) fn keep(&self, since: Moment, paths: Arc<Vec<String>>) {
        let mut state = self.state();
        if state.discarded == since.0 {
            state.paths = Some(paths);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::KeptList;

    #[test]
    fn a_list_is_kept_until_it_is_discarded() {
        let (list, paths) = (KeptList::default(), Arc::new(vec!["a".to_owned()]));
        let (moment, nothing) = list.get();
        assert_eq!(nothing, None);
        list.keep(moment, Arc::clone(&paths));
        assert_eq!(list.get().1, Some(Arc::clone(&paths)));
        list.discard();
        assert_eq!(list.get().1, None);
        // It was read before files may have changed.
        list.keep(moment, paths);
        assert_eq!(list.get().1, None);
    }
}
