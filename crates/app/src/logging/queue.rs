//! A bounded queue of log lines, and the thread that writes them.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The queue. A line that does not fit is dropped and counted, so that logging never blocks its caller.
pub(super) struct Queue {
    capacity: usize,
    state: Mutex<State>,
    /// Notified when a line was added, and when one was written.
    changed: Condvar,
    dropped: AtomicUsize,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Vec<u8>>,
    is_writing: bool,
}

impl Queue {
    /// Starts a thread that writes lines to `output` for the rest of the process.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn start(
        capacity: usize,
        mut output: impl Write + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let queue = Arc::new(Self {
            capacity,
            state: Mutex::default(),
            changed: Condvar::new(),
            dropped: AtomicUsize::new(0),
        });
        let lines = Arc::clone(&queue);
        let write = move || {
            loop {
                // There is no other place to report the failure.
                let _unwritable = output.write_all(&lines.next());
            }
        };
        thread::Builder::new().name("log".to_owned()).spawn(write)?;
        Ok(queue)
    }

    /// The number of dropped lines.
    pub(super) fn dropped(&self) -> usize {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Waits at most `timeout` until all lines are written.
    pub(super) fn flush(&self, timeout: Duration) {
        let unwritten = |state: &mut State| state.is_writing || !state.lines.is_empty();
        drop(
            self.changed
                .wait_timeout_while(self.lock(), timeout, unwritten),
        );
    }

    fn push(&self, line: &[u8]) {
        let mut state = self.lock();
        if state.lines.len() < self.capacity {
            state.lines.push_back(line.to_vec());
            drop(state);
            self.changed.notify_all();
        } else {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits for the next line to write. The previous one has been written.
    fn next(&self) -> Vec<u8> {
        let mut state = self.lock();
        state.is_writing = false;
        self.changed.notify_all();
        let empty = |state: &mut State| state.lines.is_empty();
        let mut state = self
            .changed
            .wait_while(state, empty)
            .unwrap_or_else(PoisonError::into_inner);
        state.is_writing = true;
        state.lines.pop_front().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds each write to the queue as one line.
pub(super) struct Line(pub(super) Arc<Queue>);

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
    use std::time::Duration;

    use super::{Line, Queue};

    /// Far more than a test needs.
    const LONG: Duration = Duration::from_secs(60);

    /// Reports each line, and then waits until it is allowed to return.
    struct Gate {
        lines: Sender<String>,
        open: Receiver<()>,
    }

    impl Write for Gate {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.lines
                .send(String::from_utf8_lossy(line).into_owned())
                .unwrap();
            self.open.recv().map_err(io::Error::other)?;
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn gated(capacity: usize) -> (Arc<Queue>, Receiver<String>, SyncSender<()>) {
        let ((lines, written), (key, open)) = (channel(), sync_channel(16));
        (
            Queue::start(capacity, Gate { lines, open }).unwrap(),
            written,
            key,
        )
    }

    fn log(queue: &Arc<Queue>, line: &str) {
        Line(Arc::clone(queue)).write_all(line.as_bytes()).unwrap();
    }

    #[test]
    fn lines_that_do_not_fit_are_dropped_and_counted() {
        let (queue, written, key) = gated(2);
        log(&queue, "1");
        assert_eq!(written.recv().unwrap(), "1");
        // The first line is being written and takes no room in the queue.
        for line in ["2", "3", "4", "5"] {
            log(&queue, line);
        }
        assert_eq!(queue.dropped(), 2);
        for _ in 0..3 {
            key.send(()).unwrap();
        }
        queue.flush(LONG);
        assert_eq!(written.try_iter().collect::<Vec<_>>(), ["2", "3"]);
    }

    #[test]
    fn a_flush_waits_for_the_line_being_written_but_not_longer_than_its_timeout() {
        let (queue, written, key) = gated(2);
        log(&queue, "1");
        assert_eq!(written.recv().unwrap(), "1");
        queue.flush(Duration::ZERO);
        assert!(
            queue.lock().is_writing,
            "it returned while the line is being written"
        );
        key.send(()).unwrap();
        queue.flush(LONG);
        assert!(!queue.lock().is_writing);
    }
}
