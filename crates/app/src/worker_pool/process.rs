//! One worker process, seen from outside.

use std::io;
use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::{WorkerCommand, frame};

/// A running worker and its pipes.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    jobs: u32,
}

impl Worker {
    /// Starts a process. What it writes to stderr is thrown away: it could hold text of the diff under review.
    pub(super) fn spawn(command: &WorkerCommand) -> io::Result<Self> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).env_clear().current_dir("/");
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own: Ctrl-C asks the service to finish its reviews, and for that it needs its workers.
        process.arg0("hunkwise").process_group(0).kill_on_drop(true);
        let mut child = process.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Self { child, stdin, stdout, jobs: 0 }),
            _ => Err(io::Error::other("it has no pipes")),
        }
    }

    /// Sends the first frame, if there is one, and waits for the greeting that says that the worker is one of ours, and
    /// ready.
    pub(super) async fn greeting(&mut self, first: &[u8]) -> io::Result<()> {
        let closed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => {
                io::Error::other("it ended before it was ready")
            }
            _ => error,
        };
        self.stdin.write_all(first).await.map_err(closed)?;
        let payload = frame::read(&mut self.stdout, 256).await.map_err(closed)?;
        if frame::decode::<(&str, &str)>(&payload) == Some(frame::GREETING) {
            return Ok(());
        }
        Err(io::Error::other("it is not a worker of this version"))
    }

    /// Writes a job and reads the payload of the answer.
    pub(super) async fn exchange(&mut self, request: &[u8]) -> io::Result<Vec<u8>> {
        self.jobs = self.jobs.saturating_add(1);
        self.stdin.write_all(request).await?;
        frame::read(&mut self.stdout, frame::ANSWER_BYTES).await
    }

    /// Jobs that it was given.
    pub(super) fn jobs(&self) -> u32 {
        self.jobs
    }

    /// It has not ended.
    pub(super) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it and waits until the system has let go of it.
    pub(super) async fn end(mut self) {
        let _already_ended = self.child.start_kill();
        let _gone = self.child.wait().await;
    }

    /// The process's number, while it runs.
    #[cfg(test)]
    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }
}
