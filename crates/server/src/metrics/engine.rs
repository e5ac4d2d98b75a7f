//! An engine under observation: how long each chunk took, as a metric and as a span.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::registry::Registry;
use review::{Candidate, Chunk, Engine, Outcome, OutcomeStatus, Run, RunAround, Wrapped};
use tracing::Instrument;

use super::{Durations, Timer, durations};
use crate::traces::TRACES;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    engine: &'static str,
    outcome: &'static str,
}

/// How long engines took for chunks. Clones are the same.
#[derive(Clone)]
pub(crate) struct Chunks(Durations<Labels>);

impl Chunks {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let chunks = durations();
        registry.register(
            "engine_chunk_duration_seconds",
            "Time that an engine took for one chunk of a diff",
            Durations::clone(&chunks),
        );
        Self(chunks)
    }

    fn took(&self, engine: &'static str, outcome: &'static str, took: Duration) {
        self.0.get_or_create(&Labels { engine, outcome }).observe(took.as_secs_f64());
    }
}

/// The engine, with its chunks timed.
pub(crate) fn observe(engine: Arc<dyn Engine>, chunks: &Chunks) -> Arc<dyn Engine> {
    let (name, chunks) = (engine.name(), chunks.clone());
    let wrap = move |run| -> Box<dyn Run> { Box::new(Observed { name, run, chunks: chunks.clone() }) };
    Arc::new(Wrapped::new(engine, wrap))
}

/// A run whose chunks are timed.
struct Observed {
    name: &'static str,
    run: Box<dyn Run>,
    chunks: Chunks,
}

impl RunAround for Observed {
    fn inside(&self) -> &dyn Run {
        &*self.run
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let name = self.name;
        let span = tracing::info_span!(target: TRACES, "engine", engine = name, files = chunk.files.len());
        let analysis = async move {
            let timer = Timer::start(|outcome, took| self.chunks.took(name, outcome, took));
            let outcome = self.run.analyse(chunk, hints).await;
            timer.end(match outcome.status {
                OutcomeStatus::Done => "success",
                OutcomeStatus::Failed => "failed",
                OutcomeStatus::TimedOut => "timed_out",
            });
            outcome
        };
        Box::pin(analysis.instrument(span))
    }
}
