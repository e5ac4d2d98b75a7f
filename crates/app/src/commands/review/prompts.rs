//! `--show-prompt`: prints the prompts for the model without sending anything.
//!
//! The review runs as usual, with all engines, rules and budgets, but with a model that records its prompts and never
//! opens a connection. So the prompts shown are always the prompts that a review would send.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use llm::{CallError, Chain, ChatModel, Finish, Prompt, Reply, Window};
use review::TokenUsage;
use review::output::{Format, printable_json};
use serde_json::{Value, json};

/// A reply without candidates. So there is a second turn only if the model is to decide on findings of rules.
const NOTHING: &str = r#"{"findings": []}"#;
/// A reply of a second turn.
const KEPT: &str = r#"{"kept": [{"candidate": "R1"}]}"#;
/// Approximate lower bound on the bytes of a token.
const TOKEN_BYTES: usize = 3;

/// A model that records its prompts and makes no calls.
pub(super) struct Recorder {
    models: Chain,
    asked: Mutex<Vec<Prompt>>,
}

impl Recorder {
    /// A recorder in place of these models.
    pub(super) fn new(models: Chain) -> Self {
        Self {
            models,
            asked: Mutex::default(),
        }
    }

    /// The prompts in the order in which they would be sent.
    pub(super) fn prompts(&self) -> Vec<Prompt> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl ChatModel for Recorder {
    fn name(&self) -> &str {
        self.models.name()
    }

    fn window(&self) -> Window {
        self.models.window()
    }

    /// Completes immediately, so that the prompts are in the order of the change.
    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(prompt.clone());
        let tokens = prompt.bytes().div_ceil(TOKEN_BYTES) as u64;
        let usage = TokenUsage {
            prompt_tokens: tokens,
            completion_tokens: 0,
            total_tokens: tokens,
            estimated: true,
        };
        let reply = Reply {
            text: if prompt.later.is_empty() {
                NOTHING.to_owned()
            } else {
                KEPT.to_owned()
            },
            finish: Finish::Stop,
            usage,
            cached_tokens: 0,
            model: Arc::from(self.name()),
        };
        std::future::ready(Ok(reply)).boxed()
    }
}

/// Renders the prompts as text or JSON.
pub(super) fn render(prompts: &[Prompt], format: Format) -> String {
    match format {
        Format::Json => {
            let prompts: Vec<Value> = prompts.iter().map(as_json).collect();
            printable_json(format!("{:#}\n", json!({ "prompts": prompts })))
        }
        _ => {
            let of = |(at, prompt): (usize, &Prompt)| {
                let which = format!("prompt {} of {}", at + 1, prompts.len());
                let later = prompt.later.iter();
                let later =
                    later.flat_map(|turn| [("answer", &*turn.answer), ("user", &*turn.user)]);
                [("system", &*prompt.system), ("user", &*prompt.user)]
                    .into_iter()
                    .chain(later)
                    .map(|(role, text)| {
                        format!("===== {which}: {role} =====\n{}\n", text.trim_end())
                    })
                    .collect::<String>()
            };
            prompts.iter().enumerate().map(of).collect()
        }
    }
}

fn as_json(prompt: &Prompt) -> Value {
    json!({
        "system": prompt.system,
        "user": prompt.user,
        "later": prompt.later.iter().map(|turn| json!({ "answer": turn.answer, "user": turn.user })).collect::<Vec<_>>(),
        "schema": prompt.schema.json,
        "maxOutputTokens": prompt.max_output_tokens,
    })
}
