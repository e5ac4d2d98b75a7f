//! The model engine: from a change to candidates, by way of the models.
//!
//! [`ModelEngine`] lives as long as the process: models, cache, estimates. For each review it makes a [`run::ModelRun`] with a
//! budget of its own. The change is packed into as few batches as fit the models' window, and finders look for candidates in
//! each; whatever goes wrong with a batch costs that batch only. Deduplicated and marked by their evidence, the candidates of all
//! batches are the [`pool`], from which a selector chooses in one call; the serious ones among those are
//! then tried to be refuted in another.

mod call;
mod estimate;
mod falsify;
mod find;
mod listing;
mod model_engine;
mod plain;
mod pool;
mod price;
mod progress;
mod report;
mod run;
mod select;
#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use model_engine::ModelEngine;
pub use plain::{Plain, PlainEngine};
