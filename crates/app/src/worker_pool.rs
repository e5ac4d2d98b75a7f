//! A pool of worker processes: foreign code is parsed in them and never in this process.
//!
//! Grammars are C, and some abort on small hostile inputs. So a job crosses a pipe to a worker, and whatever happens
//! there (abort, loop, hunger for memory, nonsense for an answer) costs that one job: the worker is killed and the next
//! job gets a fresh one. A job waits for one of the slots, which tenants get in turns, none of them more than its share. A slot
//! is held until its worker is idle again or reaped, so there are never more processes than slots and never a zombie; dropping
//! a job's future kills its worker, so that the slot is free within moments.
//!
//! A worker gets jobs of one tenant only. A warm pool keeps a worker ready that nobody has used: when it is taken, one of a tenant
//! without jobs is replaced in the background, so that the next tenant need not wait for a process to start.

mod backoff;
mod early;
pub(crate) mod frame;
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

use backoff::Backoff;
pub(crate) use early::EarlyWorker;
use idle::Idle;
use process::Worker;
pub(crate) use process::WorkerCommand;

/// The pauses between the tries to start a worker in a pool that was healthy: a fork that is refused for want of memory
/// is often granted a moment later.
const START_PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(50),
    Duration::from_millis(200),
];

/// In whose name a slot is taken to replace a used worker.
const REPLACEMENT: &str = "replacement";

/// How many workers, and how long they may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolOptions {
    /// Worker processes at once for the jobs of one tenant.
    pub(crate) share: usize,
    /// More of them, which tenants get beside one that has its share.
    pub(crate) spare: usize,
    /// Wall time of one job, from when it has a worker.
    pub(crate) job: Duration,
    /// Wall time until a new worker must have greeted.
    pub(crate) start: Duration,
    /// Jobs after which a worker is replaced, so that leaks of foreign code do not add up.
    pub(crate) jobs_per_worker: u32,
}

/// Why a job has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// No worker could be started; says why.
    #[error("no worker process could be started: {0}")]
    Unavailable(String),
    /// The job is larger than what a worker takes.
    #[error("the job is too large for a worker process")]
    TooLarge,
    /// The worker ended or closed its pipe in the middle of the job.
    #[error("the worker process died")]
    Died,
    /// The worker did not answer in time.
    #[error("the worker process did not answer in time")]
    TimedOut,
    /// The worker answered something that is no answer to this job.
    #[error("the worker process answered nonsense")]
    Garbage,
}

/// See the module. Clones share the workers.
#[derive(Debug, Clone)]
pub(crate) struct WorkerPool {
    shared: Arc<Shared>,
    /// Whose jobs these are: tenants take turns.
    tenant: Arc<str>,
}

#[derive(Debug)]
struct Shared {
    command: WorkerCommand,
    options: PoolOptions,
    slots: FairSemaphore<Arc<str>>,
    idle: Mutex<Idle>,
    backoff: Mutex<Backoff>,
    /// A worker that ended is replaced at once rather than when the next job comes.
    warm: AtomicBool,
    /// Number of the last job: an answer must bear its job's number.
    jobs: AtomicU64,
    starts: AtomicU64,
    failures: AtomicU64,
    runtime: Handle,
    /// Jobs under way end, and their workers with them.
    stopped: CancellationToken,
    /// The leases of workers, until they are idle or reaped.
    leases: TaskTracker,
}

/// What a pool has done so far, and is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Workers that have a job.
    pub(crate) busy: usize,
    /// Processes that were started.
    pub(crate) starts: u64,
    /// Jobs without an answer.
    pub(crate) failures: u64,
}

