//! The rules as an engine of the pipeline, independent of where files are scanned.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, FutureExt as _, select};
use futures_util::stream::{self, StreamExt as _};
use impact::{Links, Project, Reader};
use review::{
    Candidate, Chunk, ChunkStatus, DropCause, Dropped, Engine, Event, Report, Shortlist, Task,
    Version, Warning, WarningCode,
};

use super::repository::{findings, judges};
use crate::facts::{Facts, KeptFacts, Linked, has_old_side};
use crate::registry::Catalog;
use crate::scan::{Report as ScanReport, conclude};

/// Scans changed files and reads others, in this process or in others. Clones are equivalent.
pub trait Scanner: Reader + Clone + 'static {
    /// The same for one tenant's files.
    #[must_use]
    fn of_tenant(&self, tenant: &str) -> Self;

    /// Scans a file. Dropping the returned future cancels the work.
    fn scan<'a>(&'a self, file: &'a Chunk<'_>) -> BoxFuture<'a, Result<ScanReport, ScanFailure>>;
}

/// Why a file was not scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScanFailure {
    /// The parser crashed or returned an invalid answer.
    #[error("the parser crashed")]
    Crashed,
    /// It exceeded the time limit.
    #[error("the parser or a rule took too long")]
    TimedOut,
    /// The file is larger than the limit.
    #[error("the file is too large")]
    TooLarge,
    /// No file can be scanned at all.
    #[error("no worker process could be started")]
    Unavailable,
}

/// The rule engine.
#[derive(Clone)]
pub struct RuleEngine<S> {
    scanner: S,
    catalog: &'static Catalog,
}

impl<S: Scanner> RuleEngine<S> {
    /// An engine that scans files with `scanner`, which applies the rules of this catalog.
    pub fn new(scanner: S, catalog: &'static Catalog) -> Self {
        Self { scanner, catalog }
    }
}

impl<S: Scanner> Engine for RuleEngine<S> {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        let changing = task
            .chunks
            .iter()
            .filter(|chunk| has_old_side(chunk))
            .count();
        let mut review = RuleReview {
            catalog: self.catalog,
            scanner: self.scanner.of_tenant(&task.scope.tenant),
            task,
            report,
            slow: Mutex::default(),
            facts: Mutex::new(KeptFacts::new(changing, task.budget.clone())),
            found: Mutex::new(Shortlist::new(task.max_candidates)),
            linked: Mutex::default(),
            held: AtomicUsize::new(0),
            versions: HashMap::new(),
        };
        Box::pin(async move {
            if let Some(project) = review.project() {
                review.versions = project.declared_versions().await;
            }
            review.scan_all().await;
            let around = review.around().await;
            review.conclude(around).await;
        })
    }
}

/// The rules in one review.
struct RuleReview<'a, 'd, S> {
    catalog: &'static Catalog,
    scanner: S,
    task: &'a Task<'a, 'd>,
    report: &'a dyn Report,
    /// Files of which a part timed out. Their other parts are not parsed, so that a deliberately slow file costs others
    /// one timeout, not one per part.
    slow: Mutex<HashSet<usize>>,
    /// The facts of the files.
    facts: Mutex<KeptFacts>,
    /// The findings, by chunk and position in its report. They are reported after all files, because one file's facts may refute
    /// another's finding.
    found: Mutex<Shortlist<(usize, usize)>>,
    /// The links between the changed files and others.
    linked: Mutex<Vec<Linked>>,
    /// The number of findings, without those suppressed by comments. Several findings of a rule on one line count as
    /// one.
    held: AtomicUsize,
    /// The versions of their languages that the projects of the files declare, by the paths of the files.
    versions: HashMap<String, Version>,
}

