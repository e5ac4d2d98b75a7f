//! The engines of this process: the rule engine, whose parsers run in the worker pool, and then the model engine where one
//! is configured.

use std::ffi::OsString;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::{self, StreamExt as _};
use lint::own::RuleFile;
use llm::ModelEngine;
use review::{Candidate, Chunk, ChunkFile, Conclusion, Engine, Facts, Outcome, OutcomeStatus, Warning, WarningCode};

use crate::commands::Error;
use crate::models;
use crate::provider_calls::ProviderCalls;
use crate::settings::{Settings, Workers};
use crate::worker_pool::{Failure, PoolOptions, WorkerCommand, WorkerPool, frame};

/// Files after which a worker is replaced.
const FILES_PER_WORKER: u32 = 2_000;
/// Time for a worker to be ready; it takes milliseconds on an idle machine.
const START: Duration = Duration::from_secs(20);

/// The engines, and the workers behind them.
#[derive(Clone)]
pub(crate) struct Engines {
    list: Vec<Arc<dyn Engine>>,
    pool: WorkerPool,
    calls: ProviderCalls,
}

/// Makes the engines that `settings` ask for, with rules of the user's own beside the built-in ones. No worker is started
/// yet. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is, or a model's settings cannot be used.
pub(crate) fn start(settings: &Settings, own: &[RuleFile]) -> Result<Engines, Error> {
    let calls = ProviderCalls::default();
    let model = settings.llm.as_ref().map(|llm| models::engine(llm, &calls)).transpose()?;
    Ok(Engines { calls, ..assemble(settings.workers, own, model)? })
}

/// The rule engine, and this model engine behind it. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is.
pub(crate) fn assemble(workers: Workers, own: &[RuleFile], model: Option<ModelEngine>) -> Result<Engines, Error> {
    let mut command = worker(workers, (!own.is_empty()).then_some("--own-rules"))?;
    if !own.is_empty() {
        command.first = frame::encode(&own, frame::REQUEST_BYTES).map_err(Error::failure)?.into();
    }
    let pool = WorkerPool::new(command, options(workers));
    let mut list: Vec<Arc<dyn Engine>> = vec![Arc::new(Rules { pool: pool.clone() })];
    list.extend(model.map(|model| Arc::new(model) as Arc<dyn Engine>));
    Ok(Engines { list, pool, calls: ProviderCalls::default() })
}

/// Workers that look at rules instead of changes, for a number of jobs. Must be called on a tokio runtime.
///
/// # Errors
/// The system does not tell where this binary is.
pub(crate) fn inspectors(workers: Workers, jobs: usize) -> Result<WorkerPool, Error> {
    let options = options(workers);
    let command = worker(workers, Some("--inspect-rules"))?;
    Ok(WorkerPool::new(command, PoolOptions { size: options.size.min(jobs), ..options }))
}

fn worker(workers: Workers, mode: Option<&str>) -> Result<WorkerCommand, Error> {
    let Workers { file_seconds, memory_mib, .. } = workers;
    // Twice the deadline: the pool is to notice first.
    let arguments = ["worker".to_owned(), format!("--memory={memory_mib}"), format!("--cpu={}", file_seconds * 2)];
    let arguments = arguments.into_iter().chain(mode.map(str::to_owned)).map(OsString::from);
    WorkerCommand::this_binary(arguments)
        .map_err(|error| Error::failure(format!("cannot find this program's own file: {error}")))
}

fn options(workers: Workers) -> PoolOptions {
    let Workers { count, file_seconds, .. } = workers;
    let size = if count == 0 { available_parallelism().map_or(1, NonZero::get) } else { count };
    PoolOptions { size, job: Duration::from_secs(file_seconds), start: START, jobs_per_worker: FILES_PER_WORKER }
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
    pub(crate) fn trouble(&self) -> Option<String> {
        self.pool.trouble()
    }

    /// Ends the workers and reaps them.
    pub(crate) async fn stop(&self) {
        self.pool.stop().await;
    }
}

/// The rule engine.
struct Rules {
    pool: WorkerPool,
}

impl Engine for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn concurrency(&self) -> usize {
        self.pool.size()
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let jobs: Vec<BoxFuture<'a, _>> = chunk.files.iter().map(|file| self.analyse_file(file).boxed()).collect();
            let reports: Vec<_> = stream::iter(jobs).buffered(self.pool.size()).collect().await;
            outcome(chunk, reports)
        })
    }

    /// What the files told each other holds no code to parse, so it is looked at in this process.
    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        lint::conclude(facts, candidates)
    }
}

impl Rules {
    /// A file whose parser failed is still read as plain text: it must not hide a secret by breaking the parser.
    async fn analyse_file(&self, file: &ChunkFile<'_>) -> Result<lint::Report, Failure> {
        let reason = match self.scan(file).await {
            Err(reason @ (Failure::Died | Failure::TimedOut | Failure::Garbage)) => reason,
            settled => return settled,
        };
        tracing::warn!(language = file.language.map(review::Language::name), %reason, "a file's parser failed");
        let text = ChunkFile { language: None, ..file.clone() };
        let mut report = self.scan(&text).await.unwrap_or_default();
        report.warnings.insert(0, Warning::file(WarningCode::FileSkippedParserFailed, &file.path, sentence(&reason)));
        Ok(report)
    }

