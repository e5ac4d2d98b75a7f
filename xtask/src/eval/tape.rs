//! Exchanges with a model, kept as files: recorded once, replayed without a network as often as one likes.
//!
//! One exchange is one small file. Its name is a hash of the protocol, the model, who asks and the whole prompt, and how often
//! the same was asked before, so an interrupted recording goes on where it ended. A file holds the answer and never the prompt,
//! a key or a header.

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
