//! The rules of a review: the built-in ones and the custom ones, compiled for each language.
//!
//! Imports everything before `scan`. Start reading in `rule_set`.

mod catalog;
mod compiled;
mod overlaps;
pub mod pages;
mod rule_file;
mod rule_set;
mod table;
mod yaml_rule;

pub use catalog::Catalog;
pub(crate) use compiled::{Compiled, Examines, Matcher};
pub use overlaps::Overlaps;
pub use rule_file::{Contents, CustomRule, Problem, RuleFile, read};
pub use rule_set::RuleSet;
pub use table::{PrefilterRow, yaml_rules_table};
