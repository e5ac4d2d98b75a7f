//! New code that lacks something that all its siblings have: an authorization check, a comparison with the owner, a test of
//! the result.
//!
//! The idea is known as deviant behaviour (Engler et al., "Bugs as Deviant Behavior", SOSP 2001): the code of a project
//! says what its authors believe to be necessary. Only code that the change adds is compared, with code around it that
//! the change leaves as it is, so what is unusual but old is never reported.

pub(super) mod act;
mod class;
mod compare;
mod filters;
mod lack;
pub(super) mod profile;
mod route;
mod unit;

use crate::tree::Tree;
pub use lack::{Lack, Sibling, What, listed};

/// The lacks of the new functions, classes and routes of a tree.
pub fn lacking<'t>(tree: &'t Tree<'t>) -> Vec<Lack<'t>> {
    // Most changes add no function; the rest of the tree is read only if one does.
    if !tree.changed_nodes().any(unit::is_added) {
        return Vec::new();
    }
    let units = unit::units(tree);
    let mut lacks = route::lacking(&units.routes);
    lacks.extend(class::lacking(&units.classes));
    lacks.extend(compare::lacking(&units.functions));
    lacks
}
