//! Understands code cut out of a file: languages, parsing, trees, and what code means. It knows no rules.
//!
//! Each module imports only from those above it (checked by `xtask/src/rooms.rs`):
//!
//! | module | contains |
//! |---|---|
//! | [`language`] | the differences between languages, as data; their comments and strings are in `review::language::lexical` |
//! | [`parse`] | completes and parses the text of a hunk, within limits |
//! | [`tree`] | nodes, walks over them and the steps these cost, and the meaning of a node regardless of its name in the grammar |
//! | [`semantics`] | the meaning of code, as far as a tree alone shows it: names, types, data flow, secrets |

pub mod language;
pub mod parse;
pub mod semantics;
pub mod tree;
