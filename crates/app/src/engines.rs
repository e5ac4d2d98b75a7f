//! The engines of this process: the rule engine, with its parsers in the worker pool, followed by the model engine if
//! one is configured.

use std::ffi::OsString;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use lint::RuleEngine;
use lint::custom::RuleFile;
use llm::ModelEngine;
use review::Engine;
use settings::{Settings, Workers};
use worker::sandbox::Demand;
use worker::{EarlyWorker, PoolOptions, WorkerCommand, WorkerPool};

use crate::models;
use crate::outcome::Error;
use crate::provider_calls::ProviderCalls;

/// Files after which a worker is replaced.
const FILES_PER_WORKER: u32 = 2_000;
/// Timeout for starting a worker; it takes milliseconds on an idle machine.
const START: Duration = Duration::from_secs(20);
/// Bytes of a diff and its files that keep one worker busy for as long as another one takes to start.
const BYTES_PER_WORKER: usize = 16 * 1024;
/// Workers beyond the share of one organization, so that a review need not wait for a file of another organization.
const SPARE: usize = 1;

/// The engines and their workers.
#[derive(Clone)]
pub(crate) struct Engines {
    list: Vec<Arc<dyn Engine>>,
    pool: WorkerPool,
    calls: ProviderCalls,
}

/// Creates the engines that `settings` configure, with custom rules in addition to the built-in ones. No worker is
/// started yet. Must be called on a tokio runtime.
///
/// # Errors
/// The path of this binary is unknown, or a model's settings are unusable.
pub(crate) fn start(settings: &Settings, custom: &[RuleFile]) -> Result<Engines, Error> {
    start_with(settings.workers, settings, custom, |model| model)
}

/// The same for a service. Its messages refer users to the operator, while those of [`start`] name settings.
///
/// # Errors
/// As [`start`].
pub(crate) fn start_service(settings: &Settings) -> Result<Engines, Error> {
    start_with(settings.workers, settings, &[], ModelEngine::for_members)
}

/// The same for a single review of a diff and files of this many bytes. Each worker compiles the rules of each language on first
/// use, so a second one only pays off for larger diffs.
///
/// # Errors
/// As [`start`].
pub(crate) fn start_for(
    bytes: usize,
    settings: &Settings,
    custom: &[RuleFile],
) -> Result<Engines, Error> {
    start_with(
        workers_for(bytes, settings.workers),
        settings,
        custom,
        |model| model,
    )
}

/// The built-in rules alone, for a single review of a diff and files of this many bytes.
///
/// # Errors
/// As [`start`].
pub(crate) fn start_rules_for(bytes: usize, settings: &Settings) -> Result<Engines, Error> {
    assemble(workers_for(bytes, settings.workers), &[], None)
}

fn workers_for(bytes: usize, workers: Workers) -> Workers {
    let count = share(workers).min(1 + bytes / BYTES_PER_WORKER);
    Workers { count, ..workers }
}

/// A worker for the pool of a single review without custom rules, which starts while its diff is created. Must be
/// called on a tokio runtime.
///
/// # Errors
/// The path of this binary is unknown.
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
/// The path of this binary is unknown.
pub(crate) fn assemble(
    workers: Workers,
    custom: &[RuleFile],
    model: Option<ModelEngine>,
) -> Result<Engines, Error> {
    let mut command = worker(workers, (!custom.is_empty()).then_some("--custom-rules"))?;
    if !custom.is_empty() {
        command = command.with_custom_rules(custom).map_err(Error::failure)?;
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

/// Workers that check rules instead of changes, for this many jobs. Must be called on a tokio runtime.
///
/// # Errors
/// The path of this binary is unknown.
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
    // Twice the deadline, so that the pool notices first.
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
        .map_err(|error| Error::failure(format!("cannot find the path of this program: {error}")))
}

/// Maximum number of concurrent workers of one organization.
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

    /// Starts all workers now, so that the first review of a service does not wait for them.
    ///
    /// # Errors
    /// A worker cannot be started.
    pub(crate) async fn warm_up(&self) -> Result<(), Error> {
        self.pool.warm_up().await.map_err(Error::failure)
    }

    /// The workers, for metrics.
    pub(crate) fn pool(&self) -> &WorkerPool {
        &self.pool
    }

    /// The provider calls so far.
    pub(crate) fn calls(&self) -> &ProviderCalls {
        &self.calls
    }

    /// Why no worker could be started, if that is the case.
    pub(crate) fn unavailable(&self) -> Option<String> {
        self.pool.unavailable()
    }

    /// Ends the workers and reaps them.
    pub(crate) async fn stop(&self) {
        self.pool.stop().await;
    }
}
