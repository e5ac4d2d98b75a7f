//! How the two sides of a hunk correspond.
//!
//! Tokens are paired, not lines. Unchanged lines pair directly. Within a run of removed and added lines the pairing is
//! the heaviest common subsequence (names and literals weigh more than brackets). The counterpart of a node is the node
//! of the same kind that shares most of its tokens. So a rule can look up how a condition changed, and code that moved
//! within the file is recognized. Code that moved to another file is found through that file's facts. A name that was
//! renamed throughout the file pairs with its new name.
//!
//! Start reading in `pairing`.

mod added;
mod align_gaps;
mod branches;
mod calls;
mod conditions;
mod context;
mod counterpart;
mod edit_block;
mod edit_blocks;
mod lost;
mod memo;
mod null_guards;
mod pairing;
mod removed_identifiers;
mod removed_names;
mod renamed_locals;
mod renames;
mod replaced;
mod scope;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use added::Added;
pub use added::squeeze;
pub use conditions::LostClause;
pub use context::ChangeContext;
pub use null_guards::{NullGuard, short_branch};
pub(crate) use pairing::Change;
