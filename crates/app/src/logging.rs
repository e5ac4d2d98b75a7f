//! Logs: JSON lines on stderr for machines, plain text where stderr is a terminal.
//!
//! The level is for this program's own crates. Libraries are kept at warnings whatever is asked for: what they say
//! below that can hold a header, and a header can hold a token.

use std::io::{self, IsTerminal as _};

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// The target of announcements: where the service listens, and that it stops.
pub(crate) const START: &str = "hunkwise::start";

const OWN: [&str; 6] = ["hunkwise", "server", "store", "review", "lint", "llm"];

/// Sends the logs of the rest of the process to stderr: those of our crates down to `level`, announcements down to a
/// level of their own. To be called once.
pub(crate) fn start(level: Level, announcements: Level) {
    let filter = Targets::new()
        .with_default(Level::WARN.min(level))
        .with_targets(OWN.map(|own| (own, level)))
        .with_target(START, announcements);
    let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let layer = if io::stderr().is_terminal() {
        let color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        layer.with_ansi(color).with_target(false).boxed()
    } else {
        layer.json().flatten_event(true).with_ansi(false).boxed()
    };
    tracing_subscriber::registry().with(layer.with_filter(filter)).init();
    std::panic::set_hook(Box::new(log_panic));
}

/// Where a panic happened, and nothing else: its message can quote what was being read.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a defect of this program: it panicked");
}
