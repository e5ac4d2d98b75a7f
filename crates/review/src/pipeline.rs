//! One review: plan, run the engines one after the other, let each conclude, anchor, merge.

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{BoxFuture, Either, FutureExt as _, select};
use futures_util::stream::{self, StreamExt};

use crate::anchor::Anchor;
use crate::chunk::{Budget, Chunk, plan};
use crate::diff::Diff;
use crate::engine::{Candidate, Engine, Outcome, OutcomeStatus, Scope, TokenUsage};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::language::Language;
use crate::merge::merge;
use crate::warning::{Warning, WarningCode};

/// What a caller may choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Findings in one answer at most; what is beyond is cut with a warning.
    pub max_findings: usize,
    /// Findings below this confidence (0 to 1) are not wanted.
    pub min_confidence: f32,
    /// How large chunks and lines may be.
    pub budget: Budget,
    /// For whom the review is.
    pub scope: Scope,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_findings: 500, min_confidence: 0.0, budget: Budget::default(), scope: Scope::default() }
    }
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// One per defect, the most important first.
    pub findings: Vec<Finding>,
    /// What was left out or could not be done.
    pub warnings: Vec<Warning>,
    /// Chunks that at least one engine analysed.
    pub chunks_analyzed: usize,
    /// Language-model tokens used.
    pub usage: TokenUsage,
    /// Names of the engines that ran.
    pub engines: Vec<&'static str>,
    /// The language model, if one ran.
    pub model: Option<String>,
}

/// How far a review is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks finished, counted once per engine.
    pub chunks_done: usize,
    /// Chunks in all, counted once per engine.
    pub chunks_total: usize,
    /// Candidates so far, before anchoring and merging.
    pub findings: usize,
}

/// Why there is no review at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// An engine failed on every chunk.
    #[error("the analysis failed on every part of the diff")]
    Failed,
    /// An engine finished no chunk in time.
    #[error("the analysis did not complete in the time allowed")]
    TimedOut,
}

/// Reviews a diff.
///
/// `deadline` completes when time is up: what is finished by then is returned, with a warning for what is not.
/// Dropping the returned future cancels everything.
///
/// # Errors
/// When one of the engines finished none of its chunks: an empty answer would look clean.
pub async fn review(
    diff: &Diff<'_>,
    target_language: Option<Language>,
    engines: &[Arc<dyn Engine>],
    options: &Options,
    deadline: impl Future<Output = ()> + Send,
    observe: &mut (dyn FnMut(Progress) + Send),
) -> Result<Review, Failure> {
    let plan = plan(diff, target_language, &options.budget);
    let of_review = |engine: &Arc<dyn Engine>| engine.for_review(&options.scope).unwrap_or_else(|| Arc::clone(engine));
    let engines: Vec<Arc<dyn Engine>> = engines.iter().map(of_review).collect();
    let mut tally = Tally::new(engines.len(), plan.chunks.len(), plan.warnings);
    run(&engines, &plan.chunks, deadline, &mut tally, observe).await;
    tally.settle(&plan.chunks)?;
    tally.conclude(&engines);
    Ok(tally.into_review(diff, &engines, options))
}

