//! A semaphore that is fair among tenants: slots, or bytes of memory, with a limit per tenant and a total limit.
//!
//! Requests of one tenant are served in order. Tenants that wait take turns, one request each, so a tenant that arrives late
//! with one request is served within a round, however many requests of another tenant are queued. A tenant at its own limit
//! does not hold up the others.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// A semaphore in which tenants take turns.
pub struct FairSemaphore<K: Key>(Arc<Mutex<Table<K>>>);

/// Identifies a tenant.
pub trait Key: Clone + Eq + Hash + Send + 'static {}
impl<K: Clone + Eq + Hash + Send + 'static> Key for K {}

struct Table<K: Key> {
    per_tenant: usize,
    /// Free permits.
    free: usize,
    /// The tenants that hold or wait for permits.
    tenants: HashMap<K, Tenant<K>>,
    /// The tenants whose first request is within their own limit, in turn order.
    turns: VecDeque<K>,
    next_ticket: u64,
    closed: bool,
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

/// Permits of one tenant, returned when dropped.
pub struct Permits<K: Key> {
    table: Arc<Mutex<Table<K>>>,
    tenant: K,
    count: usize,
}

/// The limit that a request exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Short {
    /// The tenant's own limit.
    Tenant,
    /// The limit of all tenants together.
    Total,
}

/// The semaphore was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl<K: Key> FairSemaphore<K> {
    /// A semaphore of `total` permits, of which a tenant can hold `per_tenant`. Either limit is at least 1.
    #[must_use]
    pub fn new(per_tenant: usize, total: usize) -> Self {
        Self(Arc::new(Mutex::new(Table {
            per_tenant: per_tenant.max(1),
            free: total.max(1),
            tenants: HashMap::new(),
            turns: VecDeque::new(),
            next_ticket: 0,
            closed: false,
        })))
    }

    /// Waits for permits. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// The semaphore is closed before or during the wait.
    pub async fn acquire(&self, tenant: K, permits: usize) -> Result<Permits<K>, Closed> {
        let (_request, granted) = self.queue(tenant, permits).ok_or(Closed)?;
        granted.await.map_err(|_| Closed)
    }

    /// Like [`FairSemaphore::acquire`], but waits at most `wait`. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// The limit that was reached. A closed semaphore has no permits.
    pub async fn acquire_within(
        &self,
        tenant: K,
        permits: usize,
        wait: Duration,
    ) -> Result<Permits<K>, Short> {
        let (request, granted) = self.queue(tenant, permits).ok_or(Short::Total)?;
        match timeout(wait, granted).await {
            Ok(Ok(permits)) => Ok(permits),
            _ => Err(request.short()),
        }
    }

    /// Queues a request. It is granted immediately if it is the first and there are enough permits.
    fn queue(
        &self,
        tenant: K,
        permits: usize,
    ) -> Option<(Request<K>, oneshot::Receiver<Permits<K>>)> {
        let (grant, granted) = oneshot::channel();
        let mut table = lock(&self.0);
        if table.closed {
            return None;
        }
        let ticket = table.next_ticket;
        table.next_ticket += 1;
        let entry = table.tenants.entry(tenant.clone()).or_default();
        entry.waiting.insert(ticket, Waiter { permits, grant });
        table.enter(&tenant);
        hand_out(&self.0, table);
        Some((
            Request {
                table: Arc::clone(&self.0),
                tenant,
                ticket,
                permits,
            },
            granted,
        ))
    }

    /// Whether the tenant holds or waits for permits.
    #[must_use]
    pub fn is_active(&self, tenant: &K) -> bool {
        lock(&self.0)
            .tenants
            .get(tenant)
            .is_some_and(|tenant| tenant.held > 0 || !tenant.waiting.is_empty())
    }

    /// The number of free permits.
    #[must_use]
    pub fn free(&self) -> usize {
        lock(&self.0).free
    }

    /// Permanently refuses all waiting and future requests. Granted permits stay valid.
    pub fn close(&self) {
        let mut table = lock(&self.0);
        table.closed = true;
        table.turns.clear();
        table.tenants.retain(|_, tenant| {
            tenant.waiting.clear();
            tenant.in_turns = false;
            tenant.held > 0
        });
    }

    /// Whether [`FairSemaphore::close`] was called.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.0).closed
    }
}

