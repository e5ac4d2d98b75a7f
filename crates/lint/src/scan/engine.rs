//! The rules as an engine of the pipeline, wherever files are scanned.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, FutureExt as _, select};
use futures_util::stream::{self, StreamExt as _};
use review::{
    Chunk, ChunkStatus, DropCause, Dropped, Engine, Event, MemoryPermit, Report, Shortlist, Task, Warning, WarningCode,
};

use crate::facts::Facts;
use crate::scan::{Report as ScanReport, conclude};

/// Where files are scanned: in this process, or in others. Clones are the same.
pub trait Scanner: Clone + Send + Sync + 'static {
    /// How many files of one review it takes at once.
    fn concurrency(&self) -> usize;

    /// The same for the files of one tenant.
    #[must_use]
    fn of_tenant(&self, tenant: &str) -> Self;

    /// Scans a file. Dropping the returned future cancels the work.
    fn scan<'a>(&'a self, file: &'a Chunk<'_>) -> BoxFuture<'a, Result<ScanReport, ScanFailure>>;
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

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        let review = RuleReview {
            scanner: self.0.of_tenant(&task.scope.tenant),
            task,
            report,
            slow: Mutex::default(),
            facts: Mutex::default(),
            found: Mutex::new(Shortlist::new(task.max_candidates)),
        };
        Box::pin(async move {
            review.scan_all().await;
            review.conclude().await;
        })
    }
}

/// The rules on one review.
struct RuleReview<'a, 'd, S> {
    scanner: S,
    task: &'a Task<'a, 'd>,
    report: &'a dyn Report,
    /// Files of which one part took too long. Their other parts are not parsed, so that a file that was made to be slow
    /// takes one deadline from its neighbours, and not one for each of its parts.
    slow: Mutex<HashSet<usize>>,
    /// What the files tell each other, with the memory that it takes.
    facts: Mutex<Vec<Learnt>>,
    /// What was found, by chunk and place in its report. It is reported when all files were seen, because one file may
    /// show that another's finding is none.
    found: Mutex<Shortlist<(usize, usize)>>,
}

/// The facts of a part of a file.
struct Learnt {
    /// Index of the chunk.
    chunk: usize,
    facts: Facts,
    held: MemoryPermit,
}

impl<S: Scanner> RuleReview<'_, '_, S> {
    /// Scans all chunks, or as many as the budget allows.
    async fn scan_all(&self) {
        let chunks = self.task.chunks.iter().enumerate();
        let scans: Vec<BoxFuture<'_, ()>> = chunks.map(|(at, chunk)| self.scan_chunk(at, chunk).boxed()).collect();
        let mut scans = stream::iter(scans).buffer_unordered(self.scanner.concurrency().max(1));
        let all = async { while scans.next().await.is_some() {} };
        select(pin!(self.task.budget.over()), pin!(all)).await;
    }

    async fn scan_chunk(&self, at: usize, chunk: &Chunk<'_>) {
        self.report.report(Event::Started { chunk: at });
        let (status, steps) = match self.scan(chunk).await {
            Ok(report) => (ChunkStatus::Done, self.take(at, chunk, report)),
            Err(ScanFailure::TooLarge) => {
                let message = "this file is too large to analyse";
                self.warn(Some(at), Warning::file(WarningCode::FileSkippedTooLarge, &chunk.path, message));
                (ChunkStatus::Done, 1)
            }
            Err(reason) => (ChunkStatus::Failed(reason.to_string()), 1),
        };
        self.report.report(Event::Ended { chunk: at, status });
        // Where the budget ends, what came is kept all the same; whoever waits for the end stops the rest.
        let _ = self.task.budget.turn(u64::try_from(steps).unwrap_or(u64::MAX)).await;
    }

    /// A file whose parser failed is still read as plain text: it must not hide a secret by breaking the parser.
    async fn scan(&self, chunk: &Chunk<'_>) -> Result<ScanReport, ScanFailure> {
        let is_slow = lock(&self.slow).contains(&chunk.index);
        let scanned = if is_slow { Err(ScanFailure::TimedOut) } else { self.scanner.scan(chunk).await };
        let reason = match scanned {
            Err(reason @ (ScanFailure::Crashed | ScanFailure::TimedOut)) => reason,
            other => return other,
        };
        if reason == ScanFailure::TimedOut {
            lock(&self.slow).insert(chunk.index);
        }
        let text = Chunk { language: None, ..chunk.clone() };
        let mut report = self.scanner.scan(&text).await.unwrap_or_default();
        let message = format!("{reason}: this file was at most searched as plain text");
        report.warnings.insert(0, Warning::file(WarningCode::FileSkippedParserFailed, &chunk.path, message));
        Ok(report)
    }

    /// Keeps what a scan reports until all files were seen, and says how much it was.
    fn take(&self, at: usize, chunk: &Chunk<'_>, report: ScanReport) -> usize {
        let count = 1 + report.candidates.len() + report.warnings.len();
        report.warnings.into_iter().for_each(|warning| self.warn(Some(at), warning));
        let mut found = lock(&self.found);
        report.candidates.into_iter().enumerate().for_each(|(index, candidate)| found.add((at, index), candidate));
        drop(found);
        self.learn(at, chunk, report.facts);
        count
    }

    /// Keeps what a file tells the others until all are done. Where the budget has no memory for it, a warning says so.
    fn learn(&self, at: usize, chunk: &Chunk<'_>, mut facts: Facts) {
        facts.shrink();
        match self.task.budget.hold(facts.bytes()) {
            Ok(held) => lock(&self.facts).push(Learnt { chunk: at, facts, held }),
            Err(why) => {
                let message = format!("the other files were not compared with this one: {why}");
                self.warn(Some(at), Warning::file(WarningCode::FilePartlyAnalyzed, &chunk.path, message));
            }
        }
    }

    /// Reports what all files together show. Facts hold no code to parse, so this is done in this process.
    async fn conclude(self) {
        let mut learnt = self.facts.into_inner().unwrap_or_else(PoisonError::into_inner);
        learnt.sort_by_key(|part| (part.facts.file, part.chunk));
        let (facts, _held): (Vec<Facts>, Vec<MemoryPermit>) =
            learnt.into_iter().map(|part| (part.facts, part.held)).unzip();
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let candidates = found.take().into_iter().map(|(_, candidate)| candidate).collect();
        let conclusion = conclude(facts, candidates, self.task.answer).await;
        conclusion.candidates.into_iter().for_each(|candidate| self.report.report(Event::Found(candidate)));
        for warning in conclusion.warnings {
            self.report.report(Event::Warned { chunk: None, warning });
        }
        let cut = conclusion.cut + found.cut();
        self.report.report(Event::Dropped(Dropped::unnamed(DropCause::Limit, cut)));
    }

    fn warn(&self, chunk: Option<usize>, warning: Warning) {
        self.report.report(Event::Warned { chunk, warning });
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
