//! The rules that a review uses: the built-in ones and those of the user's own, compiled for each language.
//!
//! Imports everything before `scan`. Start reading in `rule_set`.

mod compiled;
pub mod pages;
mod rule_file;
mod rule_set;

pub(crate) use compiled::{Compiled, Looks, Matcher};
pub use rule_file::{Contents, CustomRule, Problem, RuleFile, read};
pub use rule_set::RuleSet;
