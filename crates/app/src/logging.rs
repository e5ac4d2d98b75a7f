//! Logs: JSON lines on stderr, or plain text if stderr is a terminal.
//!
//! The level applies to this program's own crates. Libraries always log warnings and errors only, because their lower
//! levels can include headers, and headers can contain tokens.
//!
//! A separate thread writes the lines, so that a full pipe does not block requests. The queue is bounded; lines beyond
//! it are dropped and counted.

mod queue;

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::outcome::Error;
use crate::telemetry::{self, Traces};
use queue::{Line, Queue};

/// The target of announcements: where the service listens, and that it stops.
pub(crate) const START: &str = "hunkwise::start";

const OWN: [&str; 7] = [
    "hunkwise", "server", "store", "review", "lint", "llm", "worker",
];

/// Capacity of the queue of lines. Most are some hundreds of bytes long, the longest some thousands.
const WAITING_LINES: usize = 8_192;
/// Time at the end of the process for writing the queued lines.
const LAST_LINES: Duration = Duration::from_secs(1);

static QUEUE: OnceLock<Arc<Queue>> = OnceLock::new();

/// The log. When dropped, it writes the queued lines, for at most a second.
#[must_use]
pub(crate) struct Log(Arc<Queue>);

impl Drop for Log {
    fn drop(&mut self) {
        self.0.flush(LAST_LINES);
    }
}

/// The number of lines that were dropped because the queue was full.
pub(crate) fn dropped_lines() -> usize {
    QUEUE.get().map_or(0, |queue| queue.dropped())
}

/// The prefix of OpenTelemetry's crates. They log every batch that a collector does not accept; [`crate::telemetry`]
/// logs it once.
const COLLECTORS_OWN: &str = "opentelemetry";

/// Sends the logs of the rest of the process to stderr: those of our crates down to `level`, announcements down to a
/// separate level. Spans for a collector go to `traces`. Call it once.
///
/// # Errors
/// The thread that writes the lines cannot be started.
pub(crate) fn start(
    level: Level,
    announcements: Level,
    traces: Option<&Traces>,
) -> Result<Log, Error> {
    let filter = Targets::new()
        .with_default(Level::WARN.min(level))
        .with_target(COLLECTORS_OWN, LevelFilter::OFF)
        .with_targets(OWN.map(|own| (own, level)))
        .with_target(START, announcements);
    let queue = Queue::start(WAITING_LINES, io::stderr()).map_err(|error| {
        Error::failure(format!(
            "cannot start the thread that writes the log: {error}"
        ))
    })?;
    let lines = Arc::clone(QUEUE.get_or_init(|| Arc::clone(&queue)));
    let layer = tracing_subscriber::fmt::layer().with_writer(move || Line(Arc::clone(&lines)));
    let layer = if io::stderr().is_terminal() {
        let color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        layer.with_ansi(color).with_target(false).boxed()
    } else {
        layer
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .with_ansi(false)
            .boxed()
    };
    tracing_subscriber::registry()
        .with(layer.with_filter(filter))
        .with(traces.map(telemetry::layer))
        .init();
    std::panic::set_hook(Box::new(log_panic));
    Ok(Log(queue))
}

/// Logs the location of a panic and nothing else: the message can quote the input.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map(ToString::to_string)
        .unwrap_or_default();
    tracing::error!(place, "panicked; this is a bug in Hunkwise");
}
