//! The model engine: turns a change into candidates, with one prompt for each part of the change.
//!
//! [`ModelEngine`] lives as long as the process and holds the models, the cache and the token estimator. One review is
//! a [`run::ModelRun`] with its own budget:
//!
//! 1. The change is packed into as few batches as fit the models' window (`prompt_batch`).
//! 2. The finder's prompt for each batch is sent ([`find`], [`call`]), or its answer is taken from the cache. A failure
//!    affects only its batch.
//! 3. The findings in the answers are located on lines of the batch; these are the candidates.
//! 4. If there are candidates, the conversation has a second turn, in which the model decides which of them to report
//!    ([`decide`]). With a repository, it may request look-ups before ([`look_up`]).
//! 5. The [`pool`] collects the candidates of all batches. At the end it removes duplicates, picks the few that keep their priority,
//!    computes the confidence (`stages`) and reports all of them.

mod call;
mod decide;
mod estimate;
mod find;
mod look_up;
mod model_engine;
mod plain;
mod pool;
mod price;
mod progress;
mod report;
mod run;
#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use model_engine::ModelEngine;
pub use plain::{Plain, PlainEngine};
