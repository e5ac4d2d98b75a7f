//! Understands code cut out of a file: languages, parsing, trees, and what code means. It knows no rules.
//!
//! The modules, each of which imports only from those before it: [`language`], [`parse`], [`tree`], [`semantics`].

pub mod language;
pub mod parse;
pub mod semantics;
pub mod tree;
