//! Shared parts of the protocols.

use review::TokenUsage;
use serde::Serialize;
use serde_json::{Map, Value};

use super::form::Form;
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings};

/// A larger count is rejected as implausible.
const IMPLAUSIBLE_TOKENS: u64 = 1 << 32;

/// The encoder and decoder of a protocol.
pub(super) struct Codec {
    /// The endpoint of the model, for a complete answer or a stream.
    pub(super) endpoint: fn(&ModelSettings, streamed: bool) -> Endpoint,
    /// The header that carries an API key.
    pub(super) key_header: fn(&Key) -> (&'static str, Key),
    /// Prefixes of the provider's API keys, if access tokens use another header.
    pub(super) key_prefixes: &'static [&'static str],
    /// The body of a request.
    pub(super) encode: fn(&ModelSettings, &Prompt, Form) -> Vec<u8>,
    /// Reads a complete answer.
    pub(super) whole: fn(&[u8]) -> Result<Answer, CallError>,
    /// Adds an event of a stream to the answer so far.
    pub(super) event: fn(&mut Answer, Value) -> Result<(), CallError>,
    /// Why the answer ended, in the provider's term.
    pub(super) finish: fn(&Answer) -> Result<Finish, CallError>,
    /// The token counts that the provider reported, and how many of the tokens were cached.
    pub(super) usage: fn(&Value) -> Option<(TokenUsage, u64)>,
    /// The parameters that `extra_body` must not set, as JSON pointers, each with the setting that determines it.
    pub(super) reserved: &'static [(&'static str, &'static str)],
}

/// The endpoint of a model, and the headers of every call to it.
pub(crate) struct Endpoint {
    /// The path that is added to a base URL without one.
    pub(crate) version: &'static str,
    /// The path segments after the base URL.
    pub(crate) segments: Vec<String>,
    /// A parameter to add to the query.
    pub(crate) parameter: Option<(&'static str, &'static str)>,
    /// The protocol's own headers, except for the key.
    pub(crate) headers: Vec<(&'static str, Key)>,
}

/// The part of an answer that has been received.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    /// The arguments of function calls: some models answer by calling a function.
    pub(super) arguments: String,
    /// The reasoning, if the provider shows it. It is the answer if there is no other.
    pub(super) reasoning: String,
    /// Why it ended, in the provider's term.
    pub(super) reason: Option<String>,
    /// The model declined to answer, or a filter stopped it.
    pub(super) declined: bool,
    /// The provider's token counts.
    pub(super) usage: Value,
    /// The stream has ended properly.
    pub(super) ended: bool,
}

/// The content of an answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) finish: Finish,
    /// Absent if the provider did not report it or reported an implausible count.
    pub(crate) usage: Option<TokenUsage>,
    /// Tokens of the prompt that the provider read from its cache.
    pub(crate) cached_tokens: u64,
}

impl Answer {
    /// Bytes of the answer and the reasoning.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.arguments.len() + self.reasoning.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.arguments.is_empty()
    }

    /// Adds the arguments of a function call.
    pub(super) fn call(&mut self, arguments: &str) {
        if !self.arguments.is_empty() {
            self.arguments.push('\n');
        }
        self.arguments.push_str(arguments);
    }

    /// Replaces the counts that `usage` contains.
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

/// The messages of a conversation, the instructions first if they have a role.
pub(super) fn messages<'p, M>(
    prompt: &'p Prompt,
    instructions: Option<&'static str>,
    model: &'static str,
    message: impl Fn(&'static str, &'p str) -> M,
) -> Vec<M> {
    let mut messages = Vec::with_capacity(2 + 2 * prompt.later.len());
    messages.extend(instructions.map(|role| message(role, &prompt.system)));
    messages.push(message("user", &prompt.user));
    for turn in &prompt.later {
        messages.push(message(model, &turn.answer));
        messages.push(message("user", &turn.user));
    }
    messages
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

/// The body with the parameters of `extra_body`. Strings and numbers under string keys can always be serialized. The
/// body may wait long before it is sent, so spare capacity is released.
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

/// Sets the values of `extra`. Objects on both sides are merged.
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

/// The provider's counts. Every prompt has tokens, so a zero means that a gateway does not count.
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
    (prompt_tokens > 0 && total_tokens < IMPLAUSIBLE_TOKENS).then_some((usage, cached))
}
