//! The input of a change rule.

use syntax::parse::{FileContext, Hunk};
use syntax::tree::Tree;

use super::pairing::Change;

/// The input of a change rule: both sides of a hunk and their correspondence.
pub struct ChangeContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    /// The old tree.
    pub old: &'a Tree<'a>,
    /// The new tree.
    pub new: &'a Tree<'a>,
    /// The hunk.
    pub hunk: Hunk<'a>,
    pub(crate) change: &'a Change<'a>,
}
