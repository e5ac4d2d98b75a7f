//! How a request is written to a provider that refuses something of the usual form.

use crate::settings::{ModelSettings, Protocol};

/// Hosts that speak OpenAI's own dialect: these names, and all below them.
const OWN_HOSTS: &[&str] = &[
    "api.openai.com",
    "openai.azure.com",
    "services.ai.azure.com",
    "cognitiveservices.azure.com",
];

/// Which parameters are sent.
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
    /// Which of OpenAI's dialects is spoken.
    pub(crate) dialect: Dialect,
    /// The request has the JSON Schema of the answer.
    pub(crate) structured: bool,
    /// The answer is to be streamed.
    pub(crate) streamed: bool,
}

/// What a provider has refused in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Objection {
    /// A parameter that the other dialect of OpenAI's protocol does without.
    Dialect,
    /// The JSON Schema of the answer.
    Format,
    /// Streaming.
    Streaming,
}

impl Form {
    /// The form that the settings ask for, at this host.
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

    /// The form with what both have.
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

    /// The form without what was refused; `None` if it was not in the request.
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
