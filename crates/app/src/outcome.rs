//! How commands end.

use std::fmt::Display;
use std::process::ExitCode;

/// How a command ended: the process's exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Success,
    /// 1: findings at or above `--fail-on`.
    Findings,
    /// 1: the client of the language server was gone before it had asked it to shut down.
    Unannounced,
    /// 2: wrong usage or bad input.
    Usage,
    /// 3: the service or the analysis failed, or what was to be reviewed was not.
    Failure,
    /// 130: SIGINT ended it, as shells count signals.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Findings | Exit::Unannounced => 1,
            Exit::Usage => 2,
            Exit::Failure => 3,
            Exit::Interrupted => 130,
        })
    }
}

/// Why a command could not do its work, in words for the person who typed it.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Error {
    /// Wrong usage or bad input: status 2.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self {
            exit: Exit::Usage,
            message: message.to_string(),
        }
    }

    /// The service or the analysis failed: status 3.
    pub(crate) fn failure(message: impl Display) -> Self {
        Self {
            exit: Exit::Failure,
            message: message.to_string(),
        }
    }

    /// SIGINT: status 130.
    pub(crate) fn interrupted() -> Self {
        Self {
            exit: Exit::Interrupted,
            message: "interrupted".to_owned(),
        }
    }
}

/// What every command returns.
pub(crate) type Outcome = Result<Exit, Error>;
