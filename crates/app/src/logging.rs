//! Logs: JSON lines on stderr for machines, plain text where stderr is a terminal.
//!
//! The level is for this program's own crates. Libraries are kept at warnings whatever is asked for: what they say
//! below that can hold a header, and a header can hold a token.
//!
//! A thread of its own writes the lines, so that a pipe that nobody empties holds up no request. The lines that wait are
//! bounded; beyond that they are dropped, and counted.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;

use opentelemetry_sdk::trace::SdkTracer;
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// The target of announcements: where the service listens, and that it stops.
pub(crate) const START: &str = "hunkwise::start";

const OWN: [&str; 6] = ["hunkwise", "server", "store", "review", "lint", "llm"];

/// Lines that wait to be written. One has some hundreds of bytes, and some thousands at most.
const WAITING_LINES: usize = 8_192;

static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Writes the log until it is dropped, and then what waits, for a second at most.
#[must_use]
pub(crate) struct Log(#[expect(dead_code, reason = "it is there to be dropped")] WorkerGuard);

/// Lines that were dropped because nobody took them.
pub(crate) fn dropped_lines() -> usize {
    DROPPED.get().map_or(0, ErrorCounter::dropped_lines)
}

/// What the names of its crates begin with. They log every batch that a collector does not take; [`crate::telemetry`] says
/// it once.
const COLLECTORS_OWN: &str = "opentelemetry";

/// Sends the logs of the rest of the process to stderr: those of our crates down to `level`, announcements down to a
/// level of their own. Spans that are meant for a collector go to `traces`. To be called once.
pub(crate) fn start(level: Level, announcements: Level, traces: Option<SdkTracer>) -> Log {
    let filter = Targets::new()
        .with_default(Level::WARN.min(level))
        .with_target(COLLECTORS_OWN, LevelFilter::OFF)
        .with_targets(OWN.map(|own| (own, level)))
        .with_target(START, announcements);
    let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(WAITING_LINES).finish(io::stderr());
    DROPPED.get_or_init(|| writer.error_counter());
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    let layer = if io::stderr().is_terminal() {
        let color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        layer.with_ansi(color).with_target(false).boxed()
    } else {
        layer.json().flatten_event(true).with_span_list(false).with_ansi(false).boxed()
    };
    let traces = traces.map(|tracer| {
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        // Only what the span itself says: no file, thread or timing of ours.
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_target(false);
        layer.with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == server::TRACES))
    });
    tracing_subscriber::registry().with(layer.with_filter(filter)).with(traces).init();
    std::panic::set_hook(Box::new(log_panic));
    Log(guard)
}

/// Where a panic happened, and nothing else: its message can quote what was being read.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a defect of this program: it panicked");
}
