//! What providers speak: pure encoding and decoding. Nothing here opens a socket or keeps anything.
//!
//! A base URL names the place where the protocol's paths begin, `https://api.openai.com/v1` for example. One without a
//! path gets the protocol's usual version, so that `https://api.anthropic.com` means what its owner says it means.
//!
//! Sampling is left to the provider wherever the provider is known to want it so: OpenAI's reasoning models and
//! Anthropic's newer ones refuse `temperature`, and Google recommends Gemini's default (Gemini 3 prompting guide). Only
//! servers that are merely compatible with OpenAI get `temperature: 0`, see [`openai`].

mod anthropic;
mod gemini;
mod openai;
pub(crate) mod refusal;
pub(crate) mod retry_after;

use review::TokenUsage;
use serde::Serialize;
use serde_json::Value;

pub(crate) use openai::Dialect;

use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings, Protocol};

/// Tokens that no single call can have used: a larger count is not believed.
const ABSURD_TOKENS: u64 = 1 << 32;

/// Where a model is asked, and what every call to it carries.
pub(crate) struct Endpoint {
    /// The path that a base URL without one gets.
    pub(crate) version: &'static str,
    /// What is put behind the base URL.
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

impl Protocol {
    /// Where the model is asked.
    pub(crate) fn endpoint(self, settings: &ModelSettings) -> Endpoint {
        match self {
            Self::OpenAi => openai::endpoint(settings),
            Self::Anthropic => anthropic::endpoint(settings),
            Self::Gemini => gemini::endpoint(settings),
        }
    }

    /// The body that asks for an answer to `prompt`.
    pub(crate) fn encode(self, settings: &ModelSettings, prompt: &Prompt, dialect: Dialect) -> Vec<u8> {
        match self {
            Self::OpenAi => openai::encode(settings, prompt, dialect),
            Self::Anthropic => anthropic::encode(settings, prompt),
            Self::Gemini => gemini::encode(settings, prompt),
        }
    }

    /// What the body of a successful answer says.
    ///
    /// # Errors
    /// The model declined, or the body is no answer.
    pub(crate) fn decode(self, body: &[u8]) -> Result<Decoded, CallError> {
        let decoded = match self {
            Self::OpenAi => openai::decode(body),
            Self::Anthropic => anthropic::decode(body),
            Self::Gemini => gemini::decode(body),
        };
        decoded.map_err(|error| match error {
            CallError::Garbled => refusal::hidden(body).unwrap_or(CallError::Garbled),
            other => other,
        })
    }
}

/// An answer, unless it says nothing although the model claims to be done.
fn answer(text: String, finish: Finish, usage: Option<TokenUsage>) -> Result<Decoded, CallError> {
    if text.is_empty() && finish == Finish::Stop {
        return Err(CallError::Garbled);
    }
    Ok(Decoded { text, finish, usage })
}

fn output_tokens(settings: &ModelSettings, prompt: &Prompt) -> u64 {
    prompt.max_output_tokens.min(settings.max_output_tokens)
}

/// The body. Texts and numbers under text keys can always be written. It may wait long to be sent: without spare room.
fn json(body: &impl Serialize) -> Vec<u8> {
    let mut body = serde_json::to_vec(body).unwrap_or_default();
    body.shrink_to_fit();
    body
}

fn count(usage: &Value, name: &str) -> Option<u64> {
    usage.get(name).and_then(Value::as_u64)
}

/// The provider's count. No prompt has no tokens: a zero is a gateway that does not count.
fn reported(prompt_tokens: u64, completion_tokens: u64) -> Option<TokenUsage> {
    let total_tokens = prompt_tokens.checked_add(completion_tokens)?;
    (prompt_tokens > 0 && total_tokens < ABSURD_TOKENS).then_some(TokenUsage {
        prompt_tokens,
        completion_tokens,
        total_tokens,
        estimated: false,
    })
}

#[cfg(test)]
mod tests;
