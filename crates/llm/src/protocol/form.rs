//! Variants of requests for providers that reject parts of the usual form.

use crate::settings::{ModelSettings, Protocol};

/// Hosts with OpenAI's own dialect: these names and their subdomains.
const OWN_HOSTS: &[&str] = &[
    "api.openai.com", "openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com",
];

/// The dialect of the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `max_completion_tokens`, and the provider's sampling.
    Own,
    /// `max_tokens`, and `temperature: 0`.
    Compatible,
}

impl Dialect {
    /// The dialect that a host most likely speaks.
    pub(crate) fn of(host: &str) -> Self {
        let below = |own: &&str| {
            host.strip_suffix(*own)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if OWN_HOSTS.iter().any(below) {
            Self::Own
        } else {
            Self::Compatible
        }
    }
}

/// The form of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// The dialect of OpenAI's protocol.
    pub(crate) dialect: Dialect,
    /// The request contains the JSON Schema of the answer.
    pub(crate) structured: bool,
    /// The answer is to be streamed.
    pub(crate) streamed: bool,
    /// A stream is to contain the token counts.
    pub(crate) counted: bool,
    /// The sampling temperature is set, in the compatible dialect.
    pub(crate) sampled: bool,
    /// The request states how much the model reasons, if the settings do.
    pub(crate) reasoned: bool,
    /// The request marks what the provider is to cache.
    pub(crate) cached: bool,
    /// The request states that the provider must not store it.
    pub(crate) unstored: bool,
}

/// A part of a request that a provider rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Objection {
    /// The parameter for the length of the answer, which the other dialect of OpenAI's protocol does not use.
    Dialect(Dialect),
    /// The JSON Schema of the answer.
    Format,
    /// Streaming.
    Streaming,
    /// The token counts of a stream.
    StreamOptions,
    /// The sampling temperature.
    Temperature,
    /// How much the model reasons.
    Reasoning,
    /// The marks for the cache of the provider.
    CacheMarks,
    /// That the provider must not store the request.
    Store,
}

impl Form {
    /// The form that the settings request, at this host.
    pub(crate) fn of(settings: &ModelSettings, host: &str) -> Self {
        let is_openai = settings.protocol == Protocol::OpenAi;
        let dialect = if is_openai {
            Dialect::of(host)
        } else {
            Dialect::Own
        };
        Self {
            dialect,
            structured: settings.structured_output,
            streamed: settings.stream,
            counted: true,
            sampled: true,
            reasoned: true,
            cached: true,
            unstored: true,
        }
    }

    /// The form with the parts that both have, in the dialect of the other one.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            dialect: other.dialect,
            structured: self.structured && other.structured,
            streamed: self.streamed && other.streamed,
            counted: self.counted && other.counted,
            sampled: self.sampled && other.sampled,
            reasoned: self.reasoned && other.reasoned,
            cached: self.cached && other.cached,
            unstored: self.unstored && other.unstored,
        }
    }

    /// The form without the rejected part; `None` if the request did not contain it.
    pub(crate) fn without(self, objection: Objection) -> Option<Self> {
        let mut other = self;
        match objection {
            Objection::Dialect(rejected) if self.dialect != rejected => {}
            Objection::Dialect(Dialect::Own) => other.dialect = Dialect::Compatible,
            Objection::Dialect(Dialect::Compatible) => other.dialect = Dialect::Own,
            Objection::Format => other.structured = false,
            Objection::Streaming => other.streamed = false,
            Objection::StreamOptions if self.streamed => other.counted = false,
            Objection::StreamOptions => {}
            Objection::Temperature if self.dialect == Dialect::Own => {}
            Objection::Temperature => other.sampled = false,
            Objection::Reasoning => other.reasoned = false,
            Objection::CacheMarks => other.cached = false,
            Objection::Store => other.unstored = false,
        }
        (other != self).then_some(other)
    }
}
