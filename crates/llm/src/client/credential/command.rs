//! A key printed by a command. The command is run without a shell, and its output is never logged.
//!
//! Concurrent calls that need a key share one run. A key with an expiry is replaced before it expires, and one without
//! when the provider rejects it. After a failure the command is not run again for [`RETRY_DELAY`].

use std::process::Stdio;
use std::time::{Duration, SystemTime};

use tokio::io::AsyncReadExt as _;
use tokio::process::Child;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::token;
use crate::model::{CallError, CredentialError};
use crate::settings::{Key, ModelSettings};

/// Time limit of a run.
const TIME: Duration = Duration::from_secs(30);
/// Maximum bytes of its output.
const BYTES: usize = 64 * 1024;
/// A key is replaced this long before it expires, or when a quarter of its life is left.
const MARGIN: Duration = Duration::from_secs(60);
/// How long a failure is remembered.
const RETRY_DELAY: Duration = Duration::from_secs(10);

pub(in crate::client) struct Command {
    program: String,
    arguments: Vec<String>,
    last: Mutex<Option<Outcome>>,
}

/// The result of the last run, and how long it is valid.
struct Outcome {
    key: Result<Key, CredentialError>,
    until: Option<Instant>,
}

impl Command {
    /// The configured command, if any.
    pub(super) fn of(settings: &ModelSettings) -> Option<Self> {
        let (program, arguments) = settings.credential_command.split_first()?;
        Some(Self {
            program: program.clone(),
            arguments: arguments.to_vec(),
            last: Mutex::default(),
        })
    }

    /// A key that has not expired and is not `refused`.
    pub(super) async fn key(&self, refused: Option<&Key>) -> Result<Key, CallError> {
        let mut last = self.last.lock().await;
        let is_current = |outcome: &Outcome| {
            let is_refused = outcome
                .key
                .as_ref()
                .ok()
                .is_some_and(|key| Some(key) == refused);
            !is_refused && outcome.until.is_none_or(|until| Instant::now() < until)
        };
        let outcome = match last.take().filter(is_current) {
            Some(outcome) => outcome,
            None => self.run().await,
        };
        let key = outcome.key.clone();
        *last = Some(outcome);
        key.map_err(CallError::Credential)
    }

    async fn run(&self) -> Outcome {
        let key = match timeout(TIME, self.output()).await {
            Ok(output) => {
                output.and_then(|output| token::read(&output, now()).ok_or(CredentialError::NoKey))
            }
            Err(_) => Err(CredentialError::TimedOut),
        };
        match key {
            Ok((key, life)) => {
                let until =
                    life.map(|life| Instant::now() + life.saturating_sub(MARGIN.min(life / 4)));
                Outcome {
                    key: Ok(key),
                    until,
                }
            }
            Err(error) => {
                tracing::warn!(program = self.program, %error, "no key for a language model");
                Outcome {
                    key: Err(error),
                    until: Some(Instant::now() + RETRY_DELAY),
                }
            }
        }
    }

    async fn output(&self) -> Result<Vec<u8>, CredentialError> {
        let mut command = tokio::process::Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command
            .kill_on_drop(true)
            .spawn()
            .map_err(|_| CredentialError::NotStarted)?;
        let output = printed(&mut child).await?;
        let status = child
            .wait()
            .await
            .map_err(|_| CredentialError::Status(None))?;
        if status.success() {
            Ok(output)
        } else {
            Err(CredentialError::Status(status.code()))
        }
    }
}

async fn printed(child: &mut Child) -> Result<Vec<u8>, CredentialError> {
    let mut output = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        let bound = BYTES as u64 + 1;
        pipe.take(bound)
            .read_to_end(&mut output)
            .await
            .map_err(|_| CredentialError::NoKey)?;
    }
    if output.len() > BYTES {
        Err(CredentialError::TooLong)
    } else {
        Ok(output)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the expiry of a key is a time of day"
)]
fn now() -> SystemTime {
    SystemTime::now()
}
