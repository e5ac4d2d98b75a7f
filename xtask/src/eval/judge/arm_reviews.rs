//! Reviews items with each arm, and records what happened to each finding.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use llm::PlainEngine;
use review::{
    Budget, Candidate, ChunkStatus, Diff, DropCause, Dropped, DroppedFinding, Engine, Event,
    Filter, Finding, Options, Priority, Request, Scope, Side, TextMask,
};

use super::arm::{Arm, asker};
use super::arm_result::{ArmFinding, ArmResult};
use super::count::Count;
use super::matching::By;
use crate::eval::corpus::Item;
use crate::eval::models::Models;

/// Concurrent reviews.
const REVIEWS: usize = 4;

/// Which findings count, in every arm.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Selection {
    pub(in crate::eval) priority: Priority,
    pub(in crate::eval) min_confidence: f64,
}

/// The steps that a finding passes, each with the causes for which it drops findings.
const STEPS: [(&str, &[DropCause]); 6] = [
    ("in the pool", &[]),
    ("read", &[DropCause::Unreadable]),
    ("placed", &[DropCause::Unanchored]),
    ("defended", &[DropCause::Refuted]),
    ("deduplicated", &[DropCause::Duplicate]),
    ("selected", &[DropCause::LowConfidence, DropCause::Limit]),
];

/// Findings and labels after each step.
pub(super) fn waterfall(ours: &[(&Item, &ArmResult)]) -> Vec<(&'static str, Count)> {
    let mut gone: Vec<DropCause> = Vec::new();
    let steps = STEPS.iter().map(|(name, causes)| {
        gone.extend(*causes);
        let mut count = Count::default();
        for (item, results) in ours {
            let left = results
                .pool
                .iter()
                .filter(|found| found.lost.is_none_or(|cause| !gone.contains(&cause)));
            count.add(Count::of(
                item,
                &left.cloned().collect::<Vec<_>>(),
                By::Place,
            ));
        }
        (*name, count)
    });
    steps.collect()
}

/// Reviews every item with every arm. Each thread keeps the result of `enter` until it ends.
pub(in crate::eval) fn review_all<G>(
    items: &[&Item],
    before: &[Arc<dyn Engine>],
    models: &Models,
    at_most: usize,
    selection: Selection,
    enter: impl Fn() -> G + Sync,
) -> Result<Vec<Vec<ArmResult>>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let engines = Arm::ALL.map(|arm| engines(arm, before, models, at_most));
    let work = || {
        let _entered = enter();
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            let arms = Arm::ALL.iter().zip(&engines);
            let results = arms.map(|(arm, engines)| ask(item, *arm, engines, models, selection));
            let results = results.collect::<Result<Vec<_>, _>>();
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, results));
        }
    };
    std::thread::scope(|scope| (0..REVIEWS).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, results)| results).collect()
}

fn engines(
    arm: Arm,
    before: &[Arc<dyn Engine>],
    models: &Models,
    at_most: usize,
) -> Vec<Arc<dyn Engine>> {
    match arm.plain(at_most) {
        Some(question) => vec![Arc::new(PlainEngine::new(models.engine(), question))],
        None => before
            .iter()
            .cloned()
            .chain([Arc::new(models.engine()) as Arc<dyn Engine>])
            .collect(),
    }
}

/// Records the events of the engines.
#[derive(Default)]
struct EventLog(Mutex<Vec<Event>>);

impl Filter for EventLog {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event.clone());
        Some(event)
    }
}