/// A queued request. Dropping it before it is granted removes it from the queue.
struct Request<K: Key> {
    table: Arc<Mutex<Table<K>>>,
    tenant: K,
    ticket: u64,
    permits: usize,
}

impl<K: Key> Request<K> {
    /// The limit that the request waits for.
    fn short(&self) -> Short {
        let table = lock(&self.table);
        let held = table
            .tenants
            .get(&self.tenant)
            .map_or(0, |tenant| tenant.held);
        if held.saturating_add(self.permits) > table.per_tenant {
            Short::Tenant
        } else {
            Short::Total
        }
    }
}

impl<K: Key> Drop for Request<K> {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        let Some(tenant) = table.tenants.get_mut(&self.tenant) else {
            return;
        };
        if tenant.waiting.remove(&self.ticket).is_some() {
            // The tenant's next request may fit.
            table.enter(&self.tenant);
            hand_out(&self.table, table);
        }
    }
}

impl<K: Key> Table<K> {
    /// Adds the tenant to the turn order if its first request is within its own limit. Removes a tenant that neither
    /// holds nor waits for permits.
    fn enter(&mut self, key: &K) {
        let Some(tenant) = self.tenants.get_mut(key) else {
            return;
        };
        let first = tenant
            .waiting
            .first_key_value()
            .map(|(_, waiter)| waiter.permits);
        if first.is_some_and(|permits| tenant.held.saturating_add(permits) <= self.per_tenant)
            && !tenant.in_turns
        {
            tenant.in_turns = true;
            self.turns.push_back(key.clone());
        }
        if tenant.held == 0 && tenant.waiting.is_empty() && !tenant.in_turns {
            self.tenants.remove(key);
        }
    }

    /// The next request that can be granted. A request for more permits than are free blocks the queue; otherwise it
    /// would starve.
    fn next(&mut self) -> Option<(K, Waiter<K>)> {
        while let Some(key) = self.turns.front().cloned() {
            let tenant = self.tenants.get_mut(&key)?;
            let fits =
                |waiter: &Waiter<K>| tenant.held.saturating_add(waiter.permits) <= self.per_tenant;
            if let Some(first) = tenant
                .waiting
                .first_entry()
                .filter(|first| fits(first.get()))
            {
                if first.get().permits > self.free {
                    return None;
                }
                let waiter = first.remove();
                tenant.held += waiter.permits;
                self.free -= waiter.permits;
                self.end_turn(&key);
                return Some((key, waiter));
            }
            self.end_turn(&key);
        }
        None
    }

    fn end_turn(&mut self, key: &K) {
        self.turns.pop_front();
        if let Some(tenant) = self.tenants.get_mut(key) {
            tenant.in_turns = false;
        }
        self.enter(key);
    }
}

/// Grants all requests that can be granted. Grants are sent after the lock is released: if a receiver is gone, its
/// permits are dropped here, and dropping takes the lock.
fn hand_out<K: Key>(shared: &Arc<Mutex<Table<K>>>, mut table: MutexGuard<'_, Table<K>>) {
    let mut granted = Vec::new();
    while let Some((tenant, waiter)) = table.next() {
        let permits = Permits {
            table: Arc::clone(shared),
            tenant,
            count: waiter.permits,
        };
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
        Self {
            held: 0,
            waiting: BTreeMap::new(),
            in_turns: false,
        }
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
        table.enter(&self.tenant);
        hand_out(&self.table, table);
    }
}

impl<K: Key> fmt::Debug for FairSemaphore<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairSemaphore")
            .field("free", &self.free())
            .finish_non_exhaustive()
    }
}

impl<K: Key> fmt::Debug for Permits<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permits")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
