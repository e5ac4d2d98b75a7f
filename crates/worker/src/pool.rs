//! A pool of worker processes. Untrusted code is parsed in them and never in this process.
//!
//! Grammars are written in C, and some abort on small hostile inputs. So a job is sent through a pipe to a worker, and
//! a failure there (abort, endless loop, excessive memory, invalid response) costs only that job: the worker is killed
//! and the next job gets a new one. A job waits for one of the slots, which tenants get in turns, up to their share. A
//! slot is held until its worker is idle again or reaped, so there are never more processes than slots and never
//! zombies. Dropping a job's future kills its worker, which frees the slot.
//!
//! A worker only gets jobs of one tenant. A warm pool keeps an unused worker ready: when it is taken, a worker of a
//! tenant without jobs is replaced in the background, so that the next tenant need not wait for a process to start.

mod backoff;
mod early;
mod idle;
mod process;
mod scanner;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fair::{Closed, FairSemaphore, Permits};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::frame;
use backoff::Backoff;
pub use early::EarlyWorker;
use idle::Idle;
use process::Worker;
pub use process::WorkerCommand;

/// The pauses between attempts to start a worker in a pool that was healthy: a fork refused for lack of memory often
/// succeeds a moment later.
const START_PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(50),
    Duration::from_millis(200),
];

/// The tenant name for slots used to replace a worker.
const REPLACEMENT: &str = "replacement";

/// The size of a pool and its timeouts.
#[derive(Debug, Clone, Copy)]
pub struct PoolOptions {
    /// Maximum number of concurrent worker processes for one tenant.
    pub share: usize,
    /// Additional workers, for other tenants while one uses its whole share.
    pub spare: usize,
    /// Wall time of one job, from the assignment of a worker.
    pub job: Duration,
    /// Wall time for a new worker to send its greeting.
    pub start: Duration,
    /// Jobs after which a worker is replaced, so that leaks in foreign code do not accumulate.
    pub jobs_per_worker: u32,
}

/// Why a job failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No worker could be started, with the reason.
    #[error("no worker process could be started: {0}")]
    Unavailable(String),
    /// The job exceeds the size limit of a frame.
    #[error("the job is too large for a worker process")]
    TooLarge,
    /// The worker ended or closed its pipe during the job.
    #[error("the worker process died")]
    Died,
    /// The worker did not respond in time.
    #[error("the worker process did not respond in time")]
    TimedOut,
    /// The worker's response does not belong to this job.
    #[error("the worker process sent an invalid response")]
    Garbage,
}

/// The pool. Clones share the workers.
#[derive(Debug, Clone)]
pub struct WorkerPool {
    shared: Arc<Shared>,
    /// The tenant of the jobs; tenants take turns.
    tenant: Arc<str>,
}

#[derive(Debug)]
struct Shared {
    command: WorkerCommand,
    options: PoolOptions,
    slots: FairSemaphore<Arc<str>>,
    idle: Mutex<Idle>,
    backoff: Mutex<Backoff>,
    /// Whether a worker that ended is replaced immediately rather than for the next job.
    warm: AtomicBool,
    /// The number of the last job. A response must have its job's number.
    jobs: AtomicU64,
    starts: AtomicU64,
    failures: AtomicU64,
    runtime: Handle,
    /// Aborts the running jobs and their workers.
    stopped: CancellationToken,
    /// The leases of workers, until they are idle or reaped.
    leases: TaskTracker,
}

/// The counters of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Workers that have a job.
    pub busy: usize,
    /// Processes started.
    pub starts: u64,
    /// Failed jobs.
    pub failures: u64,
}

impl WorkerPool {
    /// A pool without workers. They are started on demand, or by [`WorkerPool::warm_up`]. Must be called on a tokio
    /// runtime, which reaps the workers.
    pub fn new(command: WorkerCommand, options: PoolOptions) -> Self {
        let shared = Shared {
            slots: FairSemaphore::new(options.share, options.share.max(1) + options.spare),
            command,
            options,
            idle: Mutex::default(),
            backoff: Mutex::default(),
            warm: AtomicBool::new(false),
            jobs: AtomicU64::new(0),
            starts: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            runtime: Handle::current(),
            stopped: CancellationToken::new(),
            leases: TaskTracker::new(),
        };
        Self {
            shared: Arc::new(shared),
            tenant: Arc::default(),
        }
    }

