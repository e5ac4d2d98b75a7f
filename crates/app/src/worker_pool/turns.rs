//! Who gets the next free worker: tenants take turns, one job at a time, so that a tenant that comes late with one file
//! gets its turn within a round, however many files of another wait. Jobs of one tenant come in their order. A tenant never has
//! more than its share, so that where there are more slots than that, another need not wait for the end of a long job.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Slots that are handed out in turns. Clones share them.
#[derive(Clone)]
pub(super) struct Turns(Arc<Mutex<Table>>);

struct Table {
    free: usize,
    /// Slots that one tenant has at most, and those that each has.
    share: usize,
    taken: HashMap<Arc<str>, usize>,
    closed: bool,
    waiting: HashMap<Arc<str>, VecDeque<oneshot::Sender<Slot>>>,
    /// The tenants that wait, in the order of their turns.
    round: VecDeque<Arc<str>>,
}

/// The right to use one worker. Dropping it gives it to the next.
pub(super) struct Slot(Option<(Turns, Arc<str>)>);

/// There will be no turn: the pool was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Closed;

impl Turns {
    /// So many slots, of which a tenant has at most `share`; at least one each.
    pub(super) fn new(slots: usize, share: usize) -> Self {
        Self(Arc::new(Mutex::new(Table {
            free: slots.max(1),
            share: share.max(1),
            taken: HashMap::new(),
            closed: false,
            waiting: HashMap::new(),
            round: VecDeque::new(),
        })))
    }

    /// Waits for a slot. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// The pool was stopped.
    pub(super) async fn take(&self, tenant: &Arc<str>) -> Result<Slot, Closed> {
        self.queue(tenant)?.await.map_err(|_| Closed)
    }

    /// Takes a place in the queue; where nobody is before it, it is granted at once.
    fn queue(&self, tenant: &Arc<str>) -> Result<oneshot::Receiver<Slot>, Closed> {
        let (grant, granted) = oneshot::channel();
        let mut table = self.table();
        if table.closed {
            return Err(Closed);
        }
        table.enter(tenant, grant);
        self.hand_out(table);
        Ok(granted)
    }

    /// Whether the tenant has a slot, or waits for one.
    pub(super) fn is_active(&self, tenant: &Arc<str>) -> bool {
        let table = self.table();
        table.taken.contains_key(tenant) || table.waiting.contains_key(tenant)
    }

    /// Slots that nobody has.
    pub(super) fn free(&self) -> usize {
        self.table().free
    }

    /// Ends all waiting, for good.
    pub(super) fn close(&self) {
        let mut table = self.table();
        table.closed = true;
        table.round.clear();
        table.waiting.clear();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.table().closed
    }

