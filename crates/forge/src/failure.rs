//! The errors of requests to a host.

use crate::outcome::Error;

/// A failed request.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The token may not do this: 403.
    Forbidden(String),
    /// The host rejects the content: 400 or 422.
    Refused(String),
    /// Any other error, as a message for the user.
    Other(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let (Failure::Forbidden(message) | Failure::Refused(message) | Failure::Other(message)) =
            failure;
        Self::failure(message)
    }
}
