//! How the two sides of a hunk belong together.
//!
//! Tokens are paired, not lines: unchanged lines give pairs at once, and within a run of removed and added lines the
//! pairs are the heaviest common subsequence (names and literals weigh more than brackets). A node's counterpart is
//! then the node of its kind that shares most of its tokens. So a rule can ask what became of a condition, and code
//! that only moved within the file is known as moved; what moved to another file is told by the facts of that file. A name
//! that was renamed all over the file pairs with its new name.
//!
//! Imports `language`, `parse`, `tree` and `semantics`. Start reading in `pairing`.

mod added;
mod align_gaps;
mod calls;
mod conditions;
mod context;
mod counterpart;
mod edit_block;
mod edit_blocks;
mod lost;
mod memo;
mod pairing;
mod removed_identifiers;
mod removed_names;
mod renames;
mod replaced;
mod scope;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use added::{Added, squeeze};
pub(crate) use conditions::LostClause;
pub use context::ChangeContext;
pub(crate) use pairing::Change;
