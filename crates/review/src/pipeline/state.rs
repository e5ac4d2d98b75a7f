//! The state of a running review.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::outcome::{Failure, Options, Progress, Review};
use crate::budget::Spent;
use crate::candidate::Candidate;
use crate::chunk::{Chunk, Plan};
use crate::engine::{ChunkStatus, DropCause, Dropped, DroppedFinding, Engine, Event, TokenUsage};
use crate::finding::Finding;
use crate::model_use::ModelUse;
use crate::opinion::Opinion;
use crate::shortlist::Shortlist;
use crate::warning::{MODEL_FAILED, Warning, WarningCode};

/// Maximum number of dropped findings that are kept in detail.
const DROPPED_NAMED: usize = 200;

/// Engine index and number of earlier candidates; identifies a candidate within a review.
pub(super) type Tag = (usize, usize);

pub(super) struct ReviewState {
    /// By engine and chunk; `None` if no status was reported.
    statuses: Vec<Vec<Option<ChunkStatus>>>,
    ended: usize,
    candidates: Shortlist<Tag>,
    /// Findings that are suppressed by comments.
    suppressed: Shortlist<Tag>,
    reported: usize,
    /// Candidates that the running engine has not reported yet.
    held: usize,
    /// Number of findings of earlier engines, omission candidates the running engine is reading.
    earlier: usize,
    max_findings: usize,
    warnings: Vec<Warning>,
    /// Each with the engine and the chunk that it concerns, because the answer lists them in diff order.
    of_chunks: Vec<(usize, usize, Warning)>,
    dropped: BTreeMap<DropCause, Dropped>,
    /// The running engine's opinions on the findings of earlier engines, by their index.
    opinions: BTreeMap<usize, Opinion>,
    usage: TokenUsage,
    model_use: ModelUse,
    test_files: Vec<String>,
}

impl ReviewState {
    pub(super) fn new(plan: &mut Plan<'_>, engines: &[Arc<dyn Engine>], options: &Options) -> Self {
        Self {
            statuses: engines
                .iter()
                .map(|_| vec![None; plan.chunks.len()])
                .collect(),
            ended: 0,
            candidates: Shortlist::new(options.max_candidates()),
            suppressed: Shortlist::new(options.max_findings),
            reported: 0,
            held: 0,
            earlier: 0,
            max_findings: options.max_findings,
            warnings: std::mem::take(&mut plan.warnings),
            test_files: plan.test_files(),
            of_chunks: Vec::new(),
            dropped: BTreeMap::new(),
            opinions: BTreeMap::new(),
            usage: TokenUsage::default(),
            model_use: ModelUse::default(),
        }
    }

    /// Records an engine's event. Returns whether the review has progressed.
    pub(super) fn add(&mut self, engine: usize, event: Event) -> bool {
        match event {
            Event::Started { .. } => {}
            Event::Ended { chunk, status } => return self.end(engine, chunk, status),
            Event::Found(candidate) => {
                let list = if candidate.suppression.is_some() {
                    &mut self.suppressed
                } else {
                    &mut self.candidates
                };
                list.add((engine, self.reported), candidate);
                self.reported += 1;
            }
            Event::Held(count) => self.held = count,
            Event::Warned { chunk, warning } => {
                self.of_chunks
                    .push((engine, chunk.unwrap_or(usize::MAX), warning));
            }
            Event::Used(usage) => self.usage += usage,
            Event::Sent(sent) => self.model_use += *sent,
            Event::Dropped(dropped) => self.drop(dropped),
            Event::Judged { found, opinion } => {
                self.opinions.entry(found).or_insert(opinion);
            }
        }
        false
    }

    /// Only the first status of a chunk counts.
    fn end(&mut self, engine: usize, chunk: usize, status: ChunkStatus) -> bool {
        let known = self
            .statuses
            .get_mut(engine)
            .and_then(|statuses| statuses.get_mut(chunk));
        let Some(open) = known.filter(|known| known.is_none()) else {
            return false;
        };
        *open = Some(status);
        self.ended += 1;
        true
    }

    /// Records dropped findings.
    pub(super) fn drop(
        &mut self,
        Dropped {
            cause,
            count,
            findings,
        }: Dropped,
    ) {
        if count == 0 {
            return;
        }
        let named: usize = self
            .dropped
            .values()
            .map(|dropped| dropped.findings.len())
            .sum();
        let all = self
            .dropped
            .entry(cause)
            .or_insert_with(|| Dropped::unnamed(cause, 0));
        all.count += count;
        all.findings.extend(
            findings
                .into_iter()
                .take(DROPPED_NAMED.saturating_sub(named)),
        );
    }