fn ask(
    item: &Item,
    arm: Arm,
    engines: &[Arc<dyn Engine>],
    models: &Models,
    selection: Selection,
) -> Result<ArmResult, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", item.id);
    let diff = Diff::parse(&item.diff).map_err(|error| named(&error))?;
    let asker = asker(arm, &item.id);
    let scope = Scope {
        tenant: asker.clone(),
        ..Scope::default()
    };
    let (options, log) = (
        Options {
            scope,
            ..Options::default()
        },
        EventLog::default(),
    );
    let budget = Budget::of_bytes(item.diff.len());
    let filters: [&dyn Filter; 1] = [&log];
    let request = Request {
        diff: &diff,
        context: review::DiffContext::default(),
        target_language: None,
        engines,
        filters: &filters,
        options: &options,
        repository: None,
        budget: &budget,
        mask: TextMask::default(),
    };
    let review =
        futures_executor::block_on(review::review(request, std::future::pending(), &mut |_| ()));
    let review = review.map_err(|error| named(&error))?;
    let events = log.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failed = events
        .iter()
        .any(|event| matches!(event, Event::Ended { status, .. } if *status != ChunkStatus::Done));
    let pool = match arm {
        // Findings of a plain prompt are not merged.
        Arm::Pasted | Arm::Numbered | Arm::AtMost => events
            .into_iter()
            .flat_map(|event| reported(&diff, event, selection))
            .collect(),
        Arm::Ours => {
            let kept = review
                .findings
                .iter()
                .map(|finding| returned(finding, selection));
            kept.chain(review.dropped.into_iter().flat_map(dropped))
                .collect()
        }
    };
    Ok(ArmResult {
        pool,
        spent: models.meter.spent(&asker),
        failed,
    })
}

impl Selection {
    /// The cause for which such a finding does not count, if any.
    fn lost(self, priority: Priority, confidence: f32) -> Option<DropCause> {
        let is_counted = priority <= self.priority && f64::from(confidence) >= self.min_confidence;
        (!is_counted).then_some(DropCause::LowConfidence)
    }
}

/// A finding of the review.
fn returned(finding: &Finding, selection: Selection) -> ArmFinding {
    ArmFinding {
        path: finding.file_path().to_owned(),
        line: Some(finding.line_number()),
        side: finding.line_side(),
        text: finding.summary().to_owned(),
        lost: selection.lost(finding.priority(), finding.confidence()),
    }
}

/// The findings in an event. Unplaced findings would also be read by people, so they count as reported.
fn reported(diff: &Diff<'_>, event: Event, selection: Selection) -> Vec<ArmFinding> {
    match event {
        Event::Found(candidate) => vec![of_candidate(diff, candidate, selection)],
        Event::Dropped(all) => dropped(all)
            .map(|found| ArmFinding {
                lost: None,
                ..found
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn of_candidate(diff: &Diff<'_>, candidate: Candidate, selection: Selection) -> ArmFinding {
    let path = diff
        .files
        .get(candidate.file)
        .map_or("", |file| file.path());
    let lost = selection.lost(candidate.priority, candidate.confidence);
    let (line, side) = (Some(candidate.line), candidate.side);
    ArmFinding {
        path: path.to_owned(),
        line,
        side,
        text: candidate.summary,
        lost,
    }
}

/// Dropped findings: those with details, followed by those of which only the number is known.
fn dropped(all: Dropped) -> impl Iterator<Item = ArmFinding> {
    let unnamed = all.count.saturating_sub(all.findings.len());
    let nothing = DroppedFinding {
        place: String::new(),
        summary: String::new(),
    };
    all.findings
        .into_iter()
        .chain(std::iter::repeat_n(nothing, unnamed))
        .map(move |one| placed(one, all.cause))
}

/// Reads a location such as `src/pay.py:42`, or in a model's words `src/pay.py NEW:42`.
fn placed(one: DroppedFinding, cause: DropCause) -> ArmFinding {
    let (before, number) = one.place.rsplit_once(':').unwrap_or((&one.place, ""));
    let path = before
        .trim_end_matches("NEW")
        .trim_end_matches("OLD")
        .trim_end();
    let side = if before.ends_with("OLD") {
        Side::Old
    } else {
        Side::New
    };
    ArmFinding {
        path: path.to_owned(),
        line: number.trim().parse().ok(),
        side,
        text: one.summary,
        lost: Some(cause),
    }
}
