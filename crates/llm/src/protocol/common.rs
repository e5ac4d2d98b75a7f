//! What the protocols have in common.

use review::TokenUsage;
use serde::Serialize;
use serde_json::Value;

use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings};

/// Tokens that no single call can have used: a larger count is not believed.
const ABSURD_TOKENS: u64 = 1 << 32;

/// Where a model is asked, and what every call to it carries.
pub(crate) struct Endpoint {
    /// The path that a base URL without one gets.
    pub(crate) version: &'static str,
    /// The path segments after the base URL.
    pub(crate) segments: Vec<String>,
    /// The protocol's own headers.
    pub(crate) headers: Vec<(&'static str, Key)>,
}

/// What an answer holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) finish: Finish,
    /// Absent when the provider did not say, or said what cannot be.
    pub(crate) usage: Option<TokenUsage>,
}

/// An answer, unless it says nothing although the model claims to be done.
pub(super) fn answer(text: String, finish: Finish, usage: Option<TokenUsage>) -> Result<Decoded, CallError> {
    if text.is_empty() && finish == Finish::Stop {
        return Err(CallError::Garbled);
    }
    Ok(Decoded { text, finish, usage })
}

pub(super) fn output_tokens(settings: &ModelSettings, prompt: &Prompt) -> u64 {
    prompt.max_output_tokens.min(settings.max_output_tokens)
}

/// The body. Texts and numbers under text keys can always be written. It may wait long to be sent: without spare room.
pub(super) fn json(body: &impl Serialize) -> Vec<u8> {
    let mut body = serde_json::to_vec(body).unwrap_or_default();
    body.shrink_to_fit();
    body
}

pub(super) fn count(usage: &Value, name: &str) -> Option<u64> {
    usage.get(name).and_then(Value::as_u64)
}

/// The provider's count. No prompt has no tokens: a zero is a gateway that does not count.
pub(super) fn reported(prompt_tokens: u64, completion_tokens: u64) -> Option<TokenUsage> {
    let total_tokens = prompt_tokens.checked_add(completion_tokens)?;
    (prompt_tokens > 0 && total_tokens < ABSURD_TOKENS).then_some(TokenUsage {
        prompt_tokens,
        completion_tokens,
        total_tokens,
        estimated: false,
    })
}
