//! One review: plan, run the engines one after the other, let each finish, anchor, merge.

mod outcome;
mod parts;
mod state;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{BoxFuture, Either, FutureExt as _, select};
use futures_util::stream::{self, StreamExt};

use crate::anchor::Anchor;
use crate::budget::{Budget, Spent};
use crate::chunk::plan_within;
use crate::diff::Diff;
use crate::engine::{Engine, Outcome, Run};
use crate::language::Language;
use crate::merge::merge;
pub use outcome::{Failure, Options, Progress, Review};
use parts::Parts;
use state::ReviewState;

/// Reviews a diff.
///
/// `deadline` completes when time is up: what is finished by then is returned, with a warning for what is not. The same
/// is so when the `budget` ends. Dropping the returned future cancels everything; between two polls it works for a few
/// milliseconds at most.
///
/// # Errors
/// When one of the engines finished none of its chunks: an empty answer would look clean.
pub async fn review(
    diff: &Diff<'_>,
    target_language: Option<Language>,
    engines: &[Arc<dyn Engine>],
    options: &Options,
    budget: &Budget,
    deadline: impl Future<Output = ()> + Send,
    observe: &mut (dyn FnMut(Progress) + Send),
) -> Result<Review, Failure> {
    let plan = plan_within(diff, target_language, &options.sizes, budget).await;
    if let Some(why) = plan.spent.filter(|_| plan.chunks.is_empty()) {
        return Err(if matches!(why, Spent::Steps | Spent::Bytes) { Failure::Failed } else { Failure::TimedOut });
    }
    let runs: Vec<Box<dyn Run>> = engines.iter().map(|engine| engine.start(&options.scope, budget)).collect();
    let mut state = ReviewState::new(plan.warnings, options);
    let parts: Vec<Parts<'_>> = runs.iter().map(|run| Parts::new(&plan.chunks, run.one_by_one())).collect();
    for parts in &parts {
        state.expect(parts);
    }
    analyse(&runs, &parts, budget, deadline, &mut state, observe).await;
    state.check_completion(&parts, budget.ended())?;
    state.finish(&runs, &budget.of_answer()).await;
    drop(runs);
    Ok(finish(state, diff, engines, options, budget).await)
}

/// Runs the engines one after the other, each on every part and within its own concurrency, until all is done or the budget
/// ends, be it by the deadline. The quick one is first, so that the thorough one knows what was found already.
async fn analyse(
    runs: &[Box<dyn Run>],
    parts: &[Parts<'_>],
    budget: &Budget,
    deadline: impl Future<Output = ()> + Send,
    state: &mut ReviewState,
    observe: &mut (dyn FnMut(Progress) + Send),
) {
    let over = async {
        match select(pin!(deadline), pin!(budget.over())).await {
            Either::Left(_) => budget.end(Spent::Time),
            Either::Right(_) => {}
        }
    };
    let mut over = pin!(over);
    for (at, (run, parts)) in runs.iter().zip(parts).enumerate() {
        let hints = state.hints(parts);
        let jobs = parts.list().iter().zip(hints.lists()).enumerate();
        let jobs: Vec<BoxFuture<'_, (usize, Outcome)>> = jobs
            .map(|(index, (part, hints))| async move { (index, run.analyse(&part.chunk, hints).await) }.boxed())
            .collect();
        let mut outcomes = stream::iter(jobs).buffer_unordered(run.concurrency().max(1));
        let in_time = loop {
            // The end is looked at first: an engine that never waits must not hide it.
            match select(over.as_mut(), outcomes.next()).await {
                Either::Left(_) => break false,
                Either::Right((Some((part, outcome)), _)) => {
                    state.add(at, part, outcome, budget).await;
                    observe(state.progress());
                }
                Either::Right((None, _)) => break true,
            }
        };
        drop(outcomes);
        state.believe(hints);
        if !in_time {
            return;
        }
    }
}

/// Anchors, merges and says what was left out.
async fn finish(
    mut state: ReviewState,
    diff: &Diff<'_>,
    engines: &[Arc<dyn Engine>],
    options: &Options,
    budget: &Budget,
) -> Review {
    // Each step has a budget of its own, so that one that takes all leaves something for the next.
    let [placing, merging, making] = [0; 3].map(|_| budget.of_answer());
    let mut anchor = Anchor::new(diff);
    let mut located = Vec::new();
    let mut candidates = state.take_candidates().into_iter();
    while let Some(candidate) = candidates.next() {
        if candidate.confidence < options.min_confidence {
            continue;
        }
        match anchor.locate(candidate, &placing).await {
            Ok(Some(found)) => located.push(found),
            Ok(None) => state.lose(1),
            Err(_) => {
                state.cut(1 + candidates.len());
                break;
            }
        }
    }
    let merged = merge(located, options.max_findings, &merging).await;
    let kept = merged.kept.len();
    let findings = anchor.findings(merged.kept, &making).await;
    state.cut(merged.cut + kept - findings.len());
    state.into_review(findings, engines, options)
}
