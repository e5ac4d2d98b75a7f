//! The `[llm]` section of the settings, as specified in the command-line contract.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use reqwest::Url;
use review::Recipient;
use serde_json::{Map, Value};

/// The default of `look_ups`.
pub(crate) const LOOK_UPS: usize = 12;

/// The section.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Maximum number of model findings of a change that keep their priority; the others are returned as P3.
    pub max_selected: usize,
    /// Maximum tokens of one review.
    pub review_tokens: u64,
    /// Time limit of one call, in seconds.
    pub call_seconds: u64,
    /// Maximum concurrent calls of one review.
    pub concurrency: usize,
    /// Maximum look-ups in the repository that the models may request in one review; 0 disables look-ups.
    pub look_ups: usize,
    /// Keep finished chunks in memory, so that a repeated push only pays for what changed.
    pub cache: bool,
    /// Whether a review fails if the models reviewed no part of it. Otherwise the findings of the rules are returned,
    /// with a warning.
    pub required: bool,
    /// The models, in fallback order.
    pub models: Vec<ModelSettings>,
}

/// The defaults of the command-line contract.
impl Default for Settings {
    fn default() -> Self {
        Self {
            max_selected: 6,
            review_tokens: 200_000,
            call_seconds: 120,
            concurrency: 8,
            look_ups: LOOK_UPS,
            cache: true,
            required: false,
            models: Vec::new(),
        }
    }
}

/// The protocol of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, and compatible servers.
    OpenAi,
    /// OpenAI's Responses API.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// How much a model should reason before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasoning {
    /// Not at all, if the model allows that.
    None,
    /// As little as possible.
    Minimal,
    /// Little.
    Low,
    /// A medium amount.
    Medium,
    /// Much.
    High,
}

/// The settings of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// The provider's protocol.
    pub protocol: Protocol,
    /// Its name at the provider.
    pub model: String,
    /// The provider's base URL, which the protocol's paths are appended to.
    pub base_url: String,
    /// The key. A provider on this machine may not need one.
    pub api_key: Option<Key>,
    /// The file that `api_key` was read from; it is read again when it changes.
    pub api_key_file: Option<PathBuf>,
    /// The program and its arguments that print the key; empty if there is none.
    pub credential_command: Vec<String>,
    /// Headers to send in addition to the protocol's own, such as `api-key` for Azure or a gateway's.
    pub headers: Vec<(String, Key)>,
    /// The proxy for the provider (`http://…`, `https://…`), which may contain a password; taken from the environment
    /// if absent.
    pub proxy: Option<Key>,
    /// The certificate authorities to trust in addition to the system's, in PEM.
    pub ca_pem: Option<Vec<u8>>,
    /// Whether the provider can enforce a JSON Schema.
    pub structured_output: bool,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// How much the model reasons; the provider's default if absent.
    pub reasoning: Option<Reasoning>,
    /// Parameters to add to the body of each request.
    pub extra_body: Map<String, Value>,
    /// Maximum tokens of prompt and reply together.
    pub context_window: u64,
    /// Maximum tokens of a reply.
    pub max_output_tokens: u64,
    /// Price of a million tokens sent.
    pub price_input_per_million: f64,
    /// Price of a million tokens received.
    pub price_output_per_million: f64,
}

impl ModelSettings {
    /// A model with the defaults of the settings, without a key, and with the smallest window.
    #[must_use]
    pub fn new(protocol: Protocol, model: impl Into<String>, base_url: impl Into<String>) -> Self {
        Self {
            protocol,
            model: model.into(),
            base_url: base_url.into(),
            api_key: None,
            api_key_file: None,
            credential_command: Vec::new(),
            headers: Vec::new(),
            proxy: None,
            ca_pem: None,
            structured_output: true,
            stream: true,
            reasoning: None,
            extra_body: Map::new(),
            context_window: 1,
            max_output_tokens: 1,
            price_input_per_million: 0.0,
            price_output_per_million: 0.0,
        }
    }

    /// The model and its host, without secrets in the address.
    pub(crate) fn recipient(&self) -> Recipient {
        let url = Url::parse(self.base_url.trim()).ok();
        let host = url.as_ref().and_then(|url| {
            let host = url.host_str()?;
            Some(
                url.port()
                    .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
            )
        });
        Recipient {
            host: host.unwrap_or_default(),
            model: self.model.clone(),
        }
    }
}

/// A secret for a provider. It is sent but never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key from its text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A key from a file or a setting, which may begin with a byte order mark and end with a line feed.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self::new(text.trim_start_matches('\u{feff}').trim())
    }

    /// The text, for its header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// Its name in the settings and in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

impl FromStr for Protocol {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL
            .into_iter()
            .find(|protocol| protocol.name() == text);
        named.ok_or("expected openai, openai-responses, anthropic or gemini")
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Reasoning {
    /// All levels.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Minimal,
        Self::Low,
        Self::Medium,
        Self::High,
    ];

    /// Its name in the settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl FromStr for Reasoning {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL
            .into_iter()
            .find(|reasoning| reasoning.name() == text);
        named.ok_or("expected none, minimal, low, medium or high")
    }
}

#[cfg(test)]
mod tests {
    use review::Recipient;

    use super::{Key, ModelSettings, Protocol};

    #[test]
    fn a_recipient_is_a_model_and_a_host_without_anything_secret() {
        for (base_url, host) in [
            (
                "https://user:secret@api.example.com/v1?key=secret",
                "api.example.com",
            ),
            (" https://api.example.com:443/v1 ", "api.example.com"),
            ("http://127.0.0.1:11434/v1", "127.0.0.1:11434"),
            ("http://[::1]:8000", "[::1]:8000"),
        ] {
            let settings = ModelSettings {
                api_key: Some(Key::new("secret")),
                ..ModelSettings::new(Protocol::OpenAi, "m", base_url)
            };
            assert_eq!(
                settings.recipient(),
                Recipient {
                    host: host.to_owned(),
                    model: "m".to_owned()
                }
            );
        }
    }

    #[test]
    fn a_protocol_round_trips_through_its_name() {
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
        }
        assert!("OpenAI".parse::<Protocol>().is_err());
    }
}
