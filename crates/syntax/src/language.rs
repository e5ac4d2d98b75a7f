//! The table of languages: Linguist's name, tree-sitter grammar, comment syntax, the contexts that can enclose a part of a
//! file, and the roles of node kinds.
//!
//! All differences between languages are data here; the rest of the engine is language-independent. A new language is a
//! grammar dependency and one row.

mod grammar;
mod role;
mod row;
mod table;

pub use grammar::Grammar;
pub use role::Role;
pub use row::Blocks;
pub(crate) use row::{Alternative, Row};
pub use table::ROWS;
