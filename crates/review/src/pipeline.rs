//! The review pipeline: plan, run the engines in sequence, anchor, merge.
//!
//! Rules take milliseconds and models take seconds, so it costs almost nothing to run the rules first. The model engine
//! receives their findings and does not repeat them. It cannot remove one: a malicious diff could persuade a model to do so.

mod collector;
mod outcome;
mod state;

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use futures_util::future::{BoxFuture, Either, select};

use crate::anchor::{Anchor, Located};
use crate::budget::{Budget, Spent};
use crate::candidate::Candidate;
use crate::chunk::{DiffContext, Plan, plan_within};
use crate::diff::Diff;
use crate::engine::{DropCause, Dropped, DroppedFinding, Engine, Filter, Task};
use crate::finding::Finding;
use crate::language::Language;
use crate::mask::TextMask;
use crate::merge::merge;
use crate::repository::Repository;
use collector::{Collector, Inbox};
pub use outcome::{Failure, Options, Progress, Review};
use state::ReviewState;

/// The input of a review.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The change.
    pub diff: &'a Diff<'a>,
    /// The known parts of the files around its hunks.
    pub context: DiffContext<'a>,
    /// The language of files whose name and content do not determine it.
    pub target_language: Option<Language>,
    /// The engines, which run in sequence. Fast ones come first, so that thorough ones know the earlier findings.
    pub engines: &'a [Arc<dyn Engine>],
    /// The filters, which receive each event in this order.
    pub filters: &'a [&'a dyn Filter],
    /// The caller's options.
    pub options: &'a Options,
    /// The repository around the change, if the caller gives access to it.
    pub repository: Option<&'a dyn Repository>,
    /// The budget of the review.
    pub budget: &'a Budget,
    /// Masks secrets in the texts of the findings.
    pub mask: TextMask,
}

/// Reviews a diff.
///
/// When `deadline` completes or the budget ends, the finished part is returned with a warning about the rest. Dropping
/// the returned future cancels everything; it works for at most a few milliseconds between two polls.
///
/// # Errors
/// A required engine finished none of its chunks. An empty answer would look like a clean review.
pub async fn review(
    request: Request<'_>,
    deadline: impl Future<Output = ()> + Send,
    observe: &mut (dyn FnMut(Progress) + Send),
) -> Result<Review, Failure> {
    let Request {
        diff,
        options,
        budget,
        ..
    } = request;
    let mut plan = plan_within(
        diff, request.target_language, &options.sizes, request.context, budget,
    )
    .await;
    if let Some(why) = plan.spent.filter(|_| plan.chunks.is_empty()) {
        return Err(Failure::of(why));
    }
    let state = ReviewState::new(&mut plan, request.engines, options);
    let inbox = Mutex::new(Inbox { state, observe });
    run(request, &plan, deadline, &inbox).await;
    let mut state = collector::close(inbox);
    state.check_completion(request.engines, &plan.chunks, budget.ended())?;
    Ok(finish(state, request).await)
}

/// Runs the engines until all have finished or the budget ends, by the deadline or otherwise.
async fn run<'a>(
    request: Request<'a>,
    plan: &Plan<'a>,
    deadline: impl Future<Output = ()> + Send,
    inbox: &Mutex<Inbox<'_>>,
) {
    let Request {
        diff,
        options,
        budget,
        ..
    } = request;
    let over = async {
        match select(pin!(deadline), pin!(budget.wait_for_end())).await {
            Either::Left(_) => budget.end(Spent::Time),
            Either::Right(_) => {}
        }
    };
    let mut over = pin!(over);
    for (at, engine) in request.engines.iter().enumerate() {
        let collector = Collector {
            name: engine.name(),
            engine: at,
            filters: request.filters,
            inbox,
        };
        let answer = budget.of_answer();
        let (tags, found) = collector.take_found();
        if at > 0 && !found.is_empty() {
            collector.placed(&place(request, found.clone()).await.findings);
        }
        let task = Task {
            chunks: &plan.chunks,
            files: &diff.files,
            found: &found,
            scope: &options.scope,
            repository: request.repository,
            max_candidates: options.max_candidates(),
            budget,
            answer: &answer,
        };
        let work = engine.review(&task, &collector);
        // The end is polled first, because an engine that never waits would starve it.
        let in_time = match select(over.as_mut(), work).await {
            Either::Left(((), work)) => {
                finish_answer(work, &answer).await;
                false
            }
            Either::Right(_) => true,
        };
        let path = |file: usize| {
            let file = diff.files.get(file);
            file.map_or_else(|| "?".to_owned(), |file| file.path().to_owned())
        };
        collector.put_back(tags, found, path);
        if !in_time {
            return;
        }
    }
}

