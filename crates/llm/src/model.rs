//! The trait that every provider implements.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use review::TokenUsage;
use serde_json::Value;

/// A language model that answers one prompt. Dropping the returned future cancels the call.
pub trait ChatModel: Send + Sync {
    /// The name reported in answers, for example `gpt-5`.
    fn name(&self) -> &str;

    /// The limits of one call.
    fn window(&self) -> Window;

    /// Makes one call.
    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>>;

    /// The number of models that it represents, in fallback order.
    fn count(&self) -> usize {
        1
    }

    /// Makes one call, and records in `call` what happened. A chain of models tracks failures by tenant; a single model
    /// may ignore the tenant.
    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move { call.track(self.complete(prompt)).await })
    }
}

/// One call to a model or to a chain of models.
#[derive(Debug, Default)]
pub struct Call<'a> {
    /// The tenant of the call.
    pub tenant: &'a str,
    /// How many models to skip, in fallback order.
    pub skip: usize,
    /// The model that was called last, in fallback order.
    asked: AtomicUsize,
    /// The models that a request was sent to: a bit for each of the first 64 in fallback order.
    sent_to: AtomicU64,
    /// How often the prompt was sent.
    sent: AtomicU32,
    /// Attempts that failed after the provider had processed the prompt.
    charged: AtomicU32,
    /// Attempts whose reply may have been generated but was not received.
    unreceived: AtomicU32,
}

impl<'a> Call<'a> {
    /// A call for this tenant, beginning with the model at `skip` in fallback order.
    #[must_use]
    pub fn new(tenant: &'a str, skip: usize) -> Self {
        Self {
            tenant,
            skip,
            asked: AtomicUsize::new(skip),
            ..Self::default()
        }
    }

    /// The index of the model that was called last, in fallback order.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// The indices, in fallback order, of the models that a request was sent to.
    pub(crate) fn sent_to(&self) -> impl Iterator<Item = usize> {
        let places = self.sent_to.load(Ordering::Relaxed);
        (0..u64::BITS)
            .filter(move |place| places >> place & 1 == 1)
            .filter_map(|place| place.try_into().ok())
    }

    /// How often the prompt was sent, including an attempt in progress.
    pub(crate) fn sent(&self) -> u32 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Attempts that failed after the provider had processed the prompt: each costs the prompt.
    pub(crate) fn charged(&self) -> u32 {
        self.charged.load(Ordering::Relaxed)
    }

    /// Attempts whose reply may have been generated but was not received, including one in progress. Each may cost the
    /// prompt and the longest reply.
    pub(crate) fn unreceived(&self) -> u32 {
        self.unreceived.load(Ordering::Relaxed)
    }

    /// Records that the model at this index is called.
    pub(crate) fn asks(&self, place: usize) {
        self.asked.store(place, Ordering::Relaxed);
    }

    /// Makes one attempt. If the future is dropped before the reply, the attempt stays counted as not received.
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

/// The limits of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Maximum tokens of prompt and reply together.
    pub context: u64,
    /// Maximum tokens of a reply.
    pub output: u64,
}

/// A prompt: the messages of a conversation so far, the last of which is the user's.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The instructions. They are the same for all prompts of a kind, so they are not copied.
    pub system: Cow<'static, str>,
    /// The first message: data, with its secrets masked, and a task.
    pub user: String,
    /// The later turns of the conversation. The messages before a turn never change, so that providers read them from
    /// their caches.
    pub later: Vec<LaterTurn>,
    /// The format of the reply. The prompt describes it for providers that cannot enforce it.
    pub schema: Arc<Schema>,
    /// Maximum tokens of the reply.
    pub max_output_tokens: u64,
}

/// A turn of a conversation after the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaterTurn {
    /// The model's answer to the message before.
    pub answer: String,
    /// The user's next message.
    pub user: String,
}

impl Prompt {
    /// Bytes of all messages.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let later = self.later.iter();
        let later = later.map(|turn| turn.answer.len() + turn.user.len());
        self.system.len() + self.user.len() + later.sum::<usize>()
    }

    /// The user's last message.
    #[must_use]
    pub fn last(&self) -> &str {
        self.later.last().map_or(&self.user, |turn| &turn.user)
    }

    /// The same conversation with a longer last message.
    pub(crate) fn with(&self, text: &str) -> Self {
        let mut longer = self.clone();
        match longer.later.last_mut() {
            Some(turn) => turn.user.push_str(text),
            None => longer.user.push_str(text),
        }
        longer
    }
}

/// A JSON Schema (draft 2020-12) in the subset that providers accept: every property required, no additional ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name: letters, digits and underscores.
    pub name: &'static str,
    /// The schema.
    pub json: Value,
}

/// A model's reply. It is untrusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Why the reply ended.
    pub finish: Finish,
    /// The tokens used.
    pub usage: TokenUsage,
    /// Tokens of the prompt that the provider read from its cache; included in `usage`.
    pub cached_tokens: u64,
    /// The model that answered, under its configured name.
    pub model: Arc<str>,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The token limit was reached: the text is cut off.
    Length,
    /// The provider stopped sending: the text is cut off after at least one complete finding.
    Interrupted,
}

/// Why there is no key. No variant contains output of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// The program does not exist or may not be executed.
    #[error("credential_command could not be started")]
    NotStarted,
    /// The command failed. Without a status, it was killed.
    #[error("credential_command {}", .0.map_or("was killed".to_owned(), |status| format!("ended with status {status}")))]
    Status(Option<i32>),
    /// The command took too long.
    #[error("credential_command did not end within 30 s")]
    TimedOut,
    /// The command printed too much.
    #[error("credential_command printed more than 64 KiB")]
    TooLong,
    /// The output of the command cannot be sent as a key.
    #[error("credential_command printed no key")]
    NoKey,
}

