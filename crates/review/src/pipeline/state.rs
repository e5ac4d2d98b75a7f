//! What came back so far.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::{Failure, Options, Progress, Review};
use super::parts::Parts;
use crate::budget::{Budget, Spent};
use crate::candidate::Candidate;
use crate::engine::{Engine, Outcome, OutcomeStatus, Run, TokenUsage};
use crate::finding::Finding;
use crate::shortlist::Shortlist;
use crate::warning::{Warning, WarningCode};

/// Candidates that are kept for each finding that may be returned: some are refuted, moved or united yet.
const SPARE: usize = 8;

/// Where something came from, so that the result does not depend on who was faster: engine, chunk, and its index in the
/// outcome.
type Arrival = (usize, usize, usize);

pub(super) struct ReviewState {
    /// Per engine and part; `None` where no outcome came.
    statuses: Vec<Vec<Option<OutcomeStatus>>>,
    /// Per engine and part: the index of its chunk.
    chunks: Vec<Vec<usize>>,
    done: usize,
    candidates: Shortlist<Arrival>,
    warnings: Vec<Warning>,
    /// With the engine and the part that they are of: in the answer they are in the order of the diff, whichever came first.
    of_parts: Vec<(usize, usize, Warning)>,
    /// Candidates that a later engine refuted: part and index in its hints.
    refuted: HashSet<(usize, usize)>,
    unanchored: usize,
    cut: usize,
    usage: TokenUsage,
}

/// What is believed of each part before an engine looks at it.
pub(super) struct Hints {
    lists: Vec<Vec<Candidate>>,
    /// Where each came from.
    arrivals: Vec<Vec<Arrival>>,
}

impl Hints {
    pub(super) fn lists(&self) -> &[Vec<Candidate>] {
        &self.lists
    }
}

impl ReviewState {
    pub(super) fn new(warnings: Vec<Warning>, options: &Options) -> Self {
        Self {
            statuses: Vec::new(),
            chunks: Vec::new(),
            done: 0,
            candidates: Shortlist::new(options.max_findings.saturating_mul(SPARE)),
            warnings,
            of_parts: Vec::new(),
            refuted: HashSet::new(),
            unanchored: 0,
            cut: 0,
            usage: TokenUsage::default(),
        }
    }

    /// The next engine looks at these parts.
    pub(super) fn expect(&mut self, parts: &Parts<'_>) {
        self.statuses.push(vec![None; parts.list().len()]);
        self.chunks.push(parts.list().iter().map(|part| part.index).collect());
    }

    /// How many could not be placed on a line of the diff.
    pub(super) fn lose(&mut self, count: usize) {
        self.unanchored += count;
    }

    /// How many of lower rank were left out.
    pub(super) fn cut(&mut self, count: usize) {
        self.cut += count;
    }

    /// Takes the outcome of a part.
    pub(super) async fn add(&mut self, engine: usize, part: usize, outcome: Outcome, budget: &Budget) {
        let chunk = self.chunks.get(engine).and_then(|chunks| chunks.get(part)).copied().unwrap_or_default();
        if let Some(status) = self.statuses.get_mut(engine).and_then(|statuses| statuses.get_mut(part)) {
            self.done += usize::from(status.is_none());
            *status = Some(outcome.status);
        }
        let count = 1 + outcome.candidates.len() + outcome.warnings.len();
        for (index, candidate) in outcome.candidates.into_iter().enumerate() {
            self.candidates.add((engine, chunk, index), candidate);
        }
        self.of_parts.extend(outcome.warnings.into_iter().map(|warning| (engine, part, warning)));
        self.refuted.extend(outcome.refuted.into_iter().map(|hint| (part, hint)));
        self.unanchored += outcome.unanchored;
        self.usage += outcome.usage;
        // Where it ends, what came is kept all the same; the caller of this looks at the end.
        let _ = budget.turn(u64::try_from(count).unwrap_or(u64::MAX)).await;
    }

    /// What is believed so far, by part.
    pub(super) fn hints(&mut self, parts: &Parts<'_>) -> Hints {
        let count = parts.list().len();
        let mut hints = Hints { lists: vec![Vec::new(); count], arrivals: vec![Vec::new(); count] };
        for (arrival, candidate) in self.candidates.take() {
            // An engine speaks of the files that it was given; what it says of others is no hint, and is lost below.
            let part = parts.find(arrival.1, candidate.file);
            let lists = part.and_then(|at| Some((hints.lists.get_mut(at)?, hints.arrivals.get_mut(at)?)));
            match lists {
                Some((list, arrivals)) => {
                    list.push(candidate);
                    arrivals.push(arrival);
                }
                None => self.unanchored += 1,
            }
        }
        hints
    }

    /// Takes the hints back, but for those that the engine refuted.
    pub(super) fn believe(&mut self, hints: Hints) {
        let refuted = std::mem::take(&mut self.refuted);
        for (part, (list, arrivals)) in hints.lists.into_iter().zip(hints.arrivals).enumerate() {
            for (index, (candidate, arrival)) in list.into_iter().zip(arrivals).enumerate() {
                if !refuted.contains(&(part, index)) {
                    self.candidates.add(arrival, candidate);
                }
            }
        }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress {
            chunks_done: self.done,
            chunks_total: self.statuses.iter().map(Vec::len).sum(),
            findings: self.candidates.len() + self.candidates.cut(),
        }
    }

