//! Logs: JSON lines on stderr for machines, plain text where stderr is a terminal.
//!
//! The level is for this program's own crates. Libraries are kept at warnings whatever is asked for: what they say
//! below that can hold a header, and a header can hold a token.
//!
//! A thread of its own writes the lines, so that a pipe that nobody reads does not block requests. The number of waiting
//! lines is limited; beyond that, lines are dropped and counted.

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

const OWN: [&str; 6] = ["hunkwise", "server", "store", "review", "lint", "llm"];

/// Lines that wait to be written. Most are some hundreds of bytes long, the longest some thousands.
const WAITING_LINES: usize = 8_192;
/// How long the process waits at its end until the waiting lines are written.
const LAST_LINES: Duration = Duration::from_secs(1);

static QUEUE: OnceLock<Arc<Queue>> = OnceLock::new();

/// The log. When dropped, it writes the waiting lines, for a second at most.
#[must_use]
pub(crate) struct Log(Arc<Queue>);

impl Drop for Log {
    fn drop(&mut self) {
        self.0.flush(LAST_LINES);
    }
}

/// Lines that were dropped because too many were waiting.
pub(crate) fn dropped_lines() -> usize {
    QUEUE.get().map_or(0, |queue| queue.dropped())
}

/// What the names of its crates begin with. They log every batch that a collector does not take; [`crate::telemetry`] says
/// it once.
const COLLECTORS_OWN: &str = "opentelemetry";

/// Sends the logs of the rest of the process to stderr: those of our crates down to `level`, announcements down to a
/// level of their own. Spans for a collector go to `traces`. Call it once.
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

/// Where a panic happened, and nothing else: its message can quote what was being read.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map(ToString::to_string)
        .unwrap_or_default();
    tracing::error!(place, "a defect of this program: it panicked");
}
