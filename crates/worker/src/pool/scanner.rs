//! Implements the scanner of the rule engine with the workers.

use futures_util::future::BoxFuture;
use impact::{Question, Reader, Surrounding};
use lint::{Report, ScanFailure, Scanner};
use review::repository::{Query, QueryAnswer, QueryFailure, QueryRunner};
use review::{Chunk, Language};

use super::{Failure, WorkerPool};
use crate::job::{Job, SentJob};

impl QueryRunner for WorkerPool {
    fn run<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>> {
        Box::pin(async move {
            let job: SentJob<'_, '_> = Job::Query(query);
            self.run(&job, |answer| query.accepts(answer))
                .await
                .map_err(|failure| {
                    tracing::warn!(reason = %failure, "the files of a request were not searched");
                    QueryFailure
                })
        })
    }
}

impl Reader for WorkerPool {
    fn concurrency(&self) -> usize {
        self.share()
    }

    fn ask<'a>(&'a self, question: &'a Question<'_>) -> BoxFuture<'a, Option<Surrounding>> {
        Box::pin(async move {
            let job: SentJob<'_, '_> = Job::Ask(question);
            let answer = self.run(&job, |_| true).await;
            answer.unwrap_or_else(|failure| {
                tracing::warn!(reason = %failure, "an unchanged file was not read");
                None
            })
        })
    }
}

impl Scanner for WorkerPool {
    fn of_tenant(&self, tenant: &str) -> Self {
        Self::of_tenant(self, tenant)
    }

    fn scan<'a>(&'a self, file: &'a Chunk<'_>) -> BoxFuture<'a, Result<Report, ScanFailure>> {
        // A worker may only report on the file that it was given.
        let own = |report: &Report| {
            report
                .candidates
                .iter()
                .all(|candidate| candidate.file == file.index)
                && report
                    .warnings
                    .iter()
                    .all(|warning| warning.file_path.as_deref() == Some(&*file.path))
                && report.facts.file == file.index
        };
        Box::pin(async move {
            let job: SentJob<'_, '_> = Job::Scan(file);
            self.run(&job, own).await.map_err(|failure| {
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

    use std::sync::Mutex;

    use impact::{Asked, Question, Reader as _};
    use lint::RuleEngine;
    use review::chunk::{Sizes, plan};
    use review::{
        Budget, ChunkStatus, Diff, Engine as _, Event, Origin, Scope, Side, Task, Warning,
        WarningCode,
    };

    use super::super::{PoolOptions, WorkerCommand, WorkerPool, frame};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";
    const TIMEOUT: Duration = Duration::from_secs(20);

    /// The events of the engine for a diff when every worker runs this script.
    async fn events(folder: &Path, script: &str) -> Vec<Event> {
        review(&pool(folder, script, TIMEOUT), 1).await
    }

    /// A pool with workers that run this script, and this timeout for a file.
    fn pool(folder: &Path, script: &str, job: Duration) -> WorkerPool {
        let file = folder.join("worker.sh");
        let paths = format!(
            "PATH=/usr/local/bin:/usr/bin:/bin; cd {}\n",
            folder.display()
        );
        fs::write(&file, paths + script).unwrap();
        fs::write(
            folder.join("greeting"),
            frame::encode(&frame::GREETING, 100).unwrap(),
        )
        .unwrap();
        let command = WorkerCommand {
            program: "/bin/sh".into(),
            args: vec![file.into()],
            first: Arc::default(),
        };
        let options = PoolOptions {
            share: 1,
            spare: 0,
            job,
            start: TIMEOUT,
            jobs_per_worker: 10,
        };
        WorkerPool::new(command, options)
    }

    /// Reviews a diff in which the only chunk occurs this many times.
    async fn review(pool: &WorkerPool, times: usize) -> Vec<Event> {
        let diff = Diff::parse(DIFF).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        let chunks = vec![plan.chunks.first().unwrap().clone(); times];
        let (scope, budget) = (Scope::default(), Budget::of_bytes(DIFF.len()));
        let (events, answer) = (Mutex::new(Vec::new()), budget.of_answer());
        let report = |event| events.lock().unwrap().push(event);
        let task = Task {
            chunks: &chunks,
            files: &[],
            found: &[],
            scope: &scope,
            repository: None,
            max_candidates: 100,
            budget: &budget,
            answer: &answer,
        };
        RuleEngine::new(pool.clone(), rules::catalog())
            .review(&task, &report)
            .await;
        events.into_inner().unwrap()
    }

    fn warnings(events: &[Event]) -> Vec<&Warning> {
        let mut warned = Vec::new();
        for event in events {
            if let Event::Warned { warning, .. } = event {
                warned.push(warning);
            }
        }
        warned
    }

    fn statuses(events: &[Event]) -> Vec<&ChunkStatus> {
        let mut ended = Vec::new();
        for event in events {
            if let Event::Ended { status, .. } = event {
                ended.push(status);
            }
        }
        ended
    }

    #[tokio::test]
    async fn a_file_is_not_parsed_again_after_a_timeout() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(
            folder.path(),
            "cat greeting; cat > /dev/null",
            Duration::from_millis(50),
        );
        let events = review(&pool, 3).await;
        assert_eq!(
            pool.counts().failures,
            4,
            "the first part is parsed and searched, the others searched"
        );
        let codes: Vec<_> = warnings(&events)
            .iter()
            .map(|warning| warning.code)
            .collect();
        assert_eq!(codes, [WarningCode::FileSkippedParserFailed; 3]);
    }

    #[tokio::test]
    async fn without_workers_a_chunk_fails_and_does_not_look_clean() {
        let folder = tempfile::tempdir().unwrap();
        let events = events(folder.path(), "exit 1").await;
        assert_eq!(
            statuses(&events),
            [&ChunkStatus::Failed(
                "no worker process could be started".to_owned()
            )]
        );
    }

    #[tokio::test]
    async fn a_question_that_kills_its_worker_has_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        let script = "cat greeting; head -c 4 > /dev/null";
        let pool = pool(folder.path(), script, TIMEOUT);
        let question = Question::new("x.py", "a\n", Asked::Types);
        assert_eq!(pool.ask(&question).await, None);
        assert_eq!(pool.counts().failures, 1);
    }

    #[tokio::test]
    async fn a_file_that_kills_every_worker_has_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let events = events(folder.path(), "cat greeting; head -c 4 > /dev/null").await;
        assert_eq!(statuses(&events), [&ChunkStatus::Done]);
        let codes: Vec<_> = warnings(&events)
            .iter()
            .map(|warning| (warning.code, warning.file_path.as_deref()))
            .collect();
        assert_eq!(
            codes,
            [(WarningCode::FileSkippedParserFailed, Some("x.py"))]
        );
    }

    #[tokio::test]
    async fn a_worker_may_report_only_on_its_own_file() {
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
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        };
        for (file, taken) in [(0, 1), (1, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let report = lint::Report {
                candidates: vec![candidate(file)],
                ..lint::Report::default()
            };
            fs::write(
                folder.path().join("answer"),
                frame::encode(&(0u64, report), 1_000).unwrap(),
            )
            .unwrap();
            let events = events(
                folder.path(),
                "cat greeting; head -c 4 > /dev/null; cat answer; cat > /dev/null",
            )
            .await;
            let found = events
                .iter()
                .filter(|event| matches!(event, Event::Found(_)))
                .count();
            assert_eq!((found, warnings(&events).len()), (taken, 1 - taken));
        }
    }
}
