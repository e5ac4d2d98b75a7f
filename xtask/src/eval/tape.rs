//! Exchanges with a model as files: recorded once, and replayed without a network any number of times.
//!
//! Each exchange is one small file. Its name is a hash of the protocol, the model, the asker, the whole prompt, and how
//! often the same prompt was sent before, so an interrupted recording continues where it ended. A file contains the
//! answer, and never the prompt, a key or a header.

mod exchange;
mod lock;
mod meter;
mod player;
mod questions;
mod recorder;
#[cfg(test)]
mod tests;

pub(super) use meter::{Meter, Spent};
pub(super) use player::{Missing, Player};
pub(super) use questions::Questions;
pub(super) use recorder::Recorder;
