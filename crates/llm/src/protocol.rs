//! What providers speak: pure encoding and decoding. Nothing here opens a socket or keeps anything.
//!
//! A base URL names the place where the protocol's paths begin, `https://api.openai.com/v1` for example. One without a
//! path gets the protocol's usual version, so that `https://api.anthropic.com` means what its owner says it means.
//!
//! Sampling is left to the provider wherever the provider is known to want it so: OpenAI's reasoning models and
//! Anthropic's newer ones refuse `temperature`, and Google recommends Gemini's default (Gemini 3 prompting guide). Only
//! servers that are merely compatible with OpenAI get `temperature: 0`, see [`openai`].

mod anthropic;
mod common;
mod gemini;
mod openai;
pub(crate) mod provider_error;
pub(crate) mod retry_after;

pub(crate) use common::{Decoded, Endpoint};
pub(crate) use openai::Dialect;

use crate::model::{CallError, Prompt};
use crate::settings::{ModelSettings, Protocol};

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
            CallError::Garbled => provider_error::hidden(body).unwrap_or(CallError::Garbled),
            other => other,
        })
    }
}

#[cfg(test)]
mod tests;
