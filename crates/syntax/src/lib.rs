//! Understands code cut out of a file: languages, parsing, trees, and what code means. It knows no rules.
//!
//! Each module imports only from those above it (checked by `xtask/src/rooms.rs`):
//!
//! | module | contains |
//! |---|---|
//! | [`language`] | the differences between languages, as data; their comments and strings are in `review::language::lexical` |
//! | [`parse`] | completes and parses the text of a hunk, within limits |
//! | [`tree`] | nodes, walks over them and the steps these cost, and what a node means whatever the grammar calls it |
//! | [`semantics`] | what code means, as far as a tree alone shows: names, types, data flow, secrets |

pub mod language;
pub mod parse;
pub mod semantics;
pub mod tree;
