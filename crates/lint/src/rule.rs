//! What a rule is, its input and how it reports: all that a rule imports apart from the tree.
//!
//! Imports `language`, `parse`, `tree`, `semantics`, `change` and `facts`. Start reading in `definition`.

mod broken;
mod contexts;
mod definition;
mod diff_sink;
pub(crate) mod evidence;
mod finding_builder;
mod info;
mod missing;
mod place;
mod reference;
mod rule_meta;
mod sink;
mod source;
pub(crate) mod tainted;
pub(crate) mod yaml;

pub use broken::Broken;
pub(crate) use contexts::indent;
pub use contexts::{NodeContext, TextContext};
pub use definition::{Check, On, Rule, Tests};
pub use diff_sink::DiffSink;
pub(crate) use diff_sink::shown_path;
pub use evidence::Evidence;
pub use finding_builder::FindingBuilder;
pub use info::{Kind, RuleInfo};
pub use missing::{Import, Missing};
pub use place::Place;
pub(crate) use reference::is_reference;
pub use reference::reference_url;
pub(crate) use rule_meta::RuleMeta;
pub use sink::Sink;
pub(crate) use source::Source;

pub use crate::change::ChangeContext;
pub use crate::semantics::secrets::quote;
