//! The model engine: what it asks of a language model, and what it makes of the answer.

mod budget;
mod cache;
mod check;
mod client;
mod engine;
mod model;
mod part;
mod place;
mod prompt;
mod protocol;
mod redact;
mod reply;
mod settings;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tls;
mod tokens;
mod trouble;
mod verify;
mod vote;

pub use check::{Check, Form, check};
pub use client::{ClientError, HttpModel, TraceParent};
pub use engine::{Estimate, ModelEngine};
pub use model::{CallError, ChatModel, Finish, Prompt, Reply, Schema, Window};
pub use redact::Redactor;
pub use settings::{Effort, Key, ModelSettings, Protocol, Settings};
pub use tls::install_tls;
pub use trouble::{Chain, Jitter, Patience};
