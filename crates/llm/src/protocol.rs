//! The providers' protocols: pure encoding and decoding, without sockets or state.
//!
//! A base URL is the address below which the protocol's paths begin, for example `https://api.openai.com/v1`. If it has
//! no path, the protocol's usual version is added, so that `https://api.anthropic.com` works too.
//!
//! Sampling parameters are not sent to providers that are known to reject them: OpenAI's reasoning models and
//! Anthropic's newer ones reject `temperature`, and Google recommends Gemini's default (Gemini 3 prompting guide). Only
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
    /// The endpoint of the model, for a complete answer or a stream.
    pub(crate) fn endpoint(self, settings: &ModelSettings, streamed: bool) -> Endpoint {
        (codec(self).endpoint)(settings, streamed)
    }

    /// The header for a configured key.
    pub(crate) fn key_header(self, key: &Key) -> (&'static str, Key) {
        (codec(self).key_header)(key)
    }

    /// The header for a key from a command, which is usually an access token.
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

    /// The body of the request for an answer to `prompt`.
    pub(crate) fn encode(self, settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
        (codec(self).encode)(settings, prompt, form)
    }

    /// The first parameter of `extra_body` that cannot be set there, as a JSON pointer, and the setting that determines
    /// it.
    pub(crate) fn reserved(self, settings: &ModelSettings) -> Option<(String, &'static str)> {
        extra::reserved(&settings.extra_body, codec(self).reserved)
    }
}

#[cfg(test)]
mod tests;
