//! The rules as an engine of the pipeline, independent of where files are scanned.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, Either, FutureExt as _, select};
use futures_util::stream::{self, StreamExt as _};
use review::repository::{MANY_FILES, Mentions, Refusal, Repository};
use review::{
    Asked, Candidate, Chunk, ChunkStatus, DropCause, Dropped, Engine, Event, Report, Shortlist,
    Task, Warning, WarningCode,
};

use super::absent::{self, Absent};
use super::by_name::{AroundFile, FilesAround};
use super::impact;
use super::lost::LostNames;
use super::wanted::{self, Wanted};
use crate::facts::{Facts, KeptFacts, Links, Surrounding, has_old_side};
use crate::registry::Catalog;
use crate::scan::{Report as ScanReport, conclude};

/// Scans files, in this process or in others. Clones are equivalent.
pub trait Scanner: Clone + Send + Sync + 'static {
    /// The maximum number of files of one review that it scans concurrently.
    fn concurrency(&self) -> usize;

    /// The same limit for one tenant's files.
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
        let review = RuleReview {
            catalog: self.catalog,
            scanner: self.scanner.of_tenant(&task.scope.tenant),
            task,
            report,
            slow: Mutex::default(),
            facts: Mutex::new(KeptFacts::new(changing, task.budget.clone())),
            found: Mutex::new(Shortlist::new(task.max_candidates)),
            links: Mutex::default(),
            held: AtomicUsize::new(0),
        };
        Box::pin(async move {
            review.scan_all().await;
            let links = review.links();
            let mut around = review.impact(&links).await;
            around.extend(review.imports(&links).await);
            around.extend(review.members(&links).await);
            around.extend(review.lost(&links).await);
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
    links: Mutex<Vec<Links>>,
    /// The number of findings, without those suppressed by comments. Several findings of a rule on one line count as
    /// one.
    held: AtomicUsize,
}

impl<S: Scanner> RuleReview<'_, '_, S> {
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
        let Cow::Owned(whole) = chunk.widened() else {
            return self.scanner.scan(chunk).await;
        };
        match self.scanner.scan(&whole).await {
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

    /// The links between the changed files and others, in diff order.
    fn links(&self) -> Vec<Links> {
        let mut links = std::mem::take(&mut *lock(&self.links));
        links.sort_by_key(|own| own.file);
        links
    }

    /// Finds breaks in files that the change does not touch. These files are searched for and scanned only if the
    /// change breaks something for them. A failure is at most a warning.
    async fn impact(&self, changed: &[Links]) -> Vec<Candidate> {
        let Some((repository, (search, mut is_cut))) =
            self.task.repository.zip(impact::search(changed))
        else {
            return Vec::new();
        };
        let found = match select(
            pin!(self.task.budget.wait_for_end()),
            repository.mentions(&search),
        )
        .await
        {
            Either::Left(_) => return Vec::new(),
            Either::Right((found, _)) => found,
        };
        let mentions = match found {
            Ok(mentions) => mentions,
            Err(refusal) => {
                self.warn_of_impact(&format!("could not be searched: {refusal}"));
                return Vec::new();
            }
        };
        is_cut |= mentions.is_cut;
        if mentions.is_limited {
            self.warn_of_impact(&format!(
                "were searched only in the folders near the change: the repository has more than {MANY_FILES} files"
            ));
        }
        let (around, is_all) = self.scan_around(&mentions).await;
        is_cut |= !is_all;
        if is_cut {
            self.warn_of_impact(
                "were not all searched: there are too many, or some could not be read",
            );
        }
        let (found, warnings) = impact::conclude(self.catalog, changed, &around, &mentions.paths);
        warnings
            .into_iter()
            .for_each(|warning| self.warn(None, warning));
        found
    }

    /// Finds references in other files to files and keys that the change removes. A failure is at most a warning.
    async fn lost(&self, changed: &[Links]) -> Vec<Candidate> {
        let lost = LostNames::new(changed, self.task.files, self.task.chunks);
        let Some((repository, search)) = self.task.repository.zip(lost.search()) else {
            return Vec::new();
        };
        let mentions = repository.mentions(&search);
        match select(pin!(self.task.budget.wait_for_end()), mentions).await {
            Either::Left(_) => Vec::new(),
            Either::Right((Ok(mentions), _)) => {
                if mentions.is_limited || mentions.is_cut {
                    let message = "References to removed files and names were not all searched: there are too many files.";
                    let warning = Warning::review(WarningCode::FilePartlyAnalyzed, message);
                    self.warn(None, warning);
                }
                let (found, warnings) = lost.conclude(self.catalog, &mentions);
                warnings
                    .into_iter()
                    .for_each(|warning| self.warn(None, warning));
                found
            }
            Either::Right((Err(refusal), _)) => {
                self.warn_of_impact(&format!("could not be searched: {refusal}"));
                Vec::new()
            }
        }
    }

    /// Finds imports that the change makes from other files of the repository and that do not exist there.
    async fn imports(&self, changed: &[Links]) -> Vec<Candidate> {
        let extensions = wanted::extensions(changed);
        let Some(repository) = self.task.repository.filter(|_| !extensions.is_empty()) else {
            return Vec::new();
        };
        let found = self.imports_of(repository, changed, &extensions);
        match select(pin!(self.task.budget.wait_for_end()), pin!(found)).await {
            Either::Left(_) => Vec::new(),
            Either::Right((Ok(found), _)) => found,
            Either::Right((Err(refusal), _)) => {
                self.warn_of_imports(&format!("could not be read: {refusal}"));
                Vec::new()
            }
        }
    }

    async fn imports_of(
        &self,
        repository: &dyn Repository,
        changed: &[Links],
        extensions: &[&'static str],
    ) -> Result<Vec<Candidate>, Refusal> {
        let listing = repository.list(extensions).await?;
        let wanted = Wanted::new(changed, &listing);
        let missing = wanted.missing();
        let ignored = if missing.is_empty() {
            BTreeSet::new()
        } else {
            repository.ignored(&missing).await?
        };
        let files: Vec<(&str, Vec<String>)> = wanted.files().collect();
        let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let texts = if paths.is_empty() {
            BTreeMap::new()
        } else {
            repository.read(&paths).await?
        };
        let chunks: Vec<Chunk<'_>> = files
            .into_iter()
            .filter_map(|(path, names)| {
                let text = texts.get(path)?;
                Some(Chunk::of_surroundings(path, text, Asked::Offers(names)))
            })
            .collect();
        let mut offers = BTreeMap::new();
        for (at, surrounding) in self.scan_surroundings(&chunks).await {
            let offer = surrounding.and_then(|own| own.offer);
            offers.extend(
                chunks
                    .get(at)
                    .and_then(|chunk| Some((chunk.path.to_string(), offer?))),
            );
        }
        if wanted.is_cut {
            self.warn_of_imports("were not all read: there are too many");
        }
        let (found, warnings) = wanted.conclude(self.catalog, changed, &offers, &ignored);
        warnings
            .into_iter()
            .for_each(|warning| self.warn(None, warning));
        Ok(found)
    }

    /// Finds members that the change calls and that the types of other files do not have. A failure is at most a
    /// warning.
    async fn members(&self, changed: &[Links]) -> Vec<Candidate> {
        let extensions = absent::extensions(changed);
        let Some(repository) = self.task.repository.filter(|_| !extensions.is_empty()) else {
            return Vec::new();
        };
        let found = self.members_of(repository, changed, &extensions);
        match select(pin!(self.task.budget.wait_for_end()), pin!(found)).await {
            Either::Left(_) => Vec::new(),
            Either::Right((Ok(found), _)) => found,
            Either::Right((Err(refusal), _)) => {
                self.warn_of_imports(&format!("could not be read: {refusal}"));
                Vec::new()
            }
        }
    }

    async fn members_of(
        &self,
        repository: &dyn Repository,
        changed: &[Links],
        extensions: &[&'static str],
    ) -> Result<Vec<Candidate>, Refusal> {
        let listing = repository.list(extensions).await?;
        if !listing.is_complete {
            return Ok(Vec::new());
        }
        let mut absent = Absent::new(changed, &listing);
        for _ in 0..absent::ROUNDS {
            let needed = absent.needed();
            if needed.is_empty() {
                break;
            }
            let texts = repository.read(&needed).await?;
            let chunks: Vec<Chunk<'_>> = texts
                .iter()
                .filter(|(path, _)| !absent::is_text(path))
                .map(|(path, text)| Chunk::of_surroundings(path, text, Asked::Types))
                .collect();
            let mut surfaces = BTreeMap::new();
            for (at, surrounding) in self.scan_surroundings(&chunks).await {
                let surface = surrounding.and_then(|own| own.surface);
                surfaces.extend(
                    chunks
                        .get(at)
                        .and_then(|chunk| Some((chunk.path.to_string(), surface?))),
                );
            }
            for path in &needed {
                let text = texts.get(path).cloned();
                absent.learn(path, text.map(|text| (text, surfaces.remove(path))));
            }
        }
        let Some(search) = absent.search() else {
            return Ok(Vec::new());
        };
        let mentions = repository.mentions(&search).await?;
        let (found, warnings) = absent.conclude(self.catalog, &mentions);
        warnings
            .into_iter()
            .for_each(|warning| self.warn(None, warning));
        Ok(found)
    }

    fn warn_of_imports(&self, problem: &str) {
        let message = format!("The files that this change imports from {problem}.");
        self.warn(
            None,
            Warning::review(WarningCode::FilePartlyAnalyzed, message),
        );
    }

    /// The facts of the files outside the change, and whether all of them could be scanned.
    async fn scan_around<'m>(&self, mentions: &'m Mentions) -> (FilesAround<'m>, bool) {
        let files = mentions.files.iter();
        let chunks: Vec<Chunk<'m>> = files
            .map(|file| {
                Chunk::of_surroundings(&file.path, &file.text, Asked::Uses(file.names.clone()))
            })
            .collect();
        let mut around = FilesAround::new();
        let mut count = 0;
        for (at, surrounding) in self.scan_surroundings(&chunks).await {
            let Some((file, surrounding)) = mentions.files.get(at).zip(surrounding) else {
                continue;
            };
            count += 1;
            let text = file.text.as_str();
            around.insert(&file.path, AroundFile { text, surrounding });
        }
        (around, count == chunks.len())
    }

    /// The facts of files outside the change, by position, until the budget is exhausted; `None` for those that could
    /// not be scanned.
    async fn scan_surroundings(&self, chunks: &[Chunk<'_>]) -> Vec<(usize, Option<Surrounding>)> {
        let scans =
            (0..chunks.len()).filter_map(|at| Some(self.surrounding(at, chunks.get(at)?).boxed()));
        let mut scans = stream::iter(scans).buffer_unordered(self.scanner.concurrency().max(1));
        let mut found = Vec::new();
        while let Either::Right((Some(one), _)) =
            select(pin!(self.task.budget.wait_for_end()), scans.next()).await
        {
            found.push(one);
        }
        found
    }

    /// The facts of a file outside the change; `None` if it could not be scanned.
    async fn surrounding(&self, at: usize, chunk: &Chunk<'_>) -> (usize, Option<Surrounding>) {
        let scanned = self.scanner.scan(chunk).await.ok();
        let has_budget = self.task.budget.draw_and_yield(1).await.is_ok();
        let facts = scanned
            .map(|report| report.facts)
            .filter(|facts| has_budget && !facts.cut);
        (at, facts.map(|facts| facts.surrounding))
    }

    fn warn_of_impact(&self, problem: &str) {
        let message = format!("Other files that use changed or removed definitions {problem}.");
        self.warn(
            None,
            Warning::review(WarningCode::FilePartlyAnalyzed, message),
        );
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
        let links = Links::take(&mut facts).filter(|_| self.task.repository.is_some());
        lock(&self.links).extend(links);
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
