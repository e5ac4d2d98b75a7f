//! The errors of requests to a host.

/// A failed request.
#[derive(Debug)]
pub enum Failure {
    /// The token may not do this: 403.
    Forbidden(String),
    /// The host rejects the content: 400 or 422.
    Refused(String),
    /// Any other error, as a message for the user.
    Other(String),
}

impl Failure {
    /// The message for the user.
    #[must_use]
    pub fn into_message(self) -> String {
        let (Self::Forbidden(message) | Self::Refused(message) | Self::Other(message)) = self;
        message
    }
}

/// Why the client of a host cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The address of the API is invalid or not safe for a token.
    #[error("--api-url {url}: {reason}")]
    Address {
        /// The address.
        url: String,
        /// The problem with the address.
        reason: String,
    },
    /// The token cannot be sent.
    #[error("the token contains an invalid character: was a line break copied with it?")]
    Token,
    /// The system lacks something, such as its certificates.
    #[error("{0}")]
    Client(String),
}
