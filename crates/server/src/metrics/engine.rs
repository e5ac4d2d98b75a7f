//! The progress of one review's engines, as metrics and as spans.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::registry::Registry;
use review::{ChunkStatus, Event, Filter};
use tracing::Span;

use super::{Durations, Timer, durations};
use crate::traces::TRACES;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    engine: &'static str,
    outcome: &'static str,
}

/// How long engines took for chunks. Clones share the histograms.
#[derive(Clone)]
pub(crate) struct Chunks(Durations<Labels>);

impl Chunks {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let chunks = durations();
        registry.register(
            "engine_chunk_duration_seconds",
            "Duration of an engine's analysis of one chunk",
            Durations::clone(&chunks),
        );
        Self(chunks)
    }

    /// Observes one review.
    pub(crate) fn observe(&self) -> Observer {
        Observer {
            chunks: self.clone(),
            open: Mutex::default(),
        }
    }

    fn took(&self, engine: &'static str, outcome: &'static str, took: Duration) {
        self.0
            .get_or_create(&Labels { engine, outcome })
            .observe(took.as_secs_f64());
    }
}

/// Times the chunks of one review. A chunk that is open when it is dropped counts as cancelled.
pub(crate) struct Observer {
    chunks: Chunks,
    /// By engine and chunk; the span ends when it is dropped.
    open: Mutex<HashMap<(&'static str, usize), Open>>,
}

/// A chunk in progress.
struct Open {
    timer: Timer<Record>,
    _span: Span,
}

type Record = Box<dyn Fn(&'static str, Duration) + Send>;

impl Observer {
    fn start(&self, engine: &'static str, chunk: usize) {
        let chunks = self.chunks.clone();
        let record: Record = Box::new(move |outcome, took| chunks.took(engine, outcome, took));
        let timer = Timer::start(record);
        let open = Open {
            timer,
            _span: tracing::info_span!(target: TRACES, "engine", engine, chunk),
        };
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert((engine, chunk), open);
    }

    fn end(&self, engine: &'static str, chunk: usize, status: &ChunkStatus) {
        let open = self
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&(engine, chunk));
        if let Some(open) = open {
            open.timer.end(match status {
                ChunkStatus::Done => "success",
                ChunkStatus::Failed(_) => "failed",
                ChunkStatus::TimedOut => "timed_out",
                ChunkStatus::OutOfTokens => "out_of_tokens",
            });
        }
    }
}

impl Filter for Observer {
    fn filter(&self, engine: &'static str, event: Event) -> Option<Event> {
        match &event {
            Event::Started { chunk } => self.start(engine, *chunk),
            Event::Ended { chunk, status } => self.end(engine, *chunk, status),
            _ => {}
        }
        Some(event)
    }
}
