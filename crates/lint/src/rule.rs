//! The definition of a rule, its input and how it reports: everything that a rule imports apart from the tree.
//!
//! Imports `change` and `facts`. Start reading in `definition`.

mod brackets;
mod contexts;
mod definition;
mod diff_sink;
mod evidence;
mod finding_builder;
mod info;
mod place;
mod rated_rule;
mod reference;
mod rule_meta;
mod sink;
mod source;
pub mod tainted;
pub(crate) mod yaml;

pub use brackets::{BRACKET_LANGUAGES, Mismatch, Open, Outcome, brackets};
pub(crate) use brackets::{brackets_of_file, text_of};
pub use contexts::{NodeContext, TextContext, indent};
pub use definition::{Check, On, Rule, Tests};
pub use diff_sink::DiffSink;
pub use evidence::{Evidence, EvidenceRow, EvidenceTable};
pub use finding_builder::FindingBuilder;
pub use info::{Kind, RuleInfo};
pub use place::Place;
pub(crate) use rated_rule::RatedRule;
pub(crate) use reference::is_reference;
pub use reference::reference_url;
pub(crate) use rule_meta::RuleMeta;
pub use sink::Sink;
pub use source::Source;

pub use crate::change::ChangeContext;
pub use syntax::semantics::secrets::quote;
