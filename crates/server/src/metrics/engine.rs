//! An engine under observation: how long each chunk took, as a metric and as a span.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use prometheus_client::encoding::EncodeLabelSet;
use review::{Candidate, Chunk, Engine, EngineAround, Outcome, OutcomeStatus};
use tracing::Instrument;

use super::{Metrics, Timer};
use crate::traces::TRACES;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Labels {
    pub(super) engine: &'static str,
    pub(super) outcome: &'static str,
}

/// An engine whose chunks are timed.
pub(crate) struct Observed {
    engine: Arc<dyn Engine>,
    metrics: Metrics,
}

impl Observed {
    pub(crate) fn observe(engine: Arc<dyn Engine>, metrics: &Metrics) -> Arc<dyn Engine> {
        Arc::new(Self { engine, metrics: metrics.clone() })
    }
}

impl EngineAround for Observed {
    fn inside(&self) -> &dyn Engine {
        &*self.engine
    }

    fn around(&self, engine: Arc<dyn Engine>) -> Arc<dyn Engine> {
        Self::observe(engine, &self.metrics)
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
}
