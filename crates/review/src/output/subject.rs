//! What a format is given.

use crate::diff::Diff;
use crate::output::gate::Gate;
use crate::output::json::ReviewBody;
use crate::output::pretty;

/// What a format shows.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The review, from this process or from a service.
    pub body: &'a ReviewBody,
    /// The diff that was reviewed.
    pub diff: &'a Diff<'a>,
    /// Which findings fail the run.
    pub gate: Gate,
    /// The texts of a rule, where they are known.
    pub rules: &'a dyn Fn(&str) -> Option<RuleText>,
    /// Takes secrets out of lines of code.
    pub mask: pretty::Mask,
}

/// What a rule says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// What is found, in a few words.
    pub title: String,
    /// Why it matters.
    pub why: String,
    /// What to do about it.
    pub fix: String,
    /// All of it as a page of Markdown.
    pub page: String,
}
