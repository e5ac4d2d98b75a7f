//! The definition of a rule, its input and how it reports: everything that a rule imports apart from the tree.
//!
//! Imports `change` and `facts`. Start reading in `definition`.

mod absent_member;
mod brackets;
mod broken;
mod contexts;
mod definition;
mod diff_sink;
mod evidence;
mod finding_builder;
mod info;
mod lost;
mod missing;
mod not_imported;
mod place;
mod rated_rule;
mod reference;
mod rule_meta;
mod sink;
mod source;
pub mod tainted;
mod wording;
pub(crate) mod yaml;

pub use absent_member::AbsentMember;
pub use brackets::{BRACKET_LANGUAGES, Mismatch, Open, Outcome, brackets};
pub(crate) use brackets::{brackets_of_file, text_of};
pub use broken::Broken;
pub use contexts::{NodeContext, TextContext, indent};
pub use definition::{Check, On, Rule, Tests};
pub use diff_sink::DiffSink;
pub use evidence::{Evidence, EvidenceRow, EvidenceTable};
pub use finding_builder::FindingBuilder;
pub use info::{Kind, RuleInfo};
pub use lost::Lost;
pub use missing::{Import, Missing};
pub use not_imported::NotImported;
pub use place::Place;
pub(crate) use rated_rule::RatedRule;
pub(crate) use reference::is_reference;
pub use reference::reference_url;
pub(crate) use rule_meta::RuleMeta;
pub use sink::Sink;
pub use source::Source;
pub use wording::{counted_calls, shown_path};

pub use crate::change::ChangeContext;
pub use syntax::semantics::secrets::quote;
