//! Parses a model's reply as far as possible. The result is not yet verified.
//!
//! [`lenient`] reads the JSON, [`search`] finds the list of findings in it under various names and in various
//! wrappings, and [`finding`] reads the properties of a finding. Unreadable replies are requested once more
//! (`engine/call.rs`), so only forms that models often use are supported.

mod decisions;
mod finding;
mod items;
mod lenient;
mod list;
mod lookups;
mod object;
mod quoted;
mod search;
#[cfg(test)]
mod tests;
mod thought;
mod words;

pub(crate) use decisions::{Decisions, Kept, read as read_decisions};
pub(crate) use finding::RawFinding;
pub(crate) use items::Items;
pub(crate) use list::read;
pub(crate) use words::Evidence;
