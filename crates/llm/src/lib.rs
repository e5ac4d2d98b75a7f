//! The boundary of the model engine: what it asks of a language model, and the settings of one.
//!
//! The engine itself is not built yet. A configuration that asks for it is refused at start, so that nobody believes
//! that a model looked at the change when none did.

mod model;
mod settings;

pub use model::{CallError, ChatModel, Prompt, Reply};
pub use settings::{Effort, ModelSettings, Protocol, Settings};
