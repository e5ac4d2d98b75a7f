//! The protocols and their codecs.

use super::common::Codec;
use super::{anthropic, gemini, openai, responses};
use crate::settings::Protocol;

pub(super) const fn codec(protocol: Protocol) -> &'static Codec {
    match protocol {
        Protocol::OpenAi => &openai::CODEC,
        Protocol::OpenAiResponses => &responses::CODEC,
        Protocol::Anthropic => &anthropic::CODEC,
        Protocol::Gemini => &gemini::CODEC,
    }
}
