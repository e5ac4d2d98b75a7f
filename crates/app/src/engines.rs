//! The engines of this process: the rule engine, whose parsers run in the worker pool, and then the model engine where one
//! is configured.

use std::ffi::OsString;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use lint::RuleEngine;
use lint::custom::RuleFile;
use llm::ModelEngine;
use review::Engine;

use crate::models;
use crate::outcome::Error;
use crate::provider_calls::ProviderCalls;
use crate::sandbox::Demand;
use crate::settings::{Settings, Workers};
use crate::worker_pool::{EarlyWorker, PoolOptions, WorkerCommand, WorkerPool, frame};

/// Files after which a worker is replaced.
const FILES_PER_WORKER: u32 = 2_000;
/// Time for a worker to be ready; it takes milliseconds on an idle machine.
const START: Duration = Duration::from_secs(20);
/// Bytes of a diff that keep one worker busy for as long as another takes to start.
const BYTES_PER_WORKER: usize = 64 * 1024;
/// Workers beyond those of one organization: with it, a review need not wait until a file of another's is done.
const SPARE: usize = 1;

/// The engines and their workers.
#[derive(Clone)]
pub(crate) struct Engines {
    list: Vec<Arc<dyn Engine>>,
    pool: WorkerPool,
    calls: ProviderCalls,
}

/// Makes the engines that `settings` ask for, with custom rules beside the built-in ones. No worker is started
/// yet. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is, or a model's settings cannot be used.
pub(crate) fn start(settings: &Settings, custom: &[RuleFile]) -> Result<Engines, Error> {
    start_with(settings.workers, settings, custom, |model| model)
}

/// The same for a service, whose users are told to ask its operator where [`start`] names settings.
///
/// # Errors
/// As with [`start`].
pub(crate) fn start_service(settings: &Settings) -> Result<Engines, Error> {
    start_with(settings.workers, settings, &[], ModelEngine::for_members)
}

/// The same for a single review of a diff of so many bytes. As each worker first compiles the rules of the languages that it meets, a
/// second one only pays off when there is work for it.
///
/// # Errors
/// As with [`start`].
pub(crate) fn start_for(
    bytes: usize,
    settings: &Settings,
    custom: &[RuleFile],
) -> Result<Engines, Error> {
    let useful = 1 + bytes / BYTES_PER_WORKER;
    let count = share(settings.workers).min(useful);
    start_with(
        Workers {
            count,
            ..settings.workers
        },
        settings,
        custom,
        |model| model,
    )
}

/// A worker for the pool of a single review without custom rules, which starts while its diff is made. Must be called on a tokio
/// runtime.
///
/// # Errors
/// The system does not tell where this binary is.
pub(crate) fn early_worker(workers: Workers) -> Result<EarlyWorker, Error> {
    Ok(EarlyWorker::start(worker(workers, None)?, START))
}

fn start_with(
    workers: Workers,
    settings: &Settings,
    custom: &[RuleFile],
    addressed: impl FnOnce(ModelEngine) -> ModelEngine,
) -> Result<Engines, Error> {
    let calls = ProviderCalls::default();
    let model = settings
        .llm
        .as_ref()
        .map(|llm| models::engine(llm, &calls))
        .transpose()?
        .map(addressed);
    Ok(Engines {
        calls,
        ..assemble(workers, custom, model)?
    })
}

/// The rule engine, followed by this model engine. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is.
pub(crate) fn assemble(
    workers: Workers,
    custom: &[RuleFile],
    model: Option<ModelEngine>,
) -> Result<Engines, Error> {
    let mut command = worker(workers, (!custom.is_empty()).then_some("--custom-rules"))?;
    if !custom.is_empty() {
        command.first = frame::encode(&custom, frame::REQUEST_BYTES)
            .map_err(Error::failure)?
            .into();
    }
    let pool = WorkerPool::new(command, options(workers));
    let mut list: Vec<Arc<dyn Engine>> =
        vec![Arc::new(RuleEngine::new(pool.clone(), rules::catalog()))];
    list.extend(model.map(|model| Arc::new(model) as Arc<dyn Engine>));
    Ok(Engines {
        list,
        pool,
        calls: ProviderCalls::default(),
    })
}

/// Workers that look at rules instead of changes, for a number of jobs. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is.
pub(crate) fn inspectors(workers: Workers, jobs: usize) -> Result<WorkerPool, Error> {
    let options = options(workers);
    let command = worker(workers, Some("--inspect-rules"))?;
    Ok(WorkerPool::new(
        command,
        PoolOptions {
            share: options.share.min(jobs),
            spare: 0,
            ..options
        },
    ))
}

fn worker(workers: Workers, mode: Option<&str>) -> Result<WorkerCommand, Error> {
    let Workers {
        file_timeout_seconds,
        memory_mib,
        sandbox,
        ..
    } = workers;
    let sandbox = match sandbox {
        Demand::Required => "required",
        Demand::BestEffort => "best-effort",
    };
    // Twice the deadline: the pool is to notice first.
    let (memory, cpu) = (
        format!("--memory={memory_mib}"),
        format!("--cpu={}", file_timeout_seconds * 2),
    );
    let arguments = [
        "worker".to_owned(),
        memory,
        cpu,
        format!("--sandbox={sandbox}"),
    ];
    let arguments = arguments
        .into_iter()
        .chain(mode.map(str::to_owned))
        .map(OsString::from);
    WorkerCommand::this_binary(arguments)
        .map_err(|error| Error::failure(format!("cannot find this program's own file: {error}")))
}

/// Workers at once for one organization.
fn share(workers: Workers) -> usize {
    if workers.count == 0 {
        available_parallelism().map_or(1, NonZero::get)
    } else {
        workers.count
    }
}

fn options(workers: Workers) -> PoolOptions {
    let (share, job) = (
        share(workers),
        Duration::from_secs(workers.file_timeout_seconds),
    );
    PoolOptions {
        share,
        spare: SPARE,
        job,
        start: START,
        jobs_per_worker: FILES_PER_WORKER,
    }
}

impl Engines {
    /// The engines, for the pipeline.
    pub(crate) fn list(&self) -> &[Arc<dyn Engine>] {
        &self.list
    }

    /// Starts all workers now; for the service, whose first review should not wait for them.
    ///
    /// # Errors
    /// A worker cannot be started.
    pub(crate) async fn warm_up(&self) -> Result<(), Error> {
        self.pool.warm_up().await.map_err(Error::failure)
    }

    /// The workers, for those who count them.
    pub(crate) fn pool(&self) -> &WorkerPool {
        &self.pool
    }

    /// The calls of providers so far.
    pub(crate) fn calls(&self) -> &ProviderCalls {
        &self.calls
    }

    /// Why no worker could be started, where that is so.
    pub(crate) fn unavailable(&self) -> Option<String> {
        self.pool.unavailable()
    }

    /// Ends the workers and reaps them.
    pub(crate) async fn stop(&self) {
        self.pool.stop().await;
    }
}
