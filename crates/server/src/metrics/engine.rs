//! An engine under observation: how long each chunk took, as a metric and as a span.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use prometheus_client::encoding::EncodeLabelSet;
use review::{Candidate, Chunk, Conclusion, Engine, Facts, Outcome, OutcomeStatus, Scope, Warning};
use tracing::Instrument;

use super::{Metrics, Timer};
use crate::traces::TRACES;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Labels {
    pub(super) engine: &'static str,
    pub(super) outcome: &'static str,
}

/// An engine that is otherwise the one inside.
pub(crate) struct Observed {
    engine: Arc<dyn Engine>,
    metrics: Metrics,
}

impl Observed {
    pub(crate) fn around(engine: Arc<dyn Engine>, metrics: &Metrics) -> Arc<dyn Engine> {
        Arc::new(Self { engine, metrics: metrics.clone() })
    }
}

impl Engine for Observed {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn model(&self) -> Option<&str> {
        self.engine.model()
    }

    fn concurrency(&self) -> usize {
        self.engine.concurrency()
    }

    fn for_review(&self, scope: &Scope) -> Option<Arc<dyn Engine>> {
        Some(Self::around(self.engine.for_review(scope)?, &self.metrics))
    }

    fn prepare(&self, chunks: &[Chunk<'_>]) -> Vec<Warning> {
        self.engine.prepare(chunks)
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let name = self.engine.name();
        let span = tracing::info_span!(target: TRACES, "engine", engine = name, files = chunk.files.len());
        let analysis = async move {
            let timer = Timer::start(|outcome, took| self.metrics.chunk(name, outcome, took));
            let outcome = self.engine.analyse(chunk, hints).await;
            timer.end(match outcome.status {
                OutcomeStatus::Done => "done",
                OutcomeStatus::Failed => "failed",
                OutcomeStatus::TimedOut => "timed_out",
            });
            outcome
        };
        Box::pin(analysis.instrument(span))
    }

    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        self.engine.conclude(facts, candidates)
    }
}
