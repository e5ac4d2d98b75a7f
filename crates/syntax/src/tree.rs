//! A fragment as rules see it: nodes with language-independent accessors.
//!
//! Imports `language` and `parse`. Start reading in `node`.

mod binding;
mod call_cache;
mod calls;
mod cut;
mod definitions;
mod document;
mod fields;
mod index;
mod mentions;
mod meter;
mod node;
mod outline;
mod places;
mod span;
mod statements;
mod syntax;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod unread;
mod walk;

pub use binding::binds;
pub use calls::Call;
pub use document::{Document, Place};
pub use meter::Meter;
pub use node::{Node, Tree};
pub use outline::outline;
pub use syntax::{Assignment, Binary, Branch, Function, Operation};
