//! Shows the progress of long reviews, on terminals only.

use std::convert::Infallible;
use std::future::Future;
use std::io::{IsTerminal as _, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use review::output::counted;

use crate::out::StatusLine;

/// A review that finishes sooner shows no progress.
const DELAY: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of one review. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    done: AtomicUsize,
    total: AtomicUsize,
    findings: AtomicUsize,
}

impl Progress {
    /// Whether it is shown.
    pub(super) fn is_shown() -> bool {
        stderr().is_terminal()
    }

    pub(super) fn advance(&self, now: review::Progress) {
        self.counts.total.store(now.chunks_total, Ordering::Relaxed);
        self.counts.done.store(now.chunks_done, Ordering::Relaxed);
        self.counts.findings.store(now.findings, Ordering::Relaxed);
    }

    /// Runs `work` and shows a status line if it takes long. The line is cleared at the end.
    pub(super) async fn show_during<T>(&self, work: impl Future<Output = T>) -> T {
        if !Self::is_shown() {
            return work.await;
        }
        tokio::select! {
            result = work => result,
            never = self.show() => match never {},
        }
    }

    async fn show(&self) -> Infallible {
        tokio::time::sleep(DELAY).await;
        let mut line = StatusLine::new(stderr());
        let mut ticks = tokio::time::interval(INTERVAL);
        loop {
            ticks.tick().await;
            line.show(&self.text());
        }
    }

    fn text(&self) -> String {
        match (
            self.counts.done.load(Ordering::Relaxed),
            self.counts.total.load(Ordering::Relaxed),
        ) {
            (_, 0) => "reviewing".to_owned(),
            (done, total) => {
                let findings = counted(self.counts.findings.load(Ordering::Relaxed), "finding");
                format!("reviewing: {done} of {total} files, {findings} so far")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn clones_share_the_counts() {
        let progress = Progress::default();
        let clone = progress.clone();
        assert_eq!(progress.text(), "reviewing");
        clone.advance(review::Progress {
            chunks_done: 3,
            chunks_total: 12,
            findings: 1,
        });
        assert_eq!(
            progress.text(),
            "reviewing: 3 of 12 files, 1 finding so far"
        );
    }
}