    async fn scan(&self, file: &ChunkFile<'_>) -> Result<lint::Report, Failure> {
        // A worker speaks of the file that it was given, and of no other.
        let own = |report: &lint::Report| {
            report.candidates.iter().all(|candidate| candidate.file == file.index)
                && report.warnings.iter().all(|warning| warning.file_path.as_deref() == Some(&*file.path))
                && report.facts.file == file.index
        };
        self.pool.run(file, own).await
    }
}

fn sentence(reason: &Failure) -> &'static str {
    match reason {
        Failure::TimedOut => "the parser or a rule took too long: this file was at most searched as plain text",
        _ => "the parser crashed: this file was at most searched as plain text",
    }
}

/// Puts the files' reports together, in order. The chunk failed if there is none.
fn outcome(chunk: &Chunk<'_>, reports: Vec<Result<lint::Report, Failure>>) -> Outcome {
    let mut outcome = Outcome { status: OutcomeStatus::Failed, ..Outcome::default() };
    for (file, report) in chunk.files.iter().zip(reports) {
        match report {
            Ok(report) => {
                outcome.status = OutcomeStatus::Done;
                outcome.candidates.extend(report.candidates);
                outcome.warnings.extend(report.warnings);
                outcome.facts.push(report.facts);
            }
            Err(Failure::TooLarge) => {
                outcome.status = OutcomeStatus::Done;
                let message = "this file is too large to analyse";
                outcome.warnings.push(Warning::file(WarningCode::FileSkippedTooLarge, &file.path, message));
            }
            Err(_) => {
                let message = "this file was not analysed: no worker process could be started";
                outcome.warnings.push(Warning::file(WarningCode::ChunkFailed, &file.path, message));
            }
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use review::chunk::{Budget, plan};
    use review::{Diff, Engine as _, Outcome, OutcomeStatus, Side, WarningCode};

    use super::Rules;
    use crate::worker_pool::{PoolOptions, WorkerCommand, WorkerPool, frame};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";

    /// What the engine makes of a diff when every worker runs this script.
    async fn outcome(folder: &Path, script: &str) -> Outcome {
        let file = folder.join("worker.sh");
        let paths = format!("PATH=/usr/local/bin:/usr/bin:/bin; cd {}\n", folder.display());
        fs::write(&file, paths + script).unwrap();
        fs::write(folder.join("greeting"), frame::encode(&frame::GREETING, 100).unwrap()).unwrap();
        let command = WorkerCommand { program: "/bin/sh".into(), args: vec![file.into()], first: Arc::default() };
        let time = Duration::from_secs(20);
        let options = PoolOptions { size: 1, job: time, start: time, jobs_per_worker: 10 };
        let engine = Rules { pool: WorkerPool::new(command, options) };
        let diff = Diff::parse(DIFF).unwrap();
        let plan = plan(&diff, None, &Budget::default());
        engine.analyse(plan.chunks.first().unwrap(), &[]).await
    }

    #[tokio::test]
    async fn without_workers_a_chunk_has_failed_and_does_not_look_clean() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = outcome(folder.path(), "exit 1").await;
        assert_eq!(outcome.status, OutcomeStatus::Failed);
        assert_eq!(outcome.warnings.first().map(|warning| warning.code), Some(WarningCode::ChunkFailed));
    }

    #[tokio::test]
    async fn a_file_on_which_every_worker_dies_has_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = outcome(folder.path(), "cat greeting; head -c 4 > /dev/null").await;
        assert_eq!(outcome.status, OutcomeStatus::Done);
        let codes: Vec<_> =
            outcome.warnings.iter().map(|warning| (warning.code, warning.file_path.as_deref())).collect();
        assert_eq!(codes, [(WarningCode::FileSkippedParserFailed, Some("x.py"))]);
    }

    #[tokio::test]
    async fn a_worker_may_speak_of_its_own_file_only() {
        let candidate = |file| review::Candidate {
            file,
            side: Side::New,
            line: 1,
            rule_id: None,
            priority: review::Priority::P1,
            category: review::Category::LogicBug,
            summary: "x".to_owned(),
            suggested_fix: None,
            confidence: 1.0,
            scope: None,
        };
        for (file, taken) in [(0, 1), (1, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let report = lint::Report { candidates: vec![candidate(file)], ..lint::Report::default() };
            fs::write(folder.path().join("answer"), frame::encode(&(0u64, report), 1_000).unwrap()).unwrap();
            let outcome =
                outcome(folder.path(), "cat greeting; head -c 4 > /dev/null; cat answer; cat > /dev/null").await;
            assert_eq!(outcome.candidates.len(), taken);
            assert_eq!(outcome.warnings.len(), 1 - taken);
        }
    }
}
