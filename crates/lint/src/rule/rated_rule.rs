//! A built-in rule written in Rust, with its confidence according to the evidence.

use std::ops::Deref;

use super::definition::Rule;
use super::evidence::lowered;
use super::rule_meta::RuleMeta;

/// A rule written in Rust and its confidence.
#[derive(Clone, Copy)]
pub(crate) struct RatedRule {
    pub(crate) rule: &'static Rule,
    pub(crate) confidence: f32,
}

impl Deref for RatedRule {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        self.rule
    }
}

impl RatedRule {
    pub(crate) fn meta(&self) -> RuleMeta<'static> {
        RuleMeta {
            id: self.rule.id,
            fix: self.rule.fix,
            priority: lowered(self.rule.priority, self.confidence),
            category: self.rule.category,
            confidence: self.confidence,
        }
    }
}
