//! The rule engine: looks at a change and says what is wrong with it, without a network and without a model.
//!
//! [`scan`] is a pure function from a part of a diff to candidates. A hunk is parsed as what it is, a piece cut out of
//! a file, both sides are paired token by token, and each rule looks at what was added, at how it
//! was changed, or at the plain text. `docs/writing-rules.md` tells how to write one.

mod c_flow;
mod c_types;
mod change;
mod compiled;
mod engine;
mod facts;
mod flow;
mod fragment;
mod grammar;
mod limits;
mod names;
mod node;
pub mod own;
mod pattern;
mod php_calls;
mod php_types;
mod python_types;
mod regexp;
mod rule;
mod rule_info;
mod rule_set;
mod rules;
mod scan;
mod script_types;
mod secrets;
mod suppress;
mod syntax;
mod taint;
pub mod testing;
mod types;
mod vocabulary;

pub use engine::InProcess;
pub use facts::{DiffContext, DiffSink, conclude};
pub use grammar::{Grammar, Role};
pub use limits::Limits;
pub use node::{Node, Tree};
pub use rule::{
    ChangeContext, Check, Draft, FileContext, NodeContext, On, Place, Rule, Sink, Tests, TextContext, quote,
};
pub use rule_info::{Kind, RuleInfo};
pub use rule_set::RuleSet;
pub use scan::{Report, scan};
pub use secrets::{DetectorInfo, Kind as DetectorKind, detectors, redacted, shown_code};
pub use syntax::{Assignment, Binary, Branch, Call, Function, Operation};
