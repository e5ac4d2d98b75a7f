//! The narrow trait behind which every provider stands.

use futures_util::future::BoxFuture;
use review::TokenUsage;

/// A language model that answers one prompt. Dropping the returned future ends the call.
pub trait ChatModel: Send + Sync {
    /// The name that answers carry, for example `gpt-5`.
    fn name(&self) -> &str;

    /// Asks once.
    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>>;
}

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What the model is told to do.
    pub system: String,
    /// The data it works on: secrets are masked before they get here.
    pub user: String,
    /// Tokens that the reply may have.
    pub max_output_tokens: u32,
}

/// What comes back. It is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The tokens used.
    pub usage: TokenUsage,
}

/// Why there is no reply. No variant holds the provider's text: it may quote the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The provider refused the key, the model or the request.
    #[error("the provider refused the call (status {0})")]
    Refused(u16),
    /// The provider is overloaded or broken.
    #[error("the provider failed (status {0})")]
    Unavailable(u16),
    /// The connection could not be made, or broke off.
    #[error("the connection to the provider failed")]
    Connection,
    /// The time allowed ran out.
    #[error("the provider did not answer in time")]
    TimedOut,
}
