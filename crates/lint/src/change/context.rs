//! What a change rule gets.

use super::pairing::Change;
use crate::parse::{FileContext, Hunk};
use crate::tree::Tree;

/// What a change rule gets: both sides of a hunk and how they belong together.
pub struct ChangeContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    /// The tree before.
    pub old: &'a Tree<'a>,
    /// The tree after.
    pub new: &'a Tree<'a>,
    pub(crate) hunk: Hunk<'a>,
    pub(crate) change: &'a Change<'a>,
}
