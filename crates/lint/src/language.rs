//! The one table of languages: Linguist's name, tree-sitter grammar, comment syntax, the contexts that a part of a file
//! can stand in, and which node kinds play which role.
//!
//! Everything that differs between languages is data here; the rest of the engine is written once. A new language is a
//! grammar dependency and one row.

mod grammar;
mod role;
mod row;
mod table;

pub use grammar::Grammar;
pub use role::Role;
pub(crate) use row::{Blocks, Row};
pub(crate) use table::ROWS;
