//! YAML rules: our metadata around ast-grep's rule language. The only module that knows ast-grep's rules.

mod check;
mod compact;
mod document;
mod literal_prefilter;
mod object;
mod pattern;
mod reading;
mod template;
mod value;

pub(crate) use check::{LocatedRule, file};
pub(crate) use document::{Document, Match, Pattern, Root, root};
pub(crate) use literal_prefilter::{Choice, LiteralPrefilter, Present, RequiredLiterals};
pub(crate) use reading::is_id;
pub(crate) use value::At;