impl<'d, S: Scanner> RuleReview<'_, 'd, S> {
    /// Scans all chunks, as far as the budget allows. Those with an old side come first, because they determine which
    /// facts of the others matter.
    async fn scan_all(&self) {
        let chunks = self.task.chunks;
        let (mut order, added): (Vec<usize>, Vec<usize>) =
            (0..chunks.len()).partition(|at| chunks.get(*at).is_some_and(has_old_side));
        order.extend(added);
        let scans = order
            .into_iter()
            .filter_map(|at| Some(self.scan_chunk(at, chunks.get(at)?).boxed()));
        let mut scans = stream::iter(scans).buffer_unordered(self.scanner.concurrency().max(1));
        let all = async { while scans.next().await.is_some() {} };
        select(pin!(self.task.budget.wait_for_end()), pin!(all)).await;
    }

    async fn scan_chunk(&self, at: usize, chunk: &Chunk<'_>) {
        self.report.report(Event::Started { chunk: at });
        let (status, steps) = match self.scan(chunk).await {
            Ok(report) => (ChunkStatus::Done, self.take(at, chunk, report)),
            Err(ScanFailure::TooLarge) => {
                let message = "this file is too large to analyse";
                self.warn(
                    Some(at),
                    Warning::file(WarningCode::FileSkippedTooLarge, &chunk.path, message),
                );
                (ChunkStatus::Done, 1)
            }
            Err(reason) => (ChunkStatus::Failed(reason.to_string()), 1),
        };
        if has_old_side(chunk) {
            lock(&self.facts).part_done();
        }
        self.report.report(Event::Ended { chunk: at, status });
        // When the budget is exhausted, the results of this chunk are still kept. The caller, which waits for that,
        // stops the others.
        let _ = self
            .task
            .budget
            .draw_and_yield(u64::try_from(steps).unwrap_or(u64::MAX))
            .await;
    }

    /// A file whose parser failed is still scanned as plain text, so that breaking the parser does not hide a secret.
    async fn scan(&self, chunk: &Chunk<'_>) -> Result<ScanReport, ScanFailure> {
        let is_slow = lock(&self.slow).contains(&chunk.index);
        let scanned = if is_slow {
            Err(ScanFailure::TimedOut)
        } else {
            self.scan_whole(chunk).await
        };
        let reason = match scanned {
            Err(reason @ (ScanFailure::Crashed | ScanFailure::TimedOut)) => reason,
            other => return other,
        };
        if reason == ScanFailure::TimedOut {
            lock(&self.slow).insert(chunk.index);
        }
        let text = Chunk {
            language: None,
            ..chunk.clone()
        };
        let mut report = self.scanner.scan(&text).await.unwrap_or_default();
        let message = format!("{reason}: at most the plain-text rules were applied to this file");
        report.warnings.insert(
            0,
            Warning::file(WarningCode::FileSkippedParserFailed, &chunk.path, message),
        );
        Ok(report)
    }

    /// Scans the whole file if it is known, and otherwise the hunks. Also scans the hunks if the parser crashes on the
    /// whole file.
    async fn scan_whole(&self, chunk: &Chunk<'_>) -> Result<ScanReport, ScanFailure> {
        let mut scanned = chunk.widened();
        let is_widened = matches!(scanned, Cow::Owned(_));
        if let Some(version) = self.versions.get(chunk.path.as_ref()) {
            scanned.to_mut().version = Some(*version);
        }
        if !is_widened {
            return self.scanner.scan(&scanned).await;
        }
        match self.scanner.scan(&scanned).await {
            Ok(mut report) => {
                let lines = chunk.hunks.iter().flat_map(|hunk| hunk.lines.iter());
                let shown: HashSet<_> = lines
                    .filter_map(|line| Some((line.side(), line.number()?)))
                    .collect();
                report
                    .candidates
                    .retain(|found| shown.contains(&(found.side, found.line)));
                Ok(report)
            }
            Err(ScanFailure::Crashed | ScanFailure::TooLarge) => self.scanner.scan(chunk).await,
            Err(other) => Err(other),
        }
    }

    /// The repository around the change, if it is at hand.
    fn project(&self) -> Option<Project<'_, 'd>> {
        Some(Project {
            task: self.task,
            repository: self.task.repository?,
            reader: &self.scanner,
            report: self.report,
        })
    }

    /// The findings that other files of the repository show.
    async fn around(&self) -> Vec<Candidate> {
        let Some(project) = self.project() else {
            return Vec::new();
        };
        let mut linked = std::mem::take(&mut *lock(&self.linked));
        linked.sort_by_key(|own| own.links.file);
        let (settings, links): (Vec<Facts>, Vec<Links>) = linked
            .into_iter()
            .map(|own| (own.settings, own.links))
            .unzip();
        let rulings = impact::compare(&project, &links, &judges(self.catalog)).await;
        let (found, warnings) = findings(self.catalog, &settings, rulings);
        warnings
            .into_iter()
            .for_each(|warning| self.warn(None, warning));
        found
    }

    /// Keeps a scan's results until all files are scanned, and returns their number.
    fn take(&self, at: usize, chunk: &Chunk<'_>, report: ScanReport) -> usize {
        let count = 1 + report.candidates.len() + report.warnings.len();
        report
            .warnings
            .into_iter()
            .for_each(|warning| self.warn(Some(at), warning));
        self.hold(&report.candidates);
        let mut found = lock(&self.found);
        report
            .candidates
            .into_iter()
            .enumerate()
            .for_each(|(index, candidate)| found.add((at, index), candidate));
        drop(found);
        self.learn(at, chunk, report.facts);
        count
    }

    /// Counts a scan's findings for the progress.
    fn hold(&self, candidates: &[Candidate]) {
        let open = candidates
            .iter()
            .filter(|candidate| candidate.suppression.is_none());
        let places: HashSet<_> = open
            .map(|one| (one.file, one.side, one.line, one.rule_id()))
            .collect();
        let before = self.held.fetch_add(places.len(), Ordering::Relaxed);
        self.report.report(Event::Held(before + places.len()));
    }

    /// Keeps a file's facts for the cross-file analysis. If the budget has no memory for them, a warning says so.
    fn learn(&self, at: usize, chunk: &Chunk<'_>, mut facts: Facts) {
        let linked = Linked::take(chunk, &mut facts).filter(|_| self.task.repository.is_some());
        lock(&self.linked).extend(linked);
        if let Err(why) = lock(&self.facts).add(at, facts) {
            let message = format!("the other files were not compared with this one: {why}");
            self.warn(
                Some(at),
                Warning::file(WarningCode::FilePartlyAnalyzed, &chunk.path, message),
            );
        }
    }

    /// Reports the combined results. Facts contain no code to parse, so this runs in this process.
    async fn conclude(self, around: Vec<Candidate>) {
        let (facts, _held) = self
            .facts
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let mut found = self
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let candidates = found
            .take()
            .into_iter()
            .map(|(_, candidate)| candidate)
            .collect();
        let conclusion = conclude(self.catalog, facts, candidates, self.task.answer).await;
        let test_files: HashSet<usize> = self
            .task
            .chunks
            .iter()
            .filter(|chunk| chunk.is_test)
            .map(|chunk| chunk.index)
            .collect();
        self.report.report(Event::Held(0));
        for mut candidate in conclusion.candidates.into_iter().chain(around) {
            if test_files.contains(&candidate.file) {
                candidate.lower_in_test_code();
            }
            self.report.report(Event::Found(candidate));
        }
        for warning in conclusion.warnings {
            self.report.report(Event::Warned {
                chunk: None,
                warning,
            });
        }
        let cut = conclusion.cut + found.cut();
        self.report
            .report(Event::Dropped(Dropped::unnamed(DropCause::Limit, cut)));
    }

    fn warn(&self, chunk: Option<usize>, warning: Warning) {
        self.report.report(Event::Warned { chunk, warning });
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
