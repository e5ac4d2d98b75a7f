//! Variants of requests for providers that reject parts of the usual form.

use crate::settings::{ModelSettings, Protocol};

/// Hosts with OpenAI's own dialect: these names and their subdomains.
const OWN_HOSTS: &[&str] = &[
    "api.openai.com",
    "openai.azure.com",
    "services.ai.azure.com",
    "cognitiveservices.azure.com",
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
}

/// A part of a request that a provider rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Objection {
    /// A parameter that the other dialect of OpenAI's protocol does not use.
    Dialect,
    /// The JSON Schema of the answer.
    Format,
    /// Streaming.
    Streaming,
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
        }
    }

    /// The form with the parts that both have.
    pub(crate) fn and(self, other: Self) -> Self {
        let own = [self.dialect, other.dialect].contains(&Dialect::Own);
        Self {
            dialect: if own {
                Dialect::Own
            } else {
                Dialect::Compatible
            },
            structured: self.structured && other.structured,
            streamed: self.streamed && other.streamed,
        }
    }

    /// The form without the rejected part; `None` if the request did not contain it.
    pub(crate) fn without(self, objection: Objection) -> Option<Self> {
        let other = match objection {
            Objection::Dialect => Self {
                dialect: Dialect::Own,
                ..self
            },
            Objection::Format => Self {
                structured: false,
                ..self
            },
            Objection::Streaming => Self {
                streamed: false,
                ..self
            },
        };
        (other != self).then_some(other)
    }
}
