//! The rules as an engine of the pipeline, wherever files are scanned.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::{self, StreamExt as _};
use review::{
    Budget, Candidate, Chunk, ChunkFile, Conclusion, Engine, MemoryPermit, Outcome, OutcomeStatus, Run, Scope, Warning,
    WarningCode,
};

use crate::facts::Facts;
use crate::scan::{Report, conclude};

/// Where files are scanned: in this process, or in others. Clones are the same.
pub trait Scanner: Clone + Send + Sync + 'static {
    /// How many files of one review it takes at once.
    fn concurrency(&self) -> usize;

    /// The same for the files of one tenant.
    #[must_use]
    fn of_tenant(&self, tenant: &str) -> Self;

    /// Scans a file. Dropping the returned future cancels the work.
    fn scan<'a>(&'a self, file: &'a ChunkFile<'_>) -> BoxFuture<'a, Result<Report, ScanFailure>>;
}

/// Why a file has no report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScanFailure {
    /// What it was parsed with crashed, or answered nonsense.
    #[error("the parser crashed")]
    Crashed,
    /// It took too long.
    #[error("the parser or a rule took too long")]
    TimedOut,
    /// The file is larger than what is scanned.
    #[error("the file is too large")]
    TooLarge,
    /// Nothing could be scanned, this file or another.
    #[error("no worker process could be started")]
    Unavailable,
}

/// The rule engine.
#[derive(Debug, Clone, Default)]
pub struct RuleEngine<S>(S);

impl<S: Scanner> RuleEngine<S> {
    /// The engine whose files `scanner` scans.
    pub fn new(scanner: S) -> Self {
        Self(scanner)
    }
}

impl<S: Scanner> Engine for RuleEngine<S> {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn start(&self, scope: &Scope, budget: &Budget) -> Box<dyn Run> {
        let scanner = self.0.of_tenant(&scope.tenant);
        Box::new(RuleRun { scanner, budget: budget.clone(), slow: Mutex::default(), facts: Mutex::default() })
    }
}

/// The rules on one review.
struct RuleRun<S> {
    scanner: S,
    budget: Budget,
    /// Files of which one part took too long. Their other parts are not parsed, so that a file that was made to be slow
    /// takes one deadline from its neighbours, and not one for each of its parts.
    slow: Mutex<HashSet<usize>>,
    /// What the files tell each other, with the memory that it takes.
    facts: Mutex<Vec<Learnt>>,
}

/// The facts of a part of a file.
struct Learnt {
    /// The part's first line, on the old side and on the new one: the order of the diff within a file.
    start: (Option<u32>, Option<u32>),
    facts: Facts,
    held: MemoryPermit,
}

impl<S: Scanner> Run for RuleRun<S> {
    fn concurrency(&self) -> usize {
        self.scanner.concurrency()
    }

    fn one_by_one(&self) -> bool {
        true
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let scans: Vec<BoxFuture<'a, _>> = chunk.files.iter().map(|file| self.scan(file).boxed()).collect();
            let reports: Vec<_> = stream::iter(scans).buffered(self.concurrency().max(1)).collect().await;
            self.outcome(chunk, reports)
        })
    }

    /// What the files told each other holds no code to parse, so it is looked at in this process.
    fn finish<'a>(&'a self, candidates: Vec<Candidate>, budget: &'a Budget) -> BoxFuture<'a, Conclusion> {
        let mut learnt = std::mem::take(&mut *lock(&self.facts));
        learnt.sort_by_key(|part| (part.facts.file, part.start));
        Box::pin(async move {
            let (facts, _held): (Vec<Facts>, Vec<MemoryPermit>) =
                learnt.into_iter().map(|part| (part.facts, part.held)).unzip();
            conclude(facts, candidates, budget).await
        })
    }
}

impl<S: Scanner> RuleRun<S> {
    /// A file whose parser failed is still read as plain text: it must not hide a secret by breaking the parser.
    async fn scan(&self, file: &ChunkFile<'_>) -> Result<Report, ScanFailure> {
        let is_slow = lock(&self.slow).contains(&file.index);
        let scanned = if is_slow { Err(ScanFailure::TimedOut) } else { self.scanner.scan(file).await };
        let reason = match scanned {
            Err(reason @ (ScanFailure::Crashed | ScanFailure::TimedOut)) => reason,
            settled => return settled,
        };
        if reason == ScanFailure::TimedOut {
            lock(&self.slow).insert(file.index);
        }
        let text = ChunkFile { language: None, ..file.clone() };
        let mut report = self.scanner.scan(&text).await.unwrap_or_default();
        let message = format!("{reason}: this file was at most searched as plain text");
        report.warnings.insert(0, Warning::file(WarningCode::FileSkippedParserFailed, &file.path, message));
        Ok(report)
    }

    /// Puts the files' reports together, in order. The chunk failed if there is none.
    fn outcome(&self, chunk: &Chunk<'_>, reports: Vec<Result<Report, ScanFailure>>) -> Outcome {
        let mut outcome = Outcome { status: OutcomeStatus::Failed, ..Outcome::default() };
        for (file, report) in chunk.files.iter().zip(reports) {
            match report {
                Ok(report) => {
                    outcome.status = OutcomeStatus::Done;
                    outcome.candidates.extend(report.candidates);
                    outcome.warnings.extend(report.warnings);
                    outcome.warnings.extend(self.learn(file, report.facts));
                }
                Err(ScanFailure::TooLarge) => {
                    outcome.status = OutcomeStatus::Done;
                    let message = "this file is too large to analyse";
                    outcome.warnings.push(Warning::file(WarningCode::FileSkippedTooLarge, &file.path, message));
                }
                Err(reason) => {
                    let message = format!("this file was not analysed: {reason}");
                    outcome.warnings.push(Warning::file(WarningCode::ChunkFailed, &file.path, message));
                }
            }
        }
        outcome
    }

    /// Keeps what a file tells the others until all are done. Where the budget has no memory for it, that is said.
    fn learn(&self, file: &ChunkFile<'_>, mut facts: Facts) -> Option<Warning> {
        facts.shrink();
        match self.budget.hold(facts.bytes()) {
            Ok(held) => {
                let first = file.hunks.first().and_then(|hunk| hunk.lines.first());
                let start = first.map_or((None, None), |line| (line.old, line.new));
                lock(&self.facts).push(Learnt { start, facts, held });
                None
            }
            Err(why) => {
                let message = format!("what this file tells of others was not held against them: {why}");
                Some(Warning::file(WarningCode::FilePartlyAnalyzed, &file.path, message))
            }
        }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