    /// Serves all that can be served. Grants are sent after the lock is released: a receiver that was dropped meanwhile
    /// drops it, and that takes the lock.
    fn hand_out(&self, mut table: MutexGuard<'_, Table>) {
        let mut granted = Vec::new();
        while table.free > 0
            && let Some((tenant, grant)) = table.next()
        {
            table.free -= 1;
            *table.taken.entry(Arc::clone(&tenant)).or_default() += 1;
            granted.push((tenant, grant));
        }
        drop(table);
        for (tenant, grant) in granted {
            drop(grant.send(Slot(Some((self.clone(), tenant)))));
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn enter(&mut self, tenant: &Arc<str>, grant: oneshot::Sender<Slot>) {
        if !self.waiting.contains_key(tenant) {
            self.round.push_back(Arc::clone(tenant));
        }
        let queue = self.waiting.entry(Arc::clone(tenant)).or_default();
        // Those who left do not pile up while all workers are busy.
        queue.retain(|waiter| !waiter.is_closed());
        queue.push_back(grant);
    }

    /// Whose turn it is and who still waits; the tenant's next turn comes after those of all others. Who has its share keeps
    /// its place.
    fn next(&mut self) -> Option<(Arc<str>, oneshot::Sender<Slot>)> {
        let mut at = 0;
        while let Some(tenant) = self.round.get(at) {
            if self.taken.get(tenant).is_some_and(|taken| *taken >= self.share) {
                at += 1;
                continue;
            }
            let Some(tenant) = self.round.remove(at) else { break };
            let Some(queue) = self.waiting.get_mut(&tenant) else { continue };
            let first = std::iter::from_fn(|| queue.pop_front()).find(|waiter| !waiter.is_closed());
            if queue.is_empty() {
                self.waiting.remove(&tenant);
            } else {
                self.round.push_back(Arc::clone(&tenant));
            }
            if let Some(first) = first {
                return Some((tenant, first));
            }
        }
        None
    }

    fn release(&mut self, tenant: &Arc<str>) {
        self.free += 1;
        if let Some(taken) = self.taken.get_mut(tenant) {
            *taken -= 1;
            if *taken == 0 {
                self.taken.remove(tenant);
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some((turns, tenant)) = self.0.take() else { return };
        let mut table = turns.table();
        table.release(&tenant);
        turns.hand_out(table);
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("free", &self.free()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slot")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use futures_util::FutureExt as _;
    use futures_util::future::join_all;

    use super::{Closed, Turns};

    /// Who was served, in order, when these wait for the only slot while it is taken.
    async fn served(tenants: &[&str]) -> Vec<String> {
        let turns = Turns::new(1, 1);
        let taken = turns.take(&"first".into()).await.unwrap();
        let order = Mutex::new(Vec::new());
        let wait = |tenant: &str| {
            let (turns, tenant, order) = (turns.clone(), Arc::<str>::from(tenant), &order);
            async move {
                let _slot = turns.take(&tenant).await.unwrap();
                order.lock().unwrap().push(tenant.to_string());
            }
        };
        let mut all = Box::pin(join_all(tenants.iter().map(|tenant| wait(tenant))));
        assert!((&mut all).now_or_never().is_none(), "the slot is taken");
        drop(taken);
        all.await;
        assert_eq!(turns.free(), 1);
        order.into_inner().unwrap()
    }

    #[tokio::test]
    async fn who_comes_late_behind_a_flood_is_served_within_a_round() {
        assert_eq!(served(&["a", "a", "a", "a", "b"]).await, ["a", "b", "a", "a", "a"]);
        assert_eq!(served(&["a", "a", "b", "b", "c"]).await, ["a", "b", "c", "a", "b"]);
    }

    #[tokio::test]
    async fn beside_who_has_its_share_another_need_not_wait() {
        let turns = Turns::new(3, 2);
        let (flood, other): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let held = [turns.take(&flood).await.unwrap(), turns.take(&flood).await.unwrap()];
        let mut third = Box::pin(turns.take(&flood));
        assert!((&mut third).now_or_never().is_none(), "it has its share");
        assert_eq!(turns.free(), 1);
        let spare = turns.take(&other).now_or_never().unwrap().unwrap();
        drop(spare);
        assert!((&mut third).now_or_never().is_none(), "what others gave back is not its share");
        drop(held);
        drop(third.await.unwrap());
        assert_eq!(turns.free(), 3);
    }

    #[tokio::test]
    async fn who_left_takes_no_turn_and_no_slot() {
        let turns = Turns::new(1, 1);
        let taken = turns.take(&"a".into()).await.unwrap();
        let (left, stays): (Arc<str>, Arc<str>) = ("b".into(), "c".into());
        assert!(turns.take(&left).now_or_never().is_none());
        let mut waits = Box::pin(turns.take(&stays));
        assert!((&mut waits).now_or_never().is_none());
        drop(taken);
        drop(waits.await.unwrap());
        assert_eq!(turns.free(), 1);
    }

    #[tokio::test]
    async fn at_the_end_nobody_waits_any_more() {
        let turns = Turns::new(1, 1);
        let taken = turns.take(&"a".into()).await.unwrap();
        let tenant: Arc<str> = "b".into();
        let mut waits = Box::pin(turns.take(&tenant));
        assert!((&mut waits).now_or_never().is_none());
        turns.close();
        assert_eq!(waits.await.err(), Some(Closed));
        assert_eq!(turns.take(&tenant).await.err(), Some(Closed));
        drop(taken);
    }
}
