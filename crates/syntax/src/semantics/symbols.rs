//! The symbol table of one side of a hunk: scopes, the names that they define, and what each use of a name refers to.
//!
//! It is built in two passes over the flat list of nodes: [`collect`] finds scopes, definitions and uses, [`resolve`] connects
//! them. What differs between languages is one [`row::Row`] for each. Nothing is claimed where code that is not shown, a
//! wildcard import, code that is run from text or a syntax error could change the answer: see [`Answer::Unknown`].

pub(crate) mod borrowed;
pub(crate) mod builtins;
mod collect;
pub(crate) mod csharp;
pub(crate) mod exports;
pub(crate) mod go;
pub(crate) mod imports;
mod java;
pub(crate) mod locals;
pub(crate) mod missing;
pub(crate) mod misspelt;
mod model;
mod outer;
pub(crate) mod parameters;
pub(crate) mod php;
mod python;
pub(crate) mod renamed;
mod resolve;
mod row;
mod ruby;
mod script;
mod table;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use self::model::Answer;
pub(crate) use self::model::{DefKind, Symbols};
use self::table::Table;
use crate::tree::Tree;

impl Symbols {
    /// The symbols of a tree; `None` if its language has no row.
    pub(crate) fn of<'t>(tree: &'t Tree<'t>) -> Option<&'t Self> {
        let table = Table::of(tree.grammar())?;
        tree.derived(|| resolve::resolve(collect::collect(tree, table), table))
    }
}
