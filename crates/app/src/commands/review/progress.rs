//! A progress bar for reviews that take long, on a terminal only.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A review that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// How far a review is. Clones show the same bar.
#[derive(Debug, Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Default for Progress {
    fn default() -> Self {
        Self { bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()) }
    }
}

impl Progress {
    /// Whether there is somebody to see it.
    pub(super) fn is_shown() -> bool {
        stderr().is_terminal()
    }

    /// Notes how far it is.
    pub(super) fn advance(&self, now: review::Progress) {
        self.bar.set_length(now.chunks_total as u64);
        self.bar.set_position(now.chunks_done as u64);
    }

    /// Does `work`, with a bar once it takes long, and takes the bar away.
    pub(super) async fn beside<T>(&self, work: impl Future<Output = T>) -> T {
        let result = tokio::select! {
            result = work => result,
            never = self.appear() => match never {},
        };
        self.bar.finish_and_clear();
        result
    }

    async fn appear(&self) -> Infallible {
        if Self::is_shown() {
            tokio::time::sleep(PATIENCE).await;
            let style = ProgressStyle::with_template("{spinner} reviewing {wide_bar} {pos}/{len} files, {eta} left");
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
        pending().await
    }
}