    /// The findings so far, in diff order.
    pub(super) fn take_found(&mut self) -> (Vec<Tag>, Vec<Candidate>) {
        let mut found = self.candidates.take();
        found.sort_by_key(|(tag, candidate)| (candidate.file, candidate.line, *tag));
        self.earlier = found.len();
        found.into_iter().unzip()
    }

    /// Records how many findings remain of the earlier engines' candidates. Returns whether that changes the progress.
    pub(super) fn count_earlier(&mut self, findings: usize) -> bool {
        let before = self.progress().findings;
        self.earlier = findings;
        self.progress().findings != before
    }

    /// Returns the findings, after the engine has ended, changed by its opinions. `path` is that of a file.
    pub(super) fn put_back(
        &mut self,
        tags: Vec<Tag>,
        found: Vec<Candidate>,
        path: impl Fn(usize) -> String,
    ) {
        (self.earlier, self.held) = (0, 0);
        let mut opinions = std::mem::take(&mut self.opinions);
        for (at, (tag, mut candidate)) in tags.into_iter().zip(found).enumerate() {
            let opinion = opinions.remove(&at);
            let opinion = opinion.filter(|_| candidate.origin.rule().is_some());
            match opinion {
                Some(opinion) if !opinion.apply(&mut candidate) => {
                    let mut one = DroppedFinding::of(&candidate, &path(candidate.file));
                    if let Opinion::Refuted(reason) = opinion {
                        one.summary = format!("{} Reason: {reason}", one.summary);
                    }
                    self.drop(Dropped {
                        cause: DropCause::Refuted,
                        count: 1,
                        findings: vec![one],
                    });
                }
                _ => self.candidates.add(tag, candidate),
            }
        }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress {
            chunks_done: self.ended,
            chunks_total: self.statuses.iter().map(Vec::len).sum(),
            findings: (self.candidates.len() + self.earlier + self.held).min(self.max_findings),
        }
    }

