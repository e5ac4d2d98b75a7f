//! What the protocols have in common.

use review::TokenUsage;
use serde::Serialize;
use serde_json::{Map, Value};

use super::form::Form;
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings};

/// Tokens that no single call can have used: a larger count is not believed.
const ABSURD_TOKENS: u64 = 1 << 32;

/// How a protocol is written and read.
pub(super) struct Codec {
    /// Where the model is asked for an answer, in one piece or streamed.
    pub(super) endpoint: fn(&ModelSettings, streamed: bool) -> Endpoint,
    /// The header that carries an API key.
    pub(super) key_header: fn(&Key) -> (&'static str, Key),
    /// What the provider's API keys begin with, if another header is for access tokens.
    pub(super) key_prefixes: &'static [&'static str],
    /// The body that asks for an answer.
    pub(super) encode: fn(&ModelSettings, &Prompt, Form) -> Vec<u8>,
    /// Reads an answer that came in one piece.
    pub(super) whole: fn(&[u8]) -> Result<Answer, CallError>,
    /// Adds an event of a stream to the answer so far.
    pub(super) event: fn(&mut Answer, Value) -> Result<(), CallError>,
    /// Why the answer ended, in the provider's word.
    pub(super) finish: fn(&Answer) -> Result<Finish, CallError>,
    /// The tokens that the provider counted, and those of them that it had in its cache.
    pub(super) usage: fn(&Value) -> Option<(TokenUsage, u64)>,
    /// What `extra_body` must not set, as JSON pointers, each with the setting that decides it instead.
    pub(super) reserved: &'static [(&'static str, &'static str)],
}

/// Where a model is asked, and what every call to it carries.
pub(crate) struct Endpoint {
    /// The path that a base URL without one gets.
    pub(crate) version: &'static str,
    /// The path segments after the base URL.
    pub(crate) segments: Vec<String>,
    /// A parameter to add to the query.
    pub(crate) parameter: Option<(&'static str, &'static str)>,
    /// The protocol's own headers, except for the key.
    pub(crate) headers: Vec<(&'static str, Key)>,
}

/// An answer as far as it has been received.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    /// The arguments of function calls: some models answer by calling a function.
    pub(super) arguments: String,
    /// Why it ended, in the provider's word.
    pub(super) reason: Option<String>,
    /// The model declined to answer, or a filter stopped it.
    pub(super) declined: bool,
    /// The provider's count of tokens.
    pub(super) usage: Value,
    /// The stream has had its last event.
    pub(super) ended: bool,
}

/// What an answer holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) finish: Finish,
    /// Absent when the provider did not report it, or reported the impossible.
    pub(crate) usage: Option<TokenUsage>,
    /// Tokens of the prompt that the provider had in its cache.
    pub(crate) cached_tokens: u64,
}

impl Answer {
    /// Bytes of the answer.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.arguments.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the arguments of a function call.
    pub(super) fn call(&mut self, arguments: &str) {
        if !self.arguments.is_empty() {
            self.arguments.push('\n');
        }
        self.arguments.push_str(arguments);
    }

    /// Replaces the counts that `usage` has.
    pub(super) fn count(&mut self, usage: Value) {
        match (&mut self.usage, usage) {
            (_, Value::Null) => {}
            (Value::Object(known), Value::Object(new)) => {
                known.extend(new.into_iter().filter(|(_, count)| !count.is_null()));
            }
            (known, new) => *known = new,
        }
    }

    /// The text, then the arguments of function calls.
    pub(super) fn into_text(self) -> String {
        match (self.text.is_empty(), self.arguments.is_empty()) {
            (_, true) => self.text,
            (true, false) => self.arguments,
            (false, false) => self.text + "\n" + &self.arguments,
        }
    }
}

pub(super) fn output_tokens(settings: &ModelSettings, prompt: &Prompt) -> u64 {
    prompt.max_output_tokens.min(settings.max_output_tokens)
}

pub(super) fn bearer(key: &Key) -> (&'static str, Key) {
    (
        "authorization",
        Key::new(format!("Bearer {}", key.expose())),
    )
}

/// The body with the parameters of `extra_body`. Texts and numbers under text keys can always be written. It may wait long
/// to be sent: without spare room.
pub(super) fn json(body: &impl Serialize, extra: &Map<String, Value>) -> Vec<u8> {
    let mut body = if extra.is_empty() {
        serde_json::to_vec(body).unwrap_or_default()
    } else {
        let mut body = serde_json::to_value(body).unwrap_or_default();
        merge(&mut body, &Value::Object(extra.clone()));
        serde_json::to_vec(&body).unwrap_or_default()
    };
    body.shrink_to_fit();
    body
}

/// Sets what `extra` has; objects on both sides are merged.
fn merge(body: &mut Value, extra: &Value) {
    match (body, extra) {
        (Value::Object(body), Value::Object(extra)) => {
            for (name, value) in extra {
                merge(body.entry(name).or_insert(Value::Null), value);
            }
        }
        (body, extra) => body.clone_from(extra),
    }
}

pub(super) fn count(usage: &Value, name: &str) -> Option<u64> {
    usage.get(name).and_then(Value::as_u64)
}

/// The provider's count. No prompt has no tokens: a zero is a gateway that does not count.
pub(super) fn reported(
    prompt_tokens: u64,
    completion_tokens: u64,
    cached: Option<u64>,
) -> Option<(TokenUsage, u64)> {
    let total_tokens = prompt_tokens.checked_add(completion_tokens)?;
    let usage = TokenUsage {
        prompt_tokens,
        completion_tokens,
        total_tokens,
        estimated: false,
    };
    let cached = cached.unwrap_or_default().min(prompt_tokens);
    (prompt_tokens > 0 && total_tokens < ABSURD_TOKENS).then_some((usage, cached))
}
