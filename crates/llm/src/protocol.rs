//! What providers speak: pure encoding and decoding. Nothing here opens a socket or keeps anything.
//!
//! A base URL names the place where the protocol's paths begin, `https://api.openai.com/v1` for example. One without a
//! path gets the protocol's usual version, so that `https://api.anthropic.com` means what its owner says it means.
//!
//! Sampling is left to the provider wherever the provider is known to want it so: OpenAI's reasoning models and
//! Anthropic's newer ones refuse `temperature`, and Google recommends Gemini's default (Gemini 3 prompting guide). Only
//! servers that are merely compatible with OpenAI get `temperature: 0`, see [`openai`].
//!
//! Each protocol is one row of [`table`].
//!
//! The crate `genai` is not used: it reads bodies without a bound and puts them into its errors and trace events, and its adapters are
//! private, so this cannot be changed from outside (`webc/web_client.rs` of 0.7.2).

mod anthropic;
mod common;
mod extra;
mod form;
mod gemini;
mod incoming;
mod openai;
pub(crate) mod provider_error;
mod responses;
pub(crate) mod retry_after;
mod sse;
mod table;
mod version;

pub(crate) use common::{Decoded, Endpoint};
#[cfg(test)]
pub(crate) use form::Dialect;
pub(crate) use form::{Form, Objection};
pub(crate) use incoming::Incoming;
#[cfg(test)]
pub(crate) use incoming::REPLY_BYTES;

use table::codec;

use crate::model::Prompt;
use crate::settings::{Key, ModelSettings, Protocol};

impl Protocol {
    /// Where the model is asked for an answer, in one piece or streamed.
    pub(crate) fn endpoint(self, settings: &ModelSettings, streamed: bool) -> Endpoint {
        (codec(self).endpoint)(settings, streamed)
    }

    /// The header that carries a key from the settings.
    pub(crate) fn key_header(self, key: &Key) -> (&'static str, Key) {
        (codec(self).key_header)(key)
    }

    /// The header that carries a key from a command: most of them are access tokens.
    pub(crate) fn token_header(self, key: &Key) -> (&'static str, Key) {
        let is_key = codec(self)
            .key_prefixes
            .iter()
            .any(|prefix| key.expose().starts_with(prefix));
        if is_key {
            self.key_header(key)
        } else {
            common::bearer(key)
        }
    }

    /// The body that asks for an answer to `prompt`.
    pub(crate) fn encode(self, settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
        (codec(self).encode)(settings, prompt, form)
    }

    /// The first parameter of `extra_body` that is not for it to set, as a JSON pointer, and what decides it instead.
    pub(crate) fn reserved(self, settings: &ModelSettings) -> Option<(String, &'static str)> {
        extra::reserved(&settings.extra_body, codec(self).reserved)
    }
}

#[cfg(test)]
mod tests;
