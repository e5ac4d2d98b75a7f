//! The narrow trait that every provider implements.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
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

    /// How many models it stands for, in the order of fallback.
    fn count(&self) -> usize {
        1
    }

    /// Asks once, and says in `call` what became of it. A model that stands for several keeps what it remembers of failures
    /// apart by tenant; one that remembers nothing need not tell tenants apart.
    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move { call.track(self.complete(prompt)).await })
    }
}

/// One question to a model that may stand for several.
#[derive(Debug, Default)]
pub struct Call<'a> {
    /// For whom it is.
    pub tenant: &'a str,
    /// How many models, in the order of fallback, are passed over.
    pub skip: usize,
    /// The model that was asked last, in the order of fallback.
    asked: AtomicUsize,
    /// The models that something was sent to: a bit for each of the first 64 in the order of fallback.
    sent_to: AtomicU64,
    /// Times that the prompt was sent.
    sent: AtomicU32,
    /// Tries that failed after the provider had worked on the prompt.
    charged: AtomicU32,
    /// Tries whose reply may have been generated and was not received.
    unreceived: AtomicU32,
}

impl<'a> Call<'a> {
    /// For this tenant, beginning with the model at `skip` in the order of fallback.
    #[must_use]
    pub fn new(tenant: &'a str, skip: usize) -> Self {
        Self {
            tenant,
            skip,
            asked: AtomicUsize::new(skip),
            ..Self::default()
        }
    }

    /// The place of the model that was asked last, in the order of fallback.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// The places, in the order of fallback, of the models that something was sent to.
    pub(crate) fn sent_to(&self) -> impl Iterator<Item = usize> {
        let places = self.sent_to.load(Ordering::Relaxed);
        (0..u64::BITS)
            .filter(move |place| places >> place & 1 == 1)
            .filter_map(|place| place.try_into().ok())
    }

    /// Times that the prompt was sent, a try in progress included.
    pub(crate) fn sent(&self) -> u32 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Tries that failed after the provider had worked on the prompt: each costs the prompt.
    pub(crate) fn charged(&self) -> u32 {
        self.charged.load(Ordering::Relaxed)
    }

    /// Tries whose reply may have been generated and was not received, a try in progress among them: each may cost the prompt and
    /// the longest reply.
    pub(crate) fn unreceived(&self) -> u32 {
        self.unreceived.load(Ordering::Relaxed)
    }

    /// The model at this place is asked.
    pub(crate) fn asks(&self, place: usize) {
        self.asked.store(place, Ordering::Relaxed);
    }

    /// Makes one try. If the future is dropped before the reply, the try stays counted as not received.
    pub(crate) async fn track(
        &self,
        reply: impl Future<Output = Result<Reply, CallError>>,
    ) -> Result<Reply, CallError> {
        self.unreceived.fetch_add(1, Ordering::Relaxed);
        self.sent.fetch_add(1, Ordering::Relaxed);
        let bit = u32::try_from(self.asked())
            .ok()
            .and_then(|place| 1u64.checked_shl(place))
            .unwrap_or_default();
        let before = self.sent_to.fetch_or(bit, Ordering::Relaxed);
        let reply = reply.await;
        let error = reply.as_ref().err();
        if matches!(error, Some(CallError::Credential(_))) {
            self.sent.fetch_sub(1, Ordering::Relaxed);
            self.sent_to.fetch_and(before | !bit, Ordering::Relaxed);
        }
        if !error.is_some_and(|error| error.is_cut_off()) {
            self.unreceived.fetch_sub(1, Ordering::Relaxed);
            self.charged.fetch_add(
                u32::from(error.is_some_and(|error| error.is_charged())),
                Ordering::Relaxed,
            );
        }
        reply
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
    /// The instructions: the same for all prompts of a kind, so it is not copied.
    pub system: Cow<'static, str>,
    /// The data it works on: secrets are masked before they get here.
    pub user: String,
    /// The form of the reply. For a provider that cannot hold a model to it, the prompt describes it.
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
    /// Tokens of the prompt that the provider had in its cache; they are part of `usage`.
    pub cached_tokens: u64,
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
    /// The provider stopped sending: the text is cut, after at least one complete finding.
    Interrupted,
}

/// Why there is no key. No variant holds what a command printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// There is no such program, or it may not be run.
    #[error("credential_command could not be started")]
    NotStarted,
    /// The command failed; without a status, it was killed.
    #[error("credential_command {}", .0.map_or("was killed".to_owned(), |status| format!("ended with status {status}")))]
    Status(Option<i32>),
    /// The command took too long.
    #[error("credential_command did not end within 30 s")]
    TimedOut,
    /// The command printed too much.
    #[error("credential_command printed more than 64 KiB")]
    TooLong,
    /// The command printed nothing that can be sent as a key.
    #[error("credential_command printed no key")]
    NoKey,
}

/// What a member of an organization can do about a model that is not set up as it should be.
pub(crate) const ASK_OPERATOR: &str =
    "ask the operator of this service to check the language model's settings";

/// Who reads why a model did not answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Someone who can change the settings.
    #[default]
    Operator,
    /// A user of a service of somebody else's.
    Member,
}

/// Why there is no reply. No variant holds the provider's text: it may quote the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// There is no key for the call, so it was not made.
    #[error("no key: {0}")]
    Credential(CredentialError),
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
            Self::RateLimited(_)
            | Self::Unavailable(..)
            | Self::Connection
            | Self::TimedOut
            | Self::Garbled => true,
            Self::Credential(_)
            | Self::Key(_)
            | Self::Unknown(_)
            | Self::Refused(_)
            | Self::TooLong
            | Self::Declined
            | Self::TooLarge => false,
        }
    }

    /// Whether the provider worked on the prompt, and most likely charges for it.
    #[must_use]
    pub fn is_charged(self) -> bool {
        self.is_cut_off() || matches!(self, Self::Declined | Self::Garbled)
    }

    /// Whether the reply was not awaited or read to its end, so that its length is unknown.
    #[must_use]
    pub fn is_cut_off(self) -> bool {
        matches!(self, Self::TimedOut | Self::TooLarge)
    }

    /// What its owner can do about it.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Credential(_) => "run the model's `credential_command` by hand",
            Self::Key(_) => "check the model's `api_key`",
            Self::Unknown(_) => "check the model's name and `base_url`",
            Self::Refused(_) => "run `hunkwise config check`",
            Self::TooLong => "set `context_window` to what the model really takes",
            Self::RateLimited(_) => "try again later, or lower `concurrency`",
            Self::Unavailable(..) => "try again later, or configure another model to fall back to",
            Self::Declined => "configure another model to fall back to",
            Self::Connection => "check `base_url`, the proxy and the network",
            Self::TimedOut => "raise `call_seconds`, or choose a faster model",
            Self::TooLarge | Self::Garbled => "check that `base_url` leads to the provider's API",
        }
    }

    /// What someone can do who cannot change the settings.
    #[must_use]
    pub(crate) fn advice_for_members(self) -> &'static str {
        match self {
            Self::RateLimited(_) | Self::Unavailable(..) | Self::Connection | Self::TimedOut => {
                "try again later; if it happens again, tell the operator of this service"
            }
            Self::Credential(_)
            | Self::Key(_)
            | Self::Unknown(_)
            | Self::Refused(_)
            | Self::TooLong
            | Self::Declined
            | Self::TooLarge
            | Self::Garbled => ASK_OPERATOR,
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
