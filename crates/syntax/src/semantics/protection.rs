//! Protection that code loses while it is rewritten: an act that was awaited, closed, locked, part of a transaction, behind a
//! check or limited is still there, in another place or form, and its protection is not.
//!
//! Both sides are compared as whole files, by what is done and not by where: code that moved to a function of its own keeps
//! its protection only if that function has it, or the functions that call it.

mod awaited;
mod checked;
mod closed;
mod code;
mod exclusive;
mod loss;

use crate::tree::Tree;
use code::Code;
pub use loss::{Kind, Loss};

/// Calls that are no longer awaited, closed or part of a transaction, and fields that are no longer locked. Both trees must be whole files.
pub fn guarantees_lost<'t>(old: &'t Tree<'t>, new: &'t Tree<'t>) -> Vec<Loss<'t>> {
    let (old, new) = (Code::of(old), Code::of(new));
    let mut losses = awaited::lost(&old, &new);
    losses.extend(closed::lost(&old, &new));
    losses.extend(exclusive::lost(&old, &new));
    once(losses)
}

/// Checks, limits and escapes that are gone. Both trees must be whole files.
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
