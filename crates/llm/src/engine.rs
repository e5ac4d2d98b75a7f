//! The model engine: from a chunk to candidates, by way of the models.
//!
//! [`ModelEngine`] lives as long as the process: models, cache, estimates. For each review it makes a [`ModelRun`] with a
//! budget of its own. A chunk is cut into parts that fit the models' window; each part is looked at by one finder or more,
//! and then by the verifier. Whatever goes wrong with a part is a warning that names its files.

mod batch_review;
mod call;
mod estimate;
mod model_engine;
mod outcome;
mod price;
mod run;
#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use model_engine::ModelEngine;
