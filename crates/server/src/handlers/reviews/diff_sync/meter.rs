//! Counts the model tokens of a review while it runs, so that they are known however it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;
use review::{Candidate, Chunk, Engine, Outcome, Run, RunAround, Wrapped};

/// What a chunk that was cut off counts beside one token for each of its bytes: instructions and answers. It is meant to be
/// too much, so that nobody gets tokens for nothing by going away.
const AROUND_A_CHUNK: u64 = 16 * 1024;

/// The tokens of one review.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Of chunks that are finished, as the engines report them.
    reported: AtomicU64,
    /// Of chunks that were cut off in the middle: what they cost nobody reports, so it is estimated.
    estimated: AtomicU64,
}

impl Meter {
    /// Tokens used; an estimate does not go beyond what was `granted`.
    pub(super) fn used(&self, granted: u64) -> u64 {
        let reported = self.reported.load(Ordering::SeqCst);
        reported + self.estimated.load(Ordering::SeqCst).min(granted.saturating_sub(reported))
    }

    /// The engines, of which those that ask a model are counted.
    pub(super) fn watch(self: &Arc<Self>, engines: &[Arc<dyn Engine>]) -> Vec<Arc<dyn Engine>> {
        let watched = |engine: &Arc<dyn Engine>| -> Arc<dyn Engine> {
            let (engine, meter) = (Arc::clone(engine), Arc::clone(self));
            if engine.model().is_none() {
                return engine;
            }
            let wrap = move |run| -> Box<dyn Run> { Box::new(Metered { run, meter: Arc::clone(&meter) }) };
            Arc::new(Wrapped::new(engine, wrap))
        };
        engines.iter().map(watched).collect()
    }
}

/// A run whose tokens are counted.
struct Metered {
    run: Box<dyn Run>,
    meter: Arc<Meter>,
}

impl RunAround for Metered {
    fn inside(&self) -> &dyn Run {
        &*self.run
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let mut count = Count { meter: &self.meter, estimate: bytes(chunk) + AROUND_A_CHUNK, reported: None };
            let outcome = self.run.analyse(chunk, hints).await;
            count.reported = Some(outcome.usage.total_tokens);
            outcome
        })
    }
}

/// A chunk under way. Dropping it counts it, be it finished or cut off.
struct Count<'a> {
    meter: &'a Meter,
    estimate: u64,
    reported: Option<u64>,
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        match self.reported {
            Some(tokens) => self.meter.reported.fetch_add(tokens, Ordering::SeqCst),
            None => self.meter.estimated.fetch_add(self.estimate, Ordering::SeqCst),
        };
    }
}

fn bytes(chunk: &Chunk<'_>) -> u64 {
    let lines = chunk.files.iter().flat_map(|file| file.hunks.iter().flat_map(|hunk| hunk.lines.iter()));
    lines.map(|line| line.text.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::Meter;

    #[test]
    fn an_estimate_is_bounded_by_what_was_granted_and_a_report_is_not() {
        let meter = Meter::default();
        meter.reported.store(70, Ordering::SeqCst);
        assert_eq!((meter.used(50), meter.used(100)), (70, 70));
        meter.estimated.store(1_000, Ordering::SeqCst);
        assert_eq!((meter.used(50), meter.used(100), meter.used(5_000)), (70, 100, 1_070));
    }
}
