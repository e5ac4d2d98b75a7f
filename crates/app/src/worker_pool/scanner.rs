//! The workers as the scanner of the rule engine.

use futures_util::future::BoxFuture;
use lint::{Report, ScanFailure, Scanner};
use review::{ChunkFile, Language};

use super::{Failure, WorkerPool};

impl Scanner for WorkerPool {
    fn concurrency(&self) -> usize {
        self.share()
    }

    fn of_tenant(&self, tenant: &str) -> Self {
        Self::of_tenant(self, tenant)
    }

    fn scan<'a>(&'a self, file: &'a ChunkFile<'_>) -> BoxFuture<'a, Result<Report, ScanFailure>> {
        // A worker speaks of the file that it was given, and of no other.
        let own = |report: &Report| {
            report.candidates.iter().all(|candidate| candidate.file == file.index)
                && report.warnings.iter().all(|warning| warning.file_path.as_deref() == Some(&*file.path))
                && report.facts.file == file.index
        };
        Box::pin(async move {
            self.run(file, own).await.map_err(|failure| {
                tracing::warn!(language = file.language.map(Language::name), reason = %failure, "a file was not scanned");
                match failure {
                    Failure::Died | Failure::Garbage => ScanFailure::Crashed,
                    Failure::TimedOut => ScanFailure::TimedOut,
                    Failure::TooLarge => ScanFailure::TooLarge,
                    Failure::Unavailable(_) => ScanFailure::Unavailable,
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use lint::RuleEngine;
    use review::chunk::{Sizes, plan};
    use review::{Budget, Diff, Engine as _, Origin, Outcome, OutcomeStatus, Run, Scope, Side, WarningCode};

    use super::super::{PoolOptions, WorkerCommand, WorkerPool, frame};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";

    /// What the engine makes of a diff when every worker runs this script.
    async fn outcome(folder: &Path, script: &str) -> Outcome {
        let (_, run) = run(folder, script, Duration::from_secs(20));
        let diff = Diff::parse(DIFF).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        run.analyse(plan.chunks.first().unwrap(), &[]).await
    }

    /// A run of the engine with a worker that runs this script and may take so long for a file, and the worker's pool.
    fn run(folder: &Path, script: &str, job: Duration) -> (WorkerPool, Box<dyn Run>) {
        let file = folder.join("worker.sh");
        let paths = format!("PATH=/usr/local/bin:/usr/bin:/bin; cd {}\n", folder.display());
        fs::write(&file, paths + script).unwrap();
        fs::write(folder.join("greeting"), frame::encode(&frame::GREETING, 100).unwrap()).unwrap();
        let command = WorkerCommand { program: "/bin/sh".into(), args: vec![file.into()], first: Arc::default() };
        let options = PoolOptions { share: 1, spare: 0, job, start: Duration::from_secs(20), jobs_per_worker: 10 };
        let pool = WorkerPool::new(command, options);
        (pool.clone(), RuleEngine::new(pool).start(&Scope::default(), &Budget::of_bytes(DIFF.len())))
    }

    #[tokio::test]
    async fn a_file_of_which_a_part_took_too_long_is_parsed_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let (pool, run) = run(folder.path(), "cat greeting; cat > /dev/null", Duration::from_millis(50));
        let diff = Diff::parse(DIFF).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        let part = plan.chunks.first().unwrap();
        let mut outcomes = Vec::new();
        for tried in [2, 3, 4] {
            outcomes.push(run.analyse(part, &[]).await);
            assert_eq!(pool.counts().failures, tried, "the first part is parsed and searched, the others searched");
        }
        for outcome in outcomes {
            assert_eq!(
                outcome.warnings.first().map(|warning| warning.code),
                Some(WarningCode::FileSkippedParserFailed)
            );
        }
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
            origin: Origin::Model,
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