/// Advice for members of an organization about a misconfigured model.
pub(crate) const ASK_OPERATOR: &str =
    "ask the operator of this service to check the language model's settings";

/// The reader of a message about a failed model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Can change the settings.
    #[default]
    Operator,
    /// Uses a service that someone else operates.
    Member,
}

/// Why there is no reply. No variant contains the provider's text, because it may quote the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// There is no key, so the call was not made.
    #[error("no key: {0}")]
    Credential(CredentialError),
    /// The provider refused the key (401, 403).
    #[error("the provider refused the key (status {0})")]
    Key(u16),
    /// The provider does not have the model or the address (404).
    #[error("the provider does not know the model or the address (status {0})")]
    Unknown(u16),
    /// The provider rejected the request itself; sending it again does not help.
    #[error("the provider refused the request (status {0})")]
    Refused(u16),
    /// The prompt is too long for the model.
    #[error("the prompt is too long for the model")]
    TooLong,
    /// Too many calls. The provider may state how long to wait.
    #[error("the provider allows no more calls at the moment (status 429)")]
    RateLimited(Option<Duration>),
    /// The provider is overloaded or broken. It may state how long to wait.
    #[error("the provider failed (status {0})")]
    Unavailable(u16, Option<Duration>),
    /// The model or a filter of the provider declined to answer.
    #[error("the model declined to answer")]
    Declined,
    /// The connection could not be made, or was lost.
    #[error("the connection to the provider failed")]
    Connection,
    /// The provider's certificate was rejected, so nothing was sent.
    #[error("the provider's certificate was rejected: {0}")]
    Certificate(CertificateFault),
    /// The time allowed ran out.
    #[error("the provider did not answer in time")]
    TimedOut,
    /// The answer is larger than any reply may be, and was not read to its end.
    #[error("the provider's answer was too large")]
    TooLarge,
    /// The answer violates the protocol.
    #[error("the provider's answer could not be understood")]
    Garbled,
}

/// Why a certificate was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// No trusted authority issued it.
    #[error("no trusted authority issued it")]
    Issuer,
    /// It is for another host.
    #[error("it is for another host than that of `base_url`")]
    Host,
    /// It has expired or is not valid yet.
    #[error("it has expired or is not valid yet")]
    Time,
    /// It is the certificate of an authority, as `openssl req -x509` makes it by default.
    #[error("it is the certificate of an authority, and not of a server")]
    Authority,
    /// Something else.
    #[error("it is not valid")]
    Other,
}

impl CertificateFault {
    /// Advice for the operator.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Issuer => {
                "set `ca_file` to the certificate of the authority that issued it, or of the proxy that replaces it"
            }
            Self::Host => "use a host in `base_url` that the certificate names",
            Self::Time => "renew the certificate, and check the clock of this machine",
            Self::Authority => {
                "create one with `openssl req -x509 -addext basicConstraints=critical,CA:FALSE`, and set `ca_file` to it"
            }
            Self::Other => "check the provider's certificate with `openssl s_client`",
        }
    }
}

impl CallError {
    /// Whether the same call may succeed a moment later.
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
            | Self::Certificate(_)
            | Self::TooLong
            | Self::Declined
            | Self::TooLarge => false,
        }
    }

    /// Whether the provider processed the prompt and most likely charges for it.
    #[must_use]
    pub fn is_charged(self) -> bool {
        self.is_cut_off() || matches!(self, Self::Declined | Self::Garbled)
    }

    /// Whether the reply was not read to its end, so that its length is unknown.
    #[must_use]
    pub fn is_cut_off(self) -> bool {
        matches!(self, Self::TimedOut | Self::TooLarge)
    }

    /// Advice for the operator.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Credential(_) => "run the model's `credential_command` by hand",
            Self::Key(_) => "check the model's `api_key`",
            Self::Unknown(_) => "check the model's name and `base_url`",
            Self::Refused(_) => "run `hunkwise config check`",
            Self::TooLong => "set `context_window` to the model's actual limit",
            Self::RateLimited(_) => "try again later, or lower `concurrency`",
            Self::Unavailable(..) => "try again later, or configure another model to fall back to",
            Self::Declined => "configure another model to fall back to",
            Self::Connection => "check `base_url`, the proxy and the network",
            Self::Certificate(fault) => fault.advice(),
            Self::TimedOut => "raise `call_seconds`, or choose a faster model",
            Self::TooLarge | Self::Garbled => {
                "check that `base_url` is the address of the provider's API"
            }
        }
    }

    /// Advice for users who cannot change the settings.
    #[must_use]
    pub(crate) fn advice_for_members(self) -> &'static str {
        match self {
            Self::RateLimited(_) | Self::Unavailable(..) | Self::Connection | Self::TimedOut => {
                "try again later; if it happens again, contact the operator of this service"
            }
            Self::Credential(_)
            | Self::Key(_)
            | Self::Unknown(_)
            | Self::Refused(_)
            | Self::Certificate(_)
            | Self::TooLong
            | Self::Declined
            | Self::TooLarge
            | Self::Garbled => ASK_OPERATOR,
        }
    }

    /// The retry delay that the provider requested.
    #[must_use]
    pub fn retry_after(self) -> Option<Duration> {
        match self {
            Self::RateLimited(wait) | Self::Unavailable(_, wait) => wait,
            _ => None,
        }
    }
}