impl WorkerPool {
    /// A pool without workers: they are started as jobs come, or by [`WorkerPool::warm_up`]. Must be called on a tokio
    /// runtime, which reaps the workers.
    pub(crate) fn new(command: WorkerCommand, options: PoolOptions) -> Self {
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
    pub(crate) fn of_tenant(&self, tenant: &str) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            tenant: tenant.into(),
        }
    }

    /// Worker processes at once.
    pub(crate) fn size(&self) -> usize {
        self.share() + self.shared.options.spare
    }

    /// Those of one tenant.
    pub(crate) fn share(&self) -> usize {
        self.shared.options.share.max(1)
    }

    /// Starts all workers now, and from now on replaces each that ends at once.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] when one cannot be started.
    pub(crate) async fn warm_up(&self) -> Result<(), Failure> {
        self.shared.warm.store(true, Ordering::Relaxed);
        // No tenant may have them all, so each slot is taken in a name of its own.
        let own = |slot: usize| self.of_tenant(&format!("warm-up {slot}"));
        let mut leases = Vec::new();
        for slot in 0..self.size() {
            leases.push(own(slot).lease().await?);
        }
        let started = join_all(leases.iter_mut().map(Lease::ready)).await;
        started.into_iter().collect()
    }

    /// Takes a worker that was started before, with the pool's own command, for the next job.
    pub(crate) async fn adopt(&self, early: EarlyWorker) {
        if let Some(worker) = early.ready().await {
            self.shared.starts.fetch_add(1, Ordering::Relaxed);
            self.shared.idle().push(worker);
        }
    }

    /// Sends `job` to a worker and returns its answer. `accepts` says whether the answer can be one to this job; a worker
    /// whose answer cannot is not used again.
    ///
    /// # Errors
    /// Why there is no answer. Other jobs are not touched by it.
    pub(crate) async fn run<T: DeserializeOwned>(
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
        // Only now, so that jobs that wait hold no copy of their code.
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

    /// What it has done so far, and is doing.
    pub(crate) fn counts(&self) -> Counts {
        let busy = self.size().saturating_sub(self.shared.slots.free());
        let [starts, failures] =
            [&self.shared.starts, &self.shared.failures].map(|count| count.load(Ordering::Relaxed));
        Counts {
            busy,
            starts,
            failures,
        }
    }

    /// Why the last worker could not be started, where none was since.
    pub(crate) fn unavailable(&self) -> Option<String> {
        self.shared
            .backoff()
            .reason()
            .map(|reason| Failure::Unavailable(reason.to_owned()).to_string())
    }

    /// Ends all workers, and reaps them; jobs that wait or are under way fail.
    pub(crate) async fn stop(&self) {
        self.shared.warm.store(false, Ordering::Relaxed);
        self.shared.slots.close();
        self.shared.stopped.cancel();
        self.shared.leases.close();
        self.shared.end_idle().await;
        self.shared.leases.wait().await;
        // One that became idle while the slots were closed.
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

    /// An idle worker that still runs and that no other tenant has used. One that ended while it had nothing to do is no job's
    /// fault.
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

    /// Sees to it that a warm pool has a worker that nobody has used, as long as there is one to be replaced: of a tenant without
    /// jobs, and not among the `spared` ones that had a job last, for their tenant's next job may follow at once.
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
        // When all slots are taken, there is no idle worker to replace.
        if is_needed
            && let Some(Ok(slot)) = self
                .slots
                .acquire(Arc::clone(&replacement), 1)
                .now_or_never()
        {
            let mut lease = Lease::new(Arc::clone(self), replacement, Some(slot));
            // A lease that is dropped with a worker that is not healthy replaces it.
            lease.worker = self.idle().take_used(spared, is_resting);
        }
    }
}

/// A slot, and the worker in it. Dropped in the middle of a job, it kills the worker.
#[derive(Debug)]
struct Lease {
    shared: Arc<Shared>,
    tenant: Arc<str>,
    worker: Option<Worker>,
    slot: Option<Permits<Arc<str>>>,
    /// The worker can take another job.
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

    /// Sees to a worker that has greeted.
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

    /// Starts a worker. A pool whose last start failed gets one try, and none before its pause is over.
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

/// Puts a fresh worker in the slot of one that ended, where the pool is kept warm.
async fn replace(shared: Arc<Shared>, tenant: Arc<str>, slot: Option<Permits<Arc<str>>>) {
    if shared.warm.load(Ordering::Relaxed) {
        let mut lease = Lease::new(shared, tenant, slot);
        // What cannot be started now is tried again by the next job, which then reports it.
        let _next_job_tries = lease.start().await;
    }
}