    /// The same workers for the jobs of one tenant.
    pub fn of_tenant(&self, tenant: &str) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            tenant: tenant.into(),
        }
    }

    /// Maximum number of worker processes.
    pub fn size(&self) -> usize {
        self.share() + self.shared.options.spare
    }

    /// Maximum number of worker processes for one tenant.
    pub fn share(&self) -> usize {
        self.shared.options.share.max(1)
    }

    /// Starts all workers now, and from now on replaces each one immediately when it ends.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] if one cannot be started.
    pub async fn warm_up(&self) -> Result<(), Failure> {
        self.shared.warm.store(true, Ordering::Relaxed);
        // No tenant may have all slots, so each is acquired under a different name.
        let own = |slot: usize| self.of_tenant(&format!("warm-up {slot}"));
        let mut leases = Vec::new();
        for slot in 0..self.size() {
            leases.push(own(slot).lease().await?);
        }
        let started = join_all(leases.iter_mut().map(Lease::ready)).await;
        started.into_iter().collect()
    }

    /// Uses a worker that was started early, with the pool's own command, for the next job.
    pub async fn adopt(&self, early: EarlyWorker) {
        if let Some(worker) = early.ready().await {
            self.shared.starts.fetch_add(1, Ordering::Relaxed);
            self.shared.idle().push(worker);
        }
    }

    /// Sends `job` to a worker and returns its answer. `accepts` checks that the answer belongs to this job; otherwise
    /// the worker is not used again.
    ///
    /// # Errors
    /// The job failed. Other jobs are not affected.
    pub async fn run<T: DeserializeOwned>(
        &self,
        job: &(impl Serialize + Sync),
        accepts: impl Fn(&T) -> bool + Send,
    ) -> Result<T, Failure> {
        let answer = self.try_run(job, accepts).await;
        self.shared
            .failures
            .fetch_add(u64::from(answer.is_err()), Ordering::Relaxed);
        answer
    }

    async fn try_run<T: DeserializeOwned>(
        &self,
        job: &(impl Serialize + Sync),
        accepts: impl Fn(&T) -> bool + Send,
    ) -> Result<T, Failure> {
        let number = self.shared.jobs.fetch_add(1, Ordering::Relaxed);
        let mut lease = self.lease().await?;
        // Only now, so that waiting jobs hold no copy of their code.
        let request =
            frame::encode(&(number, job), frame::REQUEST_BYTES).map_err(|_| Failure::TooLarge)?;
        let work = async {
            lease.ready().await?;
            timeout(self.shared.options.job, lease.exchange(&request))
                .await
                .map_err(|_| Failure::TimedOut)?
        };
        let reply = tokio::select! {
            biased;
            () = self.shared.stopped.cancelled() => return Err(stopped()),
            reply = work => reply?,
        };
        let (answered, answer): (u64, T) = frame::decode(&reply).ok_or(Failure::Garbage)?;
        if answered != number || !accepts(&answer) {
            return Err(Failure::Garbage);
        }
        lease.healthy = true;
        Ok(answer)
    }

    /// The current counters.
    pub fn counts(&self) -> Counts {
        let busy = self.size().saturating_sub(self.shared.slots.free());
        let [starts, failures] =
            [&self.shared.starts, &self.shared.failures].map(|count| count.load(Ordering::Relaxed));
        Counts {
            busy,
            starts,
            failures,
        }
    }

    /// Why the last worker could not be started, unless one was started since.
    pub fn unavailable(&self) -> Option<String> {
        self.shared
            .backoff()
            .reason()
            .map(|reason| Failure::Unavailable(reason.to_owned()).to_string())
    }

    /// Ends and reaps all workers. Waiting and running jobs fail.
    pub async fn stop(&self) {
        self.shared.warm.store(false, Ordering::Relaxed);
        self.shared.slots.close();
        self.shared.stopped.cancel();
        self.shared.leases.close();
        self.shared.end_idle().await;
        self.shared.leases.wait().await;
        // A worker may have become idle while the slots were closed.
        self.shared.end_idle().await;
    }

    /// Waits for a slot.
    async fn lease(&self) -> Result<Lease, Failure> {
        let slot = self.shared.slots.acquire(Arc::clone(&self.tenant), 1).await;
        let slot = slot.map_err(|Closed| stopped())?;
        Ok(Lease::new(
            Arc::clone(&self.shared),
            Arc::clone(&self.tenant),
            Some(slot),
        ))
    }
}

fn stopped() -> Failure {
    Failure::Unavailable("the pool was stopped".to_owned())
}

impl Shared {
    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn backoff(&self) -> std::sync::MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn end_idle(&self) {
        let idle = std::mem::take(&mut *self.idle());
        join_all(idle.0.into_iter().map(Worker::end)).await;
    }

    /// A running idle worker that no other tenant has used. A worker that ended while idle does not fail the job.
    async fn take_idle(&self, tenant: &Arc<str>) -> Option<Worker> {
        loop {
            let mut worker = self.idle().take_for(tenant)?;
            if worker.runs() {
                return Some(worker);
            }
            worker.end().await;
        }
    }

    /// Ends an idle worker, if there is one, before another is started: there are never more processes than slots.
    async fn make_room(&self) {
        let of_resting = self
            .idle()
            .take_used(0, |owner| !self.slots.is_active(owner));
        let worker = of_resting.or_else(|| self.idle().take_used(0, |_| true));
        if let Some(worker) = worker {
            worker.end().await;
        }
    }

