//! Protection that code loses while it is rewritten: what was awaited, closed, locked, part of a transaction, behind a check or
//! limited is still there, in another place or form, and its protection is not.
//!
//! Both sides are compared as whole files, by what is done and not by where: code that moved to a function of its own keeps
//! its protection only if that function has it, or the functions that call it.

mod awaited;
mod checked;
mod closed;
mod code;
mod exclusive;

use crate::tree::{Node, Tree};
use code::Code;

/// A protection that is gone.
pub struct Loss<'t> {
    /// What it was.
    pub kind: Kind<'t>,
    /// Where to report it: the old protection, or the new code without it.
    pub at: Node<'t>,
    /// The new code that has lost it.
    pub now: Node<'t>,
}

/// The kind of a protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'t> {
    /// The call was awaited.
    Awaited(&'t str),
    /// What the call opens was closed in any case.
    Closed(&'t str),
    /// This field was used under a lock.
    Locked(&'t str),
    /// The call was part of a transaction.
    Transaction(&'t str),
    /// A check with this name came first.
    Check(&'t str),
    /// The owner was compared with the caller.
    Owner(&'t str),
    /// This function made a value safe.
    Escape(&'t str),
    /// A value was limited by this name.
    Limit(&'t str),
}

/// What the file no longer awaits, closes, locks or does in a transaction. Both trees must be whole files.
pub fn guarantees_lost<'t>(old: &'t Tree<'t>, new: &'t Tree<'t>) -> Vec<Loss<'t>> {
    let (old, new) = (Code::of(old), Code::of(new));
    let mut losses = awaited::lost(&old, &new);
    losses.extend(closed::lost(&old, &new));
    losses.extend(exclusive::lost(&old, &new));
    once(losses)
}

/// What the file no longer checks, limits or escapes. Both trees must be whole files.
pub fn checks_lost<'t>(old: &'t Tree<'t>, new: &'t Tree<'t>) -> Vec<Loss<'t>> {
    once(checked::lost(&Code::of(old), &Code::of(new)))
}

/// The first loss of each kind and name.
fn once(mut losses: Vec<Loss<'_>>) -> Vec<Loss<'_>> {
    let mut seen = Vec::new();
    losses.retain(|loss| {
        let is_new = !seen.contains(&loss.kind);
        seen.push(loss.kind);
        is_new
    });
    losses
}
