//! The `[llm]` section of the settings, as the command-line contract fixes it.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;
use review::Recipient;

/// The section.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Model findings of a change that keep their priority, at most; the others are returned as P3.
    pub max_selected: usize,
    /// Tokens that one review may use.
    pub review_tokens: u64,
    /// Seconds that one call may take.
    pub call_seconds: u64,
    /// Calls at once of one review.
    pub concurrency: usize,
    /// Keep finished chunks in memory, so that a repeated push pays for what changed.
    pub cache: bool,
    /// Whether a review fails where the models reviewed nothing of it. Otherwise the findings of the rules are returned, with a
    /// warning.
    pub required: bool,
    /// The models, in the order of fallback.
    pub models: Vec<ModelSettings>,
}

/// As the command-line contract has them.
impl Default for Settings {
    fn default() -> Self {
        Self {
            max_selected: 6,
            review_tokens: 200_000,
            call_seconds: 120,
            concurrency: 8,
            cache: true,
            required: false,
            models: Vec::new(),
        }
    }
}

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, and whatever is compatible with it.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// One model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// What its provider speaks.
    pub protocol: Protocol,
    /// Its name at the provider.
    pub model: String,
    /// The provider's base URL: the protocol's paths follow it.
    pub base_url: String,
    /// The key; a provider on this machine may need none.
    pub api_key: Option<Key>,
    /// Headers to send beside the protocol's own, such as `api-key` for Azure or a gateway's.
    pub headers: Vec<(String, Key)>,
    /// The proxy that leads to the provider (`http://…`, `https://…`), which may contain a password; by the environment when absent.
    pub proxy: Option<Key>,
    /// The certificate authorities to trust beside the system's, in PEM.
    pub ca_pem: Option<Vec<u8>>,
    /// Whether the provider can hold the model to a JSON Schema.
    pub structured_output: bool,
    /// Tokens that prompt and reply may have together.
    pub context_window: u64,
    /// Tokens that a reply may have.
    pub max_output_tokens: u64,
    /// Price of a million tokens sent.
    pub price_input_per_million: f64,
    /// Price of a million tokens received.
    pub price_output_per_million: f64,
}

impl ModelSettings {
    /// The model and its host, without anything secret that the address may hold.
    pub(crate) fn recipient(&self) -> Recipient {
        let url = Url::parse(self.base_url.trim()).ok();
        let host = url.as_ref().and_then(|url| {
            let host = url.host_str()?;
            Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
        });
        Recipient { host: host.unwrap_or_default(), model: self.model.clone() }
    }
}

/// A secret of a provider's: it is sent, and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key from its text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the header that it goes into.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl FromStr for Protocol {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "gemini" => Ok(Self::Gemini),
            _ => Err("expected openai, anthropic or gemini"),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        })
    }
}

#[cfg(test)]
mod tests {
    use review::Recipient;

    use super::{Key, ModelSettings, Protocol};

    #[test]
    fn a_recipient_is_a_model_and_a_host_without_anything_secret() {
        for (base_url, host) in [
            ("https://user:secret@api.example.com/v1?key=secret", "api.example.com"),
            (" https://api.example.com:443/v1 ", "api.example.com"),
            ("http://127.0.0.1:11434/v1", "127.0.0.1:11434"),
            ("http://[::1]:8000", "[::1]:8000"),
        ] {
            let settings = ModelSettings {
                protocol: Protocol::OpenAi,
                model: "m".to_owned(),
                base_url: base_url.to_owned(),
                api_key: Some(Key::new("secret")),
                headers: Vec::new(),
                proxy: None,
                ca_pem: None,
                structured_output: true,
                context_window: 1,
                max_output_tokens: 1,
                price_input_per_million: 0.0,
                price_output_per_million: 0.0,
            };
            assert_eq!(settings.recipient(), Recipient { host: host.to_owned(), model: "m".to_owned() });
        }
    }

    #[test]
    fn a_protocol_reads_what_it_writes() {
        for protocol in [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini] {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
        }
        assert!("OpenAI".parse::<Protocol>().is_err());
    }
}
