//! The outcomes of commands.

use std::fmt::Display;
use std::process::ExitCode;

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: success.
    Success,
    /// 1: findings at or above `--fail-on`.
    Findings,
    /// 1: the client of the language server disappeared without a shutdown request.
    Unannounced,
    /// 2: wrong usage or bad input.
    Usage,
    /// 3: the service or the analysis failed, or the change could not be reviewed.
    Failure,
    /// 130: interrupted by SIGINT, as in shells.
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

/// The error of a command, as a message for the user.
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

impl From<git::GitError> for Error {
    fn from(error: git::GitError) -> Self {
        if error.is_failure() {
            Self::failure(error)
        } else {
            Self::usage(error)
        }
    }
}

impl From<forge::SetupError> for Error {
    fn from(error: forge::SetupError) -> Self {
        match error {
            forge::SetupError::Client(_) => Self::failure(error),
            _ => Self::usage(error),
        }
    }
}

impl From<forge::Failure> for Error {
    fn from(failure: forge::Failure) -> Self {
        Self::failure(failure.into_message())
    }
}

/// The result of a command.
pub(crate) type Outcome = Result<Exit, Error>;
