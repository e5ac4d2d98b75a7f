//! Permits in two tiers: so many for each tenant, so many for the whole server. Whoever wants some waits a while for both.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Above so many tenants in the table those that hold nothing are dropped from it.
const SWEEP_ABOVE: usize = 1_024;

/// See the module.
pub(crate) struct Tiers<K> {
    server: Arc<Semaphore>,
    tenants: Mutex<HashMap<K, Arc<Semaphore>>>,
    per_tenant: usize,
}

/// Permits of both tiers. Dropping them gives them to the next.
#[derive(Debug)]
pub(crate) struct Permits {
    tenant: OwnedSemaphorePermit,
    server: OwnedSemaphorePermit,
}

/// Which tier had none in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Short {
    Tenant,
    Server,
}

impl<K: Eq + Hash> Tiers<K> {
    /// So many permits for each tenant and for the whole server, at least one each.
    pub(crate) fn new(per_tenant: usize, server: usize) -> Self {
        let sane = |permits: usize| permits.clamp(1, Semaphore::MAX_PERMITS);
        let server = Arc::new(Semaphore::new(sane(server)));
        Self { server, tenants: Mutex::default(), per_tenant: sane(per_tenant) }
    }

    /// Waits for permits, first come, first served. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// A tier had too few in time.
    pub(crate) async fn acquire(&self, tenant: K, permits: u32, wait: Duration) -> Result<Permits, Short> {
        let until = Instant::now() + wait;
        let tenant = in_time(until, self.semaphore(tenant).acquire_many_owned(permits)).await.ok_or(Short::Tenant)?;
        let server = Arc::clone(&self.server).acquire_many_owned(permits);
        let server = in_time(until, server).await.ok_or(Short::Server)?;
        Ok(Permits { tenant, server })
    }

    fn semaphore(&self, tenant: K) -> Arc<Semaphore> {
        let mut table = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if table.len() > SWEEP_ABOVE {
            // Whoever holds permits or waits for some holds a second reference.
            table.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        Arc::clone(table.entry(tenant).or_insert_with(|| Arc::new(Semaphore::new(self.per_tenant))))
    }
}

impl Permits {
    /// Adds permits of the same tenant.
    pub(crate) fn add(&mut self, more: Self) {
        self.tenant.merge(more.tenant);
        self.server.merge(more.server);
    }
}

async fn in_time<E>(
    until: Instant,
    permits: impl Future<Output = Result<OwnedSemaphorePermit, E>>,
) -> Option<OwnedSemaphorePermit> {
    timeout_at(until, permits).await.ok()?.ok()
}
