//! The model engine: builds prompts for language models and interprets their answers.

mod budget;
mod cache;
mod check;
mod client;
mod engine;
mod fallback;
mod knowledge;
mod locate;
mod looked_up;
mod model;
mod prompt;
mod prompt_batch;
mod protocol;
mod redact;
mod reply;
mod settings;
mod stages;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tls;
mod tokens;

pub use check::{Check, Form, check};
pub use client::{ClientError, HttpModel, TraceParent};
pub use engine::{Estimate, ModelEngine, Plain, PlainEngine};
pub use fallback::{Chain, Jitter, RetryPolicy};
pub use model::{
    Call, CallError, CertificateFault, ChatModel, CredentialError, Finish, LaterTurn, Prompt,
    Reply, Schema, Window,
};
pub use redact::Redactor;
pub use settings::{Key, ModelSettings, Protocol, Reasoning, Settings};
pub use tls::install_tls;