    /// Ensures that a warm pool has an unused worker, as long as one can be replaced. It must belong to a tenant
    /// without jobs, and not be among the `spared` ones that had a job last, because their tenant's next job may follow
    /// immediately.
    fn prepare(self: &Arc<Self>, spared: usize) {
        let replacement: Arc<str> = REPLACEMENT.into();
        if !self.warm.load(Ordering::Relaxed) || self.slots.is_active(&replacement) {
            return;
        }
        let is_resting = |owner: &Arc<str>| !self.slots.is_active(owner);
        let is_needed = {
            let idle = self.idle();
            !idle.has_unused() && idle.position_used(spared, is_resting).is_some()
        };
        // If all slots are taken, there is no idle worker to replace.
        if is_needed
            && let Some(Ok(slot)) = self
                .slots
                .acquire(Arc::clone(&replacement), 1)
                .now_or_never()
        {
            let mut lease = Lease::new(Arc::clone(self), replacement, Some(slot));
            // Dropping a lease with an unhealthy worker replaces the worker.
            lease.worker = self.idle().take_used(spared, is_resting);
        }
    }
}

/// A slot and its worker. Dropping it during a job kills the worker.
#[derive(Debug)]
struct Lease {
    shared: Arc<Shared>,
    tenant: Arc<str>,
    worker: Option<Worker>,
    slot: Option<Permits<Arc<str>>>,
    /// Whether the worker can take another job.
    healthy: bool,
    under_way: Option<TaskTrackerToken>,
}

impl Lease {
    fn new(shared: Arc<Shared>, tenant: Arc<str>, slot: Option<Permits<Arc<str>>>) -> Self {
        let under_way = Some(shared.leases.token());
        Self {
            shared,
            tenant,
            worker: None,
            slot,
            healthy: false,
            under_way,
        }
    }

    /// Provides a worker that has sent its greeting.
    async fn ready(&mut self) -> Result<(), Failure> {
        self.worker = self.shared.take_idle(&self.tenant).await;
        self.healthy = self.worker.is_some();
        if !self.healthy {
            self.shared.make_room().await;
            self.start().await?;
        }
        self.shared.prepare(0);
        Ok(())
    }

    /// Starts a worker. After a failed start, the pool gets one attempt, and not before its pause is over.
    async fn start(&mut self) -> Result<(), Failure> {
        let failing = self
            .shared
            .backoff()
            .failing(Instant::now())
            .map_err(Failure::Unavailable)?;
        let mut reason = String::new();
        for pause in START_PAUSES
            .iter()
            .take(if failing { 1 } else { START_PAUSES.len() })
        {
            tokio::time::sleep(*pause).await;
            match self.try_start().await {
                Ok(()) => {
                    self.shared.backoff().succeeded();
                    return Ok(());
                }
                Err(error) => reason = error.to_string(),
            }
        }
        tracing::error!(reason, "no worker process could be started");
        self.shared.backoff().failed(Instant::now(), &reason);
        Err(Failure::Unavailable(reason))
    }

    async fn try_start(&mut self) -> io::Result<()> {
        if let Some(failed) = self.worker.take() {
            failed.end().await;
        }
        self.shared.starts.fetch_add(1, Ordering::Relaxed);
        let worker = self.worker.insert(Worker::spawn(&self.shared.command)?);
        worker
            .greeting(&self.shared.command.first, self.shared.options.start)
            .await?;
        self.healthy = true;
        Ok(())
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, Failure> {
        self.healthy = false;
        let worker = self.worker.as_mut().ok_or(Failure::Died)?;
        worker
            .exchange(&self.tenant, request)
            .await
            .map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => Failure::Garbage,
                _ => Failure::Died,
            })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(worker) = self.worker.take() else {
            return;
        };
        let slot = self.slot.take();
        let spent = worker.jobs() >= self.shared.options.jobs_per_worker;
        if self.healthy && !spent && !self.shared.slots.is_closed() {
            self.shared.idle().push(worker);
            drop(slot);
            self.shared.prepare(1);
            return;
        }
        let (shared, tenant, under_way) = (
            Arc::clone(&self.shared),
            Arc::clone(&self.tenant),
            self.under_way.take(),
        );
        self.shared.runtime.spawn(async move {
            worker.end().await;
            replace(shared, tenant, slot).await;
            drop(under_way);
        });
    }
}

/// Puts a new worker in the slot of one that ended, if the pool is kept warm.
async fn replace(shared: Arc<Shared>, tenant: Arc<str>, slot: Option<Permits<Arc<str>>>) {
    if shared.warm.load(Ordering::Relaxed) {
        let mut lease = Lease::new(shared, tenant, slot);
        // If this fails, the next job tries again and reports the error.
        let _next_job_tries = lease.start().await;
    }
}