/// Runs the engines one after the other, each on every chunk and within its own concurrency, until all is done or time is
/// up. The quick one is first, so that the thorough one knows what was found already.
async fn run(
    engines: &[Arc<dyn Engine>],
    chunks: &[Chunk<'_>],
    deadline: impl Future<Output = ()> + Send,
    tally: &mut Tally,
    observe: &mut (dyn FnMut(Progress) + Send),
) {
    let mut deadline = pin!(deadline);
    for (at, engine) in engines.iter().enumerate() {
        tally.warnings.extend(engine.prepare(chunks));
        let hints = tally.hints();
        let jobs = chunks.iter().zip(&hints).enumerate();
        let jobs: Vec<BoxFuture<'_, (usize, Outcome)>> = jobs
            .map(|(index, (chunk, hints))| async move { (index, engine.analyse(chunk, hints).await) }.boxed())
            .collect();
        let mut outcomes = stream::iter(jobs).buffer_unordered(engine.concurrency().max(1));
        let in_time = loop {
            match select(outcomes.next(), deadline.as_mut()).await {
                Either::Left((Some((chunk, outcome)), _)) => {
                    tally.add(at, chunk, outcome);
                    observe(tally.progress());
                }
                Either::Left((None, _)) => break true,
                Either::Right(_) => break false,
            }
        };
        tally.drop_refuted();
        if !in_time {
            return;
        }
    }
}

/// What came back so far.
struct Tally {
    /// Per engine and chunk; `None` where no outcome came.
    statuses: Vec<Vec<Option<OutcomeStatus>>>,
    /// With the chunk that each came from, so that the result does not depend on who was faster.
    candidates: Vec<(usize, usize, Candidate)>,
    warnings: Vec<Warning>,
    chunk_warnings: Vec<(usize, usize, Warning)>,
    facts: Vec<(usize, usize, Facts)>,
    /// Candidates that a later engine refuted: chunk and index in [`Tally::hints`].
    refuted: Vec<(usize, usize)>,
    unplaced: usize,
    usage: TokenUsage,
}

impl Tally {
    fn new(engines: usize, chunks: usize, warnings: Vec<Warning>) -> Self {
        Self {
            statuses: vec![vec![None; chunks]; engines],
            candidates: Vec::new(),
            warnings,
            chunk_warnings: Vec::new(),
            facts: Vec::new(),
            refuted: Vec::new(),
            unplaced: 0,
            usage: TokenUsage::default(),
        }
    }

    fn add(&mut self, engine: usize, chunk: usize, outcome: Outcome) {
        self.statuses[engine][chunk] = Some(outcome.status);
        self.candidates.extend(outcome.candidates.into_iter().map(|candidate| (engine, chunk, candidate)));
        self.chunk_warnings.extend(outcome.warnings.into_iter().map(|warning| (engine, chunk, warning)));
        self.facts.extend(outcome.facts.into_iter().map(|facts| (engine, chunk, facts)));
        self.refuted.extend(outcome.refuted.into_iter().map(|hint| (chunk, hint)));
        self.unplaced += outcome.unplaced;
        self.usage += outcome.usage;
    }

    /// What is believed so far, by chunk.
    fn hints(&mut self) -> Vec<Vec<Candidate>> {
        self.candidates.sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        let chunks = self.statuses.first().map_or(0, Vec::len);
        let mut hints = vec![Vec::new(); chunks];
        for (_, chunk, candidate) in &self.candidates {
            hints[*chunk].push(candidate.clone());
        }
        hints
    }

    /// Takes out what an engine refuted of the hints that it had.
    fn drop_refuted(&mut self) {
        let refuted: HashSet<(usize, usize)> = std::mem::take(&mut self.refuted).into_iter().collect();
        if refuted.is_empty() {
            return;
        }
        self.candidates.sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        let mut seen = vec![0; self.statuses.first().map_or(0, Vec::len)];
        self.candidates.retain(|(_, chunk, _)| {
            let index = seen[*chunk];
            seen[*chunk] += 1;
            !refuted.contains(&(*chunk, index))
        });
    }

    fn progress(&self) -> Progress {
        let all = self.statuses.iter().flatten();
        Progress {
            chunks_done: all.clone().filter(|status| status.is_some()).count(),
            chunks_total: all.count(),
            findings: self.candidates.len(),
        }
    }

    /// Says what was not finished, and fails when an engine finished nothing.
    fn settle(&mut self, chunks: &[Chunk<'_>]) -> Result<(), Failure> {
        for statuses in &self.statuses {
            let done = statuses.contains(&Some(OutcomeStatus::Done));
            if !done && !statuses.is_empty() {
                let failed = statuses.contains(&Some(OutcomeStatus::Failed));
                return Err(if failed { Failure::Failed } else { Failure::TimedOut });
            }
        }
        for (engine, statuses) in self.statuses.iter().enumerate() {
            for (at, (status, chunk)) in statuses.iter().zip(chunks).enumerate() {
                let (code, message) = match status {
                    Some(OutcomeStatus::Done) => continue,
                    Some(OutcomeStatus::Failed) => (WarningCode::ChunkFailed, "the analysis of this part failed"),
                    Some(OutcomeStatus::TimedOut) | None => {
                        (WarningCode::ChunkTimedOut, "the analysis of this part did not finish in time")
                    }
                };
                let warnings = chunk.files.iter().map(|file| (engine, at, Warning::file(code, &file.path, message)));
                self.chunk_warnings.extend(warnings);
            }
        }
        Ok(())
    }

    /// Brings what came back into the order of the diff, and lets each engine look at all of its own together.
    fn conclude(&mut self, engines: &[Arc<dyn Engine>]) {
        self.candidates.sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        self.chunk_warnings.sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        self.facts.sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        let mut facts = vec![Vec::new(); engines.len()];
        for (engine, _, fact) in std::mem::take(&mut self.facts) {
            facts[engine].push(fact);
        }
        let mut candidates = vec![Vec::new(); engines.len()];
        for (engine, _, candidate) in std::mem::take(&mut self.candidates) {
            candidates[engine].push(candidate);
        }
        for (at, ((engine, facts), candidates)) in engines.iter().zip(facts).zip(candidates).enumerate() {
            let conclusion = engine.conclude(facts, candidates);
            self.candidates.extend(conclusion.candidates.into_iter().map(|candidate| (at, usize::MAX, candidate)));
            self.chunk_warnings.extend(conclusion.warnings.into_iter().map(|warning| (at, usize::MAX, warning)));
        }
    }

    fn into_review(self, diff: &Diff<'_>, engines: &[Arc<dyn Engine>], options: &Options) -> Review {
        let per_chunk = |chunk: usize| self.statuses.iter().any(|s| s.get(chunk) == Some(&Some(OutcomeStatus::Done)));
        let chunks_analyzed = (0..self.statuses.first().map_or(0, Vec::len)).filter(|chunk| per_chunk(*chunk)).count();
        let mut warnings = self.warnings;
        for (_, _, warning) in self.chunk_warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let wanted = self.candidates.into_iter().map(|(_, _, c)| c).filter(|c| c.confidence >= options.min_confidence);
        let mut anchor = Anchor::new(diff);
        let placed: Vec<Option<Finding>> = wanted.map(|candidate| anchor.anchor(candidate)).collect();
        let lost = self.unplaced + placed.iter().filter(|finding| finding.is_none()).count();
        if lost > 0 {
            let message = format!("{lost} findings could not be placed on a line of the diff and were left out");
            warnings.push(Warning::review(WarningCode::FindingsUnanchored, message));
        }
        let (findings, cut) = merge(placed.into_iter().flatten().collect(), options.max_findings);
        warnings.extend(cut);
        Review {
            findings,
            warnings,
            chunks_analyzed,
            usage: self.usage,
            engines: engines.iter().map(|engine| engine.name()).collect(),
            model: engines.iter().find_map(|engine| engine.model().map(str::to_owned)),
        }
    }
}
