//! A worker process.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use lint::custom::RuleFile;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::frame;

/// How to start a worker. Data for all of its jobs is passed once, here. The program gets no environment, `/` as its
/// folder, and pipes for stdin and stdout.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    pub(super) program: PathBuf,
    pub(super) args: Vec<OsString>,
    /// A frame that is sent to each worker before its greeting; empty for none.
    pub(super) first: Arc<[u8]>,
}

impl WorkerCommand {
    /// This binary with other arguments.
    ///
    /// # Errors
    /// The path of this binary is unknown.
    pub fn this_binary(args: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        // The link leads to the running binary even after an upgrade has replaced the file.
        let link = Path::new("/proc/self/exe");
        let program = if link.exists() {
            link.to_owned()
        } else {
            std::env::current_exe()?
        };
        Ok(Self {
            program,
            args: args.into_iter().collect(),
            first: Arc::default(),
        })
    }

    /// The same with these custom rules for all jobs. The workers must be started with
    /// [`Jobs::ReviewWithCustomRules`](crate::Jobs::ReviewWithCustomRules).
    ///
    /// # Errors
    /// The rules are larger than a frame.
    pub fn with_custom_rules(self, files: &[RuleFile]) -> io::Result<Self> {
        Ok(Self {
            first: frame::encode(&files, frame::REQUEST_BYTES)?.into(),
            ..self
        })
    }
}

/// The only environment variable of a worker: settings of glibc's allocator. A worker parses on one thread, so it needs one
/// heap, and it makes fewer system calls if the heap grows in steps of 4 MiB and keeps up to 16 MiB that are free.
const ALLOCATOR: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.arena_max=1:glibc.malloc.top_pad=4194304:glibc.malloc.trim_threshold=16777216:\
     glibc.malloc.mmap_threshold=4194304",
);

/// A running worker and its pipes.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    jobs: u32,
    /// The tenant of its jobs.
    tenant: Option<Arc<str>>,
}

impl Worker {
    /// Starts a process. Its stderr is discarded, because it could contain text of the diff under review.
    pub(super) fn spawn(command: &WorkerCommand) -> io::Result<Self> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).env_clear().current_dir("/");
        process.env(ALLOCATOR.0, ALLOCATOR.1);
        process
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // A separate process group: on Ctrl-C the service finishes its reviews, and needs its workers for that.
        process.arg0("hunkwise").process_group(0).kill_on_drop(true);
        let mut child = process.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Self {
                child,
                stdin,
                stdout,
                jobs: 0,
                tenant: None,
            }),
            _ => Err(io::Error::other("it has no pipes")),
        }
    }

    /// Sends the first frame, if there is one, and waits at most `time_limit` for the greeting.
    pub(super) async fn greeting(&mut self, first: &[u8], time_limit: Duration) -> io::Result<()> {
        let late = |_| {
            io::Error::new(
                io::ErrorKind::TimedOut,
                "it did not send its greeting in time",
            )
        };
        timeout(time_limit, self.greets(first))
            .await
            .map_err(late)?
    }

    async fn greets(&mut self, first: &[u8]) -> io::Result<()> {
        let closed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => {
                io::Error::other("it ended before it was ready")
            }
            _ => error,
        };
        self.stdin.write_all(first).await.map_err(closed)?;
        let payload = frame::read(&mut self.stdout, frame::GREETING_BYTES)
            .await
            .map_err(closed)?;
        match frame::decode::<(&str, &str)>(&payload) {
            Some(frame::GREETING) => Ok(()),
            Some(frame::UNFILTERED_GREETING) => {
                tracing::warn!("this system does not filter the system calls of a worker process");
                Ok(())
            }
            Some((frame::REFUSAL, reason)) => Err(io::Error::other(reason.to_owned())),
            _ => Err(io::Error::other("it is not a worker of this version")),
        }
    }

    /// Writes a job of a tenant and reads the payload of the answer.
    pub(super) async fn exchange(
        &mut self,
        tenant: &Arc<str>,
        request: &[u8],
    ) -> io::Result<Vec<u8>> {
        self.jobs = self.jobs.saturating_add(1);
        self.tenant = Some(Arc::clone(tenant));
        self.stdin.write_all(request).await?;
        frame::read(&mut self.stdout, frame::ANSWER_BYTES).await
    }

    /// The number of jobs that it was given.
    pub(super) fn jobs(&self) -> u32 {
        self.jobs
    }

    /// The tenant of its jobs; `None` before the first one.
    pub(super) fn tenant(&self) -> Option<&Arc<str>> {
        self.tenant.as_ref()
    }

    /// Whether it is still running.
    pub(super) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it and waits until it is reaped.
    pub(super) async fn end(mut self) {
        let _already_ended = self.child.start_kill();
        let _gone = self.child.wait().await;
    }

    /// The process ID, while it runs.
    #[cfg(test)]
    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }
}
