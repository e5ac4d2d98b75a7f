//! The model engine: from a change to candidates, by way of the models.
//!
//! [`ModelEngine`] lives as long as the process: models, cache, estimates. For each review it makes a [`run::ModelRun`] with a
//! budget of its own. The change is packed into as few batches as fit the models' window; each batch is looked at by one
//! finder or more, and then by the verifier. What comes of a batch is reported at once, and whatever goes wrong with it
//! costs that batch only.

mod batch_review;
mod call;
mod estimate;
mod model_engine;
mod plain;
mod price;
mod progress;
mod report;
mod run;
#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use model_engine::ModelEngine;
pub use plain::{Plain, PlainEngine};