    /// Says what was not finished, and fails when an engine finished nothing.
    pub(super) fn check_completion(&mut self, parts: &[Parts<'_>], ended: Option<Spent>) -> Result<(), Failure> {
        for statuses in &self.statuses {
            let done = statuses.contains(&Some(OutcomeStatus::Done));
            if !done && !statuses.is_empty() {
                let failed = statuses.contains(&Some(OutcomeStatus::Failed));
                let spent = matches!(ended, Some(Spent::Steps | Spent::Bytes)) && statuses.contains(&None);
                return Err(if failed || spent { Failure::Failed } else { Failure::TimedOut });
            }
        }
        for (engine, (statuses, parts)) in self.statuses.iter().zip(parts).enumerate() {
            for (at, (status, part)) in statuses.iter().zip(parts.list()).enumerate() {
                let Some((code, message)) = unfinished(*status, ended) else { continue };
                let files = part.chunk.files.iter();
                let warnings = files.map(|file| (engine, at, Warning::file(code, &file.path, message.clone())));
                self.of_parts.extend(warnings);
            }
        }
        Ok(())
    }

    /// Lets each run look at all of its own candidates together, in the order of the diff.
    pub(super) async fn finish(&mut self, runs: &[Box<dyn Run>], budget: &Budget) {
        let mut candidates: Vec<Vec<Candidate>> = runs.iter().map(|_| Vec::new()).collect();
        for ((engine, ..), candidate) in self.candidates.take() {
            if let Some(list) = candidates.get_mut(engine) {
                list.push(candidate);
            }
        }
        for (at, (run, candidates)) in runs.iter().zip(candidates).enumerate() {
            let conclusion = run.finish(candidates, budget).await;
            for (index, candidate) in conclusion.candidates.into_iter().enumerate() {
                self.candidates.add((at, usize::MAX, index), candidate);
            }
            self.of_parts.extend(conclusion.warnings.into_iter().map(|warning| (at, usize::MAX, warning)));
            self.cut += conclusion.cut;
        }
    }

    /// What is believed in the end, the most important first.
    pub(super) fn take_candidates(&mut self) -> Vec<Candidate> {
        self.candidates.take_ranked()
    }

    pub(super) fn into_review(
        mut self,
        findings: Vec<Finding>,
        engines: &[Arc<dyn Engine>],
        options: &Options,
    ) -> Review {
        self.of_parts.sort_by_key(|(engine, part, _)| (*engine, *part));
        let mut known: HashSet<Warning> = self.warnings.iter().cloned().collect();
        let of_parts = std::mem::take(&mut self.of_parts).into_iter().map(|(.., warning)| warning);
        self.warnings.extend(of_parts.filter(|warning| known.insert(warning.clone())));
        if self.unanchored > 0 {
            let message =
                format!("{} findings could not be placed on a line of the diff and were left out", self.unanchored);
            self.warnings.push(Warning::review(WarningCode::FindingsUnanchored, message));
        }
        let cut = self.cut + self.candidates.cut();
        if cut > 0 {
            let limit = options.max_findings;
            let message = format!("{cut} more findings of lower rank were left out: a review returns at most {limit}");
            self.warnings.push(Warning::review(WarningCode::FindingsTruncated, message));
        }
        Review {
            findings,
            chunks_analyzed: self.chunks_analyzed(),
            warnings: self.warnings,
            usage: self.usage,
            engines: engines.iter().map(|engine| engine.name()).collect(),
            model: engines.iter().find_map(|engine| engine.model().map(str::to_owned)),
        }
    }

    /// Chunks of which at least one engine analysed something.
    fn chunks_analyzed(&self) -> usize {
        let pairs = self.statuses.iter().zip(&self.chunks).flat_map(|(statuses, chunks)| statuses.iter().zip(chunks));
        let done = pairs.filter(|(status, _)| **status == Some(OutcomeStatus::Done)).map(|(_, chunk)| *chunk);
        done.collect::<HashSet<usize>>().len()
    }
}

/// What is said of a part that is not done.
fn unfinished(status: Option<OutcomeStatus>, ended: Option<Spent>) -> Option<(WarningCode, String)> {
    let late = (WarningCode::ChunkTimedOut, "the analysis of this part did not finish in time".to_owned());
    match (status, ended) {
        (Some(OutcomeStatus::Done), _) => None,
        (Some(OutcomeStatus::Failed), _) => {
            Some((WarningCode::ChunkFailed, "the analysis of this part failed".to_owned()))
        }
        (None, Some(why @ (Spent::Steps | Spent::Bytes))) => {
            Some((WarningCode::ChunkFailed, format!("this part was not analysed: {why}")))
        }
        (Some(OutcomeStatus::TimedOut) | None, _) => Some(late),
    }
}
