//! Reviews items and scores the findings.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use review::output::json::FindingBody;
use review::{
    Budget, Diff, DiffContext, Engine, Options, Request, Scope, TextMask, TokenUsage, WarningCode,
};

use super::args::Args;
use super::corpus::Item;
use super::score::{self, Score};
use super::{judge, labels};
use crate::run;

/// An item with its findings and their score.
pub(super) struct Scored {
    pub(super) item: Item,
    pub(super) reversed: bool,
    pub(super) findings: Vec<(FindingBody, bool)>,
    pub(super) score: Score,
    pub(super) usage: TokenUsage,
    /// The warnings of the review.
    pub(super) warnings: Vec<WarningCode>,
}

/// The outcome of all reviews.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) scored: Vec<Scored>,
    /// Reviews that failed as a whole.
    pub(super) failed: usize,
}

/// Reviews the items, `at_once` of them concurrently. Items are independent, so their order does not matter. Each thread
/// keeps the result of `enter` until it ends.
pub(super) fn score_all<G>(
    jobs: &[(Item, bool)],
    engines: &[Arc<dyn Engine>],
    args: &Args,
    at_once: usize,
    enter: impl Fn() -> G + Sync,
) -> Result<Outcome, String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let _entered = enter();
        let mut done = Outcome::default();
        while let Some((item, reversed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match score_one(item, *reversed, engines, args) {
                Ok(scored) => done.scored.push(scored),
                Err(error) => {
                    run::say(&format!("not scored: {error}"));
                    done.failed += 1;
                }
            }
        }
        done
    };
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        let parts = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "the engine panicked".to_owned()));
        parts.collect::<Result<Vec<_>, String>>()
    })?;
    let failed = parts.iter().map(|part| part.failed).sum();
    let mut scored: Vec<Scored> = parts.into_iter().flat_map(|part| part.scored).collect();
    scored.sort_by(|a, b| (&a.item.id, a.reversed).cmp(&(&b.item.id, b.reversed)));
    Ok(Outcome { scored, failed })
}

/// The item as it is reviewed: reversed or not.
pub(super) fn turned(item: &Item, reversed: bool) -> Result<Item, String> {
    let mut item = item.clone();
    if reversed {
        (item.diff, item.labels) =
            labels::reverse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
    }
    Ok(item)
}

fn score_one(
    item: &Item,
    reversed: bool,
    engines: &[Arc<dyn Engine>],
    args: &Args,
) -> Result<Scored, String> {
    let item = turned(item, reversed)?;
    let diff = Diff::parse(&item.diff).map_err(|error| format!("{}: {error}", item.id))?;
    let never = std::future::pending();
    let scope = Scope {
        tenant: judge::asker(judge::Arm::Ours, &item.id),
        ..Scope::default()
    };
    let (options, budget) = (
        &Options {
            scope,
            ..Options::default()
        },
        &Budget::of_bytes(item.diff.len()),
    );
    let request = Request {
        diff: &diff,
        context: if item.whole.is_some() {
            DiffContext::Files
        } else {
            DiffContext::Hunks
        },
        target_language: None,
        engines,
        filters: &[],
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    let review = futures_executor::block_on(review::review(request, never, &mut |_| ()))
        .map_err(|error| format!("{}: {error}", item.id))?;
    let body = review::output::json::body(&item.id, None, &review, 0);
    let counts = |finding: &FindingBody| {
        (finding.priority <= args.priority || args.ledger)
            && finding.confidence >= args.min_confidence
            && args.rule.as_ref().is_none_or(|part| {
                finding
                    .rule_id
                    .as_ref()
                    .is_some_and(|id| id.contains(part.as_str()))
            })
    };
    let findings: Vec<FindingBody> = body.findings.into_iter().filter(counts).collect();
    let (score, on) = score::score(&item, &findings);
    let findings = findings.into_iter().zip(on).collect();
    let warnings = review.warnings.iter().map(|warning| warning.code).collect();
    Ok(Scored {
        item,
        reversed,
        findings,
        score,
        usage: review.usage,
        warnings,
    })
}
