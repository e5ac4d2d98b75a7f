//! The narrow trait behind which every provider stands.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use review::TokenUsage;
use serde_json::Value;

/// A language model that answers one prompt. Dropping the returned future ends the call.
pub trait ChatModel: Send + Sync {
    /// The name that answers carry, for example `gpt-5`.
    fn name(&self) -> &str;

    /// What one call may hold.
    fn window(&self) -> Window;

    /// Asks once.
    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>>;

    /// Asks once for a tenant. What a model remembers of trouble it keeps apart by tenant; one that remembers nothing need not
    /// tell them apart.
    fn complete_for<'a>(&'a self, _tenant: &'a str, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.complete(prompt)
    }
}

/// How much one call may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Tokens that prompt and reply may have together.
    pub context: u64,
    /// Tokens that a reply may have.
    pub output: u64,
}

/// What is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What the model is told to do: the same for all prompts of a kind, so it is not copied.
    pub system: Cow<'static, str>,
    /// The data it works on: secrets are masked before they get here.
    pub user: String,
    /// The form of the reply. A provider that cannot hold a model to it is told in words, by the prompt.
    pub schema: Arc<Schema>,
    /// Tokens that the reply may have.
    pub max_output_tokens: u64,
}

/// A JSON Schema (draft 2020-12) in the subset that providers take: every property required, no others allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// A name for it: letters, digits and underscores.
    pub name: &'static str,
    /// The schema.
    pub json: Value,
}

/// What comes back. It is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Why it ends.
    pub finish: Finish,
    /// The tokens used.
    pub usage: TokenUsage,
    /// The model that answered, as it was configured.
    pub model: Arc<str>,
}

/// Why a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model had said all.
    Stop,
    /// The room for the reply was used up: the text is cut.
    Length,
}

/// Why there is no reply. No variant holds the provider's text: it may quote the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The provider did not take the key (401, 403).
    #[error("the provider refused the key (status {0})")]
    Key(u16),
    /// The provider does not have the model or the address (404).
    #[error("the provider does not know the model or the address (status {0})")]
    Unknown(u16),
    /// The provider refused the request for what it is; the same one will not be taken again.
    #[error("the provider refused the request (status {0})")]
    Refused(u16),
    /// The prompt is longer than the model takes.
    #[error("the prompt is too long for the model")]
    TooLong,
    /// Too many calls; the provider may say how long to wait.
    #[error("the provider allows no more calls at the moment (status 429)")]
    RateLimited(Option<Duration>),
    /// The provider is overloaded or broken; it may say how long to wait.
    #[error("the provider failed (status {0})")]
    Unavailable(u16, Option<Duration>),
    /// The model, or a filter of the provider, would not answer.
    #[error("the model declined to answer")]
    Declined,
    /// The connection could not be made, or broke off.
    #[error("the connection to the provider failed")]
    Connection,
    /// The time allowed ran out.
    #[error("the provider did not answer in time")]
    TimedOut,
    /// The answer is larger than any reply may be; it was not read to its end.
    #[error("the provider's answer was too large")]
    TooLarge,
    /// The answer is not what the protocol says.
    #[error("the provider's answer could not be understood")]
    Garbled,
}

impl CallError {
    /// Whether the same call may well succeed a moment later.
    #[must_use]
    pub fn is_transient(self) -> bool {
        match self {
            Self::RateLimited(_) | Self::Unavailable(..) | Self::Connection | Self::TimedOut | Self::Garbled => true,
            Self::Key(_) | Self::Unknown(_) | Self::Refused(_) | Self::TooLong | Self::Declined | Self::TooLarge => {
                false
            }
        }
    }

    /// How long the provider asked to wait.
    #[must_use]
    pub fn retry_after(self) -> Option<Duration> {
        match self {
            Self::RateLimited(wait) | Self::Unavailable(_, wait) => wait,
            _ => None,
        }
    }
}
