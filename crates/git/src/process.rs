//! Runs git processes.

use std::ffi::OsStr;
use std::io::{Read, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command};
use std::thread;

use super::command::{self, Hooks};
use super::error::GitError;
use super::version;

/// Maximum size of an output other than a diff, in bytes.
pub(crate) const SHORT: usize = 16 * 1024 * 1024;

/// Git's exit status for an unknown option.
const USAGE: i32 = 129;

/// The output of a git process.
pub(crate) struct Answer {
    pub(crate) success: bool,
    pub(crate) is_usage: bool,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Answer {
    /// The standard output, if git succeeded.
    pub(crate) fn output(self) -> Result<Vec<u8>, GitError> {
        match self {
            Self {
                success: true,
                stdout,
                ..
            } => Ok(stdout),
            answer if answer.stderr.contains("is outside repository") => {
                Err(GitError::Outside(message(&answer)))
            }
            answer => Err(failed(&answer)),
        }
    }

    /// Whether git failed with a message. A failure without a message means that nothing was found.
    pub(crate) fn has_failed(&self) -> bool {
        !self.success && !self.stderr.is_empty()
    }

    /// Whether git failed because a partial clone lacks objects.
    pub(crate) fn lacks_objects(&self) -> bool {
        // Git 2.45 and later print the first message, earlier versions the second.
        self.stderr.contains("lazy fetching disabled")
            || self.stderr.contains("from promisor remote")
    }
}

pub(crate) fn run(command: &mut Command, input: &[u8], limit: usize) -> Result<Answer, GitError> {
    finish(spawn(command)?, input, limit)
}

/// Starts a git process.
pub(crate) fn spawn(command: &mut Command) -> Result<Child, GitError> {
    let started = command.spawn();
    started.map_err(|error| GitError::not_started(&error))
}

/// Sends this input to a process and waits for its answer.
pub(crate) fn finish(child: Child, input: &[u8], limit: usize) -> Result<Answer, GitError> {
    // Output beyond the limit is not read. Git then ends because the pipe is closed.
    let (answer, stdout) =
        finish_with(child, input, |stdout| read(stdout, limit.saturating_add(1)))?;
    if stdout.len() > limit {
        Err(GitError::TooLarge(limit))
    } else {
        Ok(Answer { stdout, ..answer })
    }
}

/// Runs git and passes its stdout to `read`. Unread output is not in the answer.
pub(crate) fn run_with<T>(
    command: &mut Command,
    input: &[u8],
    consume: impl FnOnce(Option<ChildStdout>) -> T,
) -> Result<(Answer, T), GitError> {
    finish_with(spawn(command)?, input, consume)
}

pub(crate) fn finish_with<T>(
    mut child: Child,
    input: &[u8],
    consume: impl FnOnce(Option<ChildStdout>) -> T,
) -> Result<(Answer, T), GitError> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (consumed, stderr) = thread::scope(|scope| {
        let messages = scope.spawn(|| read(stderr, SHORT));
        // If git stopped reading, its exit status shows why.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let consumed = consume(stdout);
        (consumed, messages.join().unwrap_or_default())
    });
    let status = child
        .wait()
        .map_err(|error| GitError::Failed(error.to_string()))?;
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let is_usage = status.code() == Some(USAGE);
    Ok((
        Answer {
            success: status.success(),
            is_usage,
            stdout: Vec::new(),
            stderr,
        },
        consumed,
    ))
}

/// Reads a pipe up to a limit. If reading failed, git's exit status shows it.
pub(crate) fn read(pipe: Option<impl Read>, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _shown_by_the_status = pipe.take(limit as u64).read_to_end(&mut bytes);
    }
    bytes
}

/// The path in git's output.
pub(crate) fn path(stdout: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(
        stdout.strip_suffix(b"\n").unwrap_or(stdout),
    ))
}

pub(crate) fn line(stdout: &[u8]) -> String {
    String::from_utf8_lossy(stdout).trim().to_owned()
}

pub(crate) fn failed(answer: &Answer) -> GitError {
    let reason = message(answer);
    if !answer.is_usage {
        return GitError::Failed(reason);
    }
    let version = run(
        command::command(Path::new("/"), Hooks::Hidden).arg("version"),
        &[],
        SHORT,
    );
    version::unknown_option(
        &version
            .map(|version| line(&version.stdout))
            .unwrap_or_default(),
        reason,
    )
}

/// The first line of git's message, and the command for trusting the repository if git suggests one.
pub(crate) fn message(answer: &Answer) -> String {
    let reason = answer
        .stderr
        .lines()
        .next()
        .unwrap_or("no reason was given")
        .trim_start_matches("fatal: ");
    let remedy = answer
        .stderr
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("git config --global --add safe."));
    match remedy {
        Some(remedy) => format!("{reason}; to trust this repository, run `{remedy}`"),
        None => reason.to_owned(),
    }
}
