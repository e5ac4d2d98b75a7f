//! Permits in two tiers: so many for each tenant, so many for the whole server. A request waits for both up to a limit.
//!
//! Those of one tenant come one after the other. The tenants that wait for the server take turns, one at a time, so a
//! tenant that comes late with one wish gets its turn within a round, however many wishes of another are before it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// See the module.
pub(crate) struct FairSemaphore<K: Key>(Arc<Mutex<Table<K>>>);

/// What tells one tenant from another.
pub(crate) trait Key: Copy + Eq + Hash + Send + 'static {}
impl<K: Copy + Eq + Hash + Send + 'static> Key for K {}

struct Table<K: Key> {
    per_tenant: usize,
    /// Permits of the server that nobody holds.
    free: usize,
    /// Those who hold something or wait.
    tenants: HashMap<K, Tenant<K>>,
    /// Those who have someone waiting whom their own limit does not hold up, in the order of their turns.
    turns: VecDeque<K>,
    next_ticket: u64,
}

struct Tenant<K: Key> {
    held: usize,
    waiting: BTreeMap<u64, Waiter<K>>,
    in_turns: bool,
}

struct Waiter<K: Key> {
    permits: usize,
    grant: oneshot::Sender<Permits<K>>,
}

/// Permits of both tiers. Dropping them gives them to the next.
pub(crate) struct Permits<K: Key> {
    table: Arc<Mutex<Table<K>>>,
    tenant: K,
    count: usize,
}

/// Which tier had none in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Short {
    Tenant,
    Server,
}

impl<K: Key> FairSemaphore<K> {
    /// So many permits for each tenant and for the whole server, at least one each.
    pub(crate) fn new(per_tenant: usize, server: usize) -> Self {
        let (per_tenant, free) = (per_tenant.max(1), server.max(1));
        let table = Table { per_tenant, free, tenants: HashMap::new(), turns: VecDeque::new(), next_ticket: 0 };
        Self(Arc::new(Mutex::new(table)))
    }

    /// Waits for permits. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// A tier had too few in time.
    pub(crate) async fn acquire(&self, tenant: K, permits: usize, wait: Duration) -> Result<Permits<K>, Short> {
        let (place, granted) = self.queue(tenant, permits);
        match timeout(wait, granted).await {
            Ok(Ok(permits)) => Ok(permits),
            _ => Err(place.short()),
        }
    }

    /// Takes a place in the queue; where nobody is before it, it is granted at once.
    fn queue(&self, tenant: K, permits: usize) -> (Place<K>, oneshot::Receiver<Permits<K>>) {
        let (grant, granted) = oneshot::channel();
        let mut table = lock(&self.0);
        let ticket = table.next_ticket;
        table.next_ticket += 1;
        let entry = table.tenants.entry(tenant).or_default();
        entry.waiting.insert(ticket, Waiter { permits, grant });
        table.enter(tenant);
        hand_out(&self.0, table);
        (Place { table: Arc::clone(&self.0), tenant, ticket, permits }, granted)
    }
}

/// A place in the queue. Dropping it, when what it waited for did not come, leaves the queue.
struct Place<K: Key> {
    table: Arc<Mutex<Table<K>>>,
    tenant: K,
    ticket: u64,
    permits: usize,
}

impl<K: Key> Place<K> {
    /// Which tier holds it up.
    fn short(&self) -> Short {
        let table = lock(&self.table);
        let held = table.tenants.get(&self.tenant).map_or(0, |tenant| tenant.held);
        if held.saturating_add(self.permits) > table.per_tenant { Short::Tenant } else { Short::Server }
    }
}

impl<K: Key> Drop for Place<K> {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        let Some(tenant) = table.tenants.get_mut(&self.tenant) else { return };
        if tenant.waiting.remove(&self.ticket).is_some() {
            // The next in the queue may be first now.
            table.enter(self.tenant);
            hand_out(&self.table, table);
        }
    }
}

impl<K: Key> Table<K> {
    /// Gives the tenant its turn, if someone of it waits whom its own limit does not hold up.
    fn enter(&mut self, key: K) {
        let Some(tenant) = self.tenants.get_mut(&key) else { return };
        let first = tenant.waiting.first_key_value().map(|(_, waiter)| waiter.permits);
        if first.is_some_and(|permits| tenant.held.saturating_add(permits) <= self.per_tenant) && !tenant.in_turns {
            tenant.in_turns = true;
            self.turns.push_back(key);
        }
        if tenant.held == 0 && tenant.waiting.is_empty() && !tenant.in_turns {
            self.tenants.remove(&key);
        }
    }

    /// Whose turn it is and can be served. Who wants more than is free is waited for, or would wait for ever.
    fn next(&mut self) -> Option<(K, Waiter<K>)> {
        while let Some(key) = self.turns.front().copied() {
            let tenant = self.tenants.get_mut(&key)?;
            let fits = |waiter: &Waiter<K>| tenant.held.saturating_add(waiter.permits) <= self.per_tenant;
            if let Some(first) = tenant.waiting.first_entry().filter(|first| fits(first.get())) {
                if first.get().permits > self.free {
                    return None;
                }
                let waiter = first.remove();
                tenant.held += waiter.permits;
                self.free -= waiter.permits;
                self.end_turn(key);
                return Some((key, waiter));
            }
            self.end_turn(key);
        }
        None
    }

    fn end_turn(&mut self, key: K) {
        self.turns.pop_front();
        if let Some(tenant) = self.tenants.get_mut(&key) {
            tenant.in_turns = false;
        }
        self.enter(key);
    }
}

/// Serves all that can be served. Grants are sent after the lock is released: a receiver that was dropped meanwhile drops
/// it, and that takes the lock.
fn hand_out<K: Key>(shared: &Arc<Mutex<Table<K>>>, mut table: MutexGuard<'_, Table<K>>) {
    let mut granted = Vec::new();
    while let Some((tenant, waiter)) = table.next() {
        let permits = Permits { table: Arc::clone(shared), tenant, count: waiter.permits };
        granted.push((waiter.grant, permits));
    }
    drop(table);
    for (grant, permits) in granted {
        drop(grant.send(permits));
    }
}

fn lock<K: Key>(table: &Mutex<Table<K>>) -> MutexGuard<'_, Table<K>> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: Key> Default for Tenant<K> {
    fn default() -> Self {
        Self { held: 0, waiting: BTreeMap::new(), in_turns: false }
    }
}

impl<K: Key> Drop for Permits<K> {
    fn drop(&mut self) {
        if self.count == 0 {
            return;
        }
        let mut table = lock(&self.table);
        table.free += self.count;
        if let Some(tenant) = table.tenants.get_mut(&self.tenant) {
            tenant.held -= self.count;
        }
        table.enter(self.tenant);
        hand_out(&self.table, table);
    }
}

impl<K: Key> fmt::Debug for Permits<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permits").field("count", &self.count).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