    /// Reports unfinished chunks, and fails if a required engine finished none.
    pub(super) fn check_completion(
        &mut self,
        engines: &[Arc<dyn Engine>],
        chunks: &[Chunk<'_>],
        ended: Option<Spent>,
    ) -> Result<(), Failure> {
        for (at, (engine, statuses)) in engines.iter().zip(&self.statuses).enumerate() {
            let has_failed = !statuses.is_empty()
                && !statuses.contains(&Some(ChunkStatus::Done))
                && statuses
                    .iter()
                    .any(|status| *status != Some(ChunkStatus::OutOfTokens));
            if has_failed {
                let failure = failure(statuses, ended);
                if engine.is_required() {
                    return Err(failure);
                }
                let message = format!("{MODEL_FAILED}{}", failure.reason());
                self.of_chunks.push((
                    at,
                    usize::MAX,
                    Warning::review(WarningCode::ModelFailed, message),
                ));
                continue;
            }
            for (index, (status, chunk)) in statuses.iter().zip(chunks).enumerate() {
                let Some((code, reason)) = unfinished(status.as_ref(), ended) else {
                    continue;
                };
                let omission = if engine.model().is_some() {
                    "not reviewed by the language model"
                } else {
                    "not analysed"
                };
                let message = format!("this part was {omission}: {reason}");
                self.of_chunks
                    .push((at, index, Warning::file(code, &chunk.path, message)));
            }
        }
        Ok(())
    }

    /// The remaining candidates, most important first.
    pub(super) fn take_candidates(&mut self) -> Vec<Candidate> {
        self.candidates.take_ranked()
    }

    /// The suppressed candidates, most important first.
    pub(super) fn take_suppressed(&mut self) -> Vec<Candidate> {
        self.suppressed.take_ranked()
    }

    /// Composes the result. `withheld` are the filters' warnings.
    pub(super) fn into_review(
        mut self,
        findings: Vec<Finding>,
        suppressed: Vec<Finding>,
        withheld: Vec<Warning>,
        engines: &[Arc<dyn Engine>],
        options: &Options,
    ) -> Review {
        self.drop(Dropped::unnamed(
            DropCause::Limit,
            self.candidates.cut() + self.suppressed.cut(),
        ));
        self.of_chunks
            .sort_by_key(|(engine, chunk, _)| (*engine, *chunk));
        let mut known: HashSet<Warning> = self.warnings.iter().cloned().collect();
        let asks_model = |at: usize| {
            engines
                .get(at)
                .is_some_and(|engine| engine.model().is_some())
        };
        let of_chunks = std::mem::take(&mut self.of_chunks).into_iter();
        let of_chunks = of_chunks.map(|(engine, _, warning)| Warning {
            model_only: asks_model(engine),
            ..warning
        });
        self.warnings.extend(
            of_chunks
                .chain(withheld)
                .filter(|warning| known.insert(warning.clone())),
        );
        self.warnings.extend(
            self.dropped
                .values()
                .map(|dropped| left_out(dropped, options)),
        );
        let model = engines
            .iter()
            .find_map(|engine| engine.model().map(str::to_owned));
        Review {
            findings,
            suppressed,
            chunks_analyzed: self.chunks_analyzed(&|_| true),
            chunks_by_model: self.chunks_analyzed(&asks_model),
            warnings: self.warnings,
            dropped: self.dropped.into_values().collect(),
            test_files: self.test_files,
            usage: self.usage,
            engines: engines.iter().map(|engine| engine.name()).collect(),
            model_use: model.is_some().then_some(self.model_use),
            model,
        }
    }

    /// Chunks that at least one of these engines analysed.
    fn chunks_analyzed(&self, is_counted: &dyn Fn(usize) -> bool) -> usize {
        let done = |statuses: &Vec<Option<ChunkStatus>>| -> Vec<usize> {
            let done = statuses
                .iter()
                .enumerate()
                .filter(|(_, status)| **status == Some(ChunkStatus::Done));
            done.map(|(at, _)| at).collect()
        };
        let counted = self
            .statuses
            .iter()
            .enumerate()
            .filter(|(engine, _)| is_counted(*engine));
        counted
            .flat_map(|(_, statuses)| done(statuses))
            .collect::<HashSet<usize>>()
            .len()
    }
}

/// The reason why an engine finished nothing.
fn failure(statuses: &[Option<ChunkStatus>], ended: Option<Spent>) -> Failure {
    let reason = statuses.iter().flatten().find_map(|status| match status {
        ChunkStatus::Failed(reason) => Some(reason.clone()),
        _ => None,
    });
    match (reason, ended) {
        (Some(reason), _) => Failure::Failed(reason),
        (None, Some(why)) => Failure::of(why),
        (None, None) => Failure::TimedOut,
    }
}

/// The warning code and the reason for an unfinished chunk.
fn unfinished(status: Option<&ChunkStatus>, ended: Option<Spent>) -> Option<(WarningCode, String)> {
    match status {
        Some(ChunkStatus::Done) => None,
        Some(ChunkStatus::Failed(reason)) => Some((WarningCode::ChunkFailed, reason.clone())),
        Some(ChunkStatus::OutOfTokens) => {
            let reason = "the review's budget of language-model tokens is used up".to_owned();
            Some((WarningCode::TokenBudgetReached, reason))
        }
        None => match ended {
            Some(why @ (Spent::Steps | Spent::Bytes)) => {
                Some((WarningCode::ChunkFailed, why.to_string()))
            }
            _ => Some((WarningCode::ChunkTimedOut, Spent::Time.to_string())),
        },
        Some(ChunkStatus::TimedOut) => Some((WarningCode::ChunkTimedOut, Spent::Time.to_string())),
    }
}

/// The warning about dropped findings.
fn left_out(Dropped { cause, count, .. }: &Dropped, options: &Options) -> Warning {
    let (findings, were) = if *count == 1 {
        ("finding", "was")
    } else {
        ("findings", "were")
    };
    let (code, message) = match cause {
        DropCause::Unanchored => {
            let message = format!(
                "{count} {findings} could not be placed on a line of the diff and {were} left out"
            );
            (WarningCode::FindingsUnanchored, message)
        }
        DropCause::Unreadable => {
            let message = format!(
                "{count} {findings} of the language model could not be read and {were} left out"
            );
            (WarningCode::FindingsUnreadable, message)
        }
        DropCause::Duplicate => {
            let duplicates = if *count == 1 {
                "a duplicate"
            } else {
                "duplicates"
            };
            let message = format!("{count} {findings} {were} left out as {duplicates}");
            (WarningCode::FindingsMerged, message)
        }
        DropCause::Refuted => {
            let message = format!(
                "{count} {findings} {were} left out: the language model refuted {them} on a second look",
                them = if *count == 1 { "it" } else { "them" }
            );
            (WarningCode::FindingsRefuted, message)
        }
        DropCause::LowConfidence => {
            let least = options.min_confidence;
            let its = if *count == 1 { "its" } else { "their" };
            let message =
                format!("{count} {findings} {were} left out: {its} confidence is below {least}");
            (WarningCode::FindingsBelowConfidence, message)
        }
        DropCause::Limit => {
            let limit = options.max_findings;
            let message = format!(
                "{count} more {findings} of lower rank {were} left out: a review returns at most {limit}"
            );
            (WarningCode::FindingsTruncated, message)
        }
    };
    Warning::review(code, message)
}
