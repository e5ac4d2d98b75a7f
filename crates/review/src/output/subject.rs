//! The input of a format.

use crate::diff::Diff;
use crate::finding::{Category, Priority};
use crate::output::gate::Gate;
use crate::output::json::ReviewBody;

/// Masks secrets in a line of code that a finding of this category is about.
pub(super) type Mask = fn(Category, &str) -> String;

/// A review to be rendered.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The review, from this process or from a service.
    pub body: &'a ReviewBody,
    /// The diff that was reviewed.
    pub diff: &'a Diff<'a>,
    /// Which findings fail the run.
    pub gate: Gate,
    /// Looks up the texts of a rule, if known.
    pub rules: &'a dyn Fn(&str) -> Option<RuleText>,
    /// Masks secrets in lines of code.
    pub mask: Mask,
}

/// The documentation of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// The title: the defect, in a few words.
    pub title: String,
    /// Why it matters.
    pub why: String,
    /// How to fix it.
    pub fix: String,
    /// The whole page as Markdown.
    pub page: String,
    /// The priority of a finding that is right, if findings have a lower one because they are often wrong.
    pub consequence: Option<Priority>,
}