/// Polls an engine after the end of its budget while it works on its answer, and drops it when it waits for anything else. An
/// engine that works draws from the answer's budget, so no clock is needed.
async fn finish_answer(mut work: BoxFuture<'_, ()>, answer: &Budget) {
    let mut taken = answer.taken();
    poll_fn(|context| {
        if Pin::new(&mut work).poll(context).is_ready() || answer.taken() == taken {
            return Poll::Ready(());
        }
        taken = answer.taken();
        Poll::Pending
    })
    .await;
}

/// Anchors, merges, and reports what was skipped.
async fn finish(mut state: ReviewState, request: Request<'_>) -> Review {
    let Placed {
        findings,
        dropped,
        mut anchor,
    } = place(request, state.take_candidates()).await;
    dropped.into_iter().for_each(|dropped| state.drop(dropped));
    let suppressed = suppressed(&mut state, &mut anchor, request).await;
    let warnings = request
        .filters
        .iter()
        .flat_map(|filter| filter.warnings())
        .collect();
    state.into_review(
        findings, suppressed, warnings, request.engines, request.options,
    )
}

/// Findings on lines of the diff, and candidates that could not become one.
struct Placed<'a> {
    findings: Vec<Finding>,
    dropped: Vec<Dropped>,
    anchor: Anchor<'a>,
}

/// Anchors and merges candidates.
async fn place(request: Request<'_>, candidates: Vec<Candidate>) -> Placed<'_> {
    let Request {
        diff,
        options,
        budget,
        ..
    } = request;
    // Each step has its own budget, so that a step that uses it up does not affect the next.
    let [placing, merging, making] = [0; 3].map(|_| budget.of_answer());
    let mut anchor = Anchor::new(diff, request.mask);
    let (mut located, mut dropped) = (Vec::new(), Vec::new());
    let one = |cause, candidate: &Candidate| Dropped {
        cause,
        count: 1,
        findings: vec![name(diff, candidate)],
    };
    let mut candidates = candidates.into_iter();
    while let Some(candidate) = candidates.next() {
        if candidate.confidence < options.min_confidence && !candidate.reports_hidden_code() {
            dropped.push(one(DropCause::LowConfidence, &candidate));
            continue;
        }
        match anchor.find(&candidate, &placing).await {
            Ok(Some(place)) => match anchor
                .relate(Located::new(candidate, place), &placing)
                .await
            {
                Some(found) => located.push(found),
                None => dropped.push(Dropped::unnamed(DropCause::Unreadable, 1)),
            },
            Ok(None) => dropped.push(one(DropCause::Unanchored, &candidate)),
            Err(_) => {
                dropped.push(Dropped::unnamed(DropCause::Limit, 1 + candidates.len()));
                break;
            }
        }
    }
    let merged = merge(diff, located, options.max_findings, &merging).await;
    dropped.extend(
        merged
            .dropped
            .iter()
            .map(|(cause, located)| one(*cause, &located.candidate)),
    );
    let kept = merged.kept.len();
    let findings = anchor.findings(merged.kept, &making).await;
    dropped.push(Dropped::unnamed(
        DropCause::Limit,
        merged.cut + kept - findings.len(),
    ));
    Placed {
        findings,
        dropped,
        anchor,
    }
}

/// Findings that are suppressed by comments, each as it would be without its comment. They are not merged with others,
/// because a comment only applies to one of them.
async fn suppressed(
    state: &mut ReviewState,
    anchor: &mut Anchor<'_>,
    request: Request<'_>,
) -> Vec<Finding> {
    let budget = request.budget.of_answer();
    let mut located = Vec::new();
    for candidate in state.take_suppressed() {
        if candidate.confidence < request.options.min_confidence {
            continue;
        }
        let Ok(Some(place)) = anchor.find(&candidate, &budget).await else {
            continue;
        };
        located.extend(anchor.relate(Located::new(candidate, place), &budget).await);
    }
    anchor.findings(located, &budget).await
}

fn name(diff: &Diff<'_>, candidate: &Candidate) -> DroppedFinding {
    DroppedFinding::of(
        candidate,
        diff.files
            .get(candidate.file)
            .map_or("?", |file| file.path()),
    )
}
