//! The symbol table of one side of a hunk: scopes, the names that they define, and what each use of a name refers to.
//!
//! It is built in two passes over the flat list of nodes: `collect` finds scopes, definitions and uses, and `resolve`
//! connects them. Differences between languages are data: one `row::Row` for each. A use has no definition in the table
//! if it could be defined by code that is not shown, a wildcard import, code in a string or a syntax error.

pub mod borrowed;
pub mod builtins;
pub mod callables;
mod collect;
pub mod csharp;
pub mod early;
pub mod ended;
pub mod exports;
pub mod garbled;
pub mod go;
pub mod imports;
mod java;
mod java_calls;
mod kotlin;
pub mod locals;
pub mod missing;
pub(crate) mod misspelt;
mod model;
mod outer;
pub mod parameters;
pub mod partly;
pub(crate) mod php;
mod python;
pub mod renamed;
mod resolve;
mod row;
mod ruby;
pub mod rust;
mod script;
pub mod standard;
pub mod static_members;
mod table;
#[cfg(test)]
mod tests;
pub mod unbound;
pub mod written_out;

pub use self::misspelt::{misspelt_constants, misspelt_fields};
#[cfg(test)]
pub(crate) use self::model::Answer;
pub use self::model::{DefKind, Symbols};
use self::table::Table;
use crate::tree::Tree;

impl Symbols {
    /// The symbols of a tree; `None` if its language has no row.
    pub fn of<'t>(tree: &'t Tree<'t>) -> Option<&'t Self> {
        let table = Table::of(tree.grammar())?;
        tree.derived(|| resolve::resolve(collect::collect(tree, table), table))
    }
}
