//! Candidates: possible defects as engines report them, before anchoring.

use serde::{Deserialize, Serialize};

use crate::diff::Side;
use crate::finding::{Category, Priority, Reference};
use crate::rule_id::{HIDDEN_RULE, RuleId};
use crate::span::{Place, Replacement, Span};
use crate::suppression::Suppression;

/// A possible defect reported by an engine. It becomes a [`crate::Finding`] only if it can be anchored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Index of the file in the diff.
    pub file: usize,
    /// The side that `line` refers to.
    pub side: Side,
    /// Line number on that side, from 1.
    pub line: u32,
    /// The rule or model that reported it.
    pub origin: Origin,
    /// The priority.
    pub priority: Priority,
    /// The kind of defect.
    pub category: Category,
    /// The problem, in a sentence or two.
    pub summary: String,
    /// How to fix it.
    pub suggested_fix: Option<String>,
    /// Confidence, from 0 to 1.
    pub confidence: f32,
    /// Name of the enclosing function or class, if known.
    pub scope: Option<String>,
    /// The exact code, if known more precisely than the line.
    #[serde(default)]
    pub span: Option<Span>,
    /// Other places with the same defect; at most [`MAX_RELATED`] are returned.
    #[serde(default)]
    pub related: Vec<Place>,
    /// Lines outside the diff that the summary refers to; at most [`MAX_RELATED`] are returned.
    #[serde(default)]
    pub references: Vec<Reference>,
    /// The edit that removes the defect and changes nothing else, if there is one.
    #[serde(default)]
    pub replacement: Option<Replacement>,
    /// Its priority was lowered because it is in test code.
    #[serde(default)]
    pub lowered_in_test_code: bool,
    /// The comment that suppresses it. The change adds or edits the comment or the line that it covers.
    #[serde(default)]
    pub suppression: Option<Suppression>,
}

/// Ends the summary of such a finding.
pub const LOWERED_IN_TEST_CODE: &str = " In test code, so one priority lower.";

/// Maximum number of related places of one finding.
pub const MAX_RELATED: usize = 20;

impl Candidate {
    /// The rule that reported it; `None` for a language model.
    #[must_use]
    pub fn rule_id(&self) -> Option<&str> {
        self.origin.rule().map(RuleId::as_str)
    }

    /// Whether it reports that the change hides code from the review. Such a finding decides about the whole review, so no
    /// limit and no minimum confidence leaves it out. There are few: files hidden in the same way share one.
    #[must_use]
    pub fn reports_hidden_code(&self) -> bool {
        self.rule_id() == Some(HIDDEN_RULE)
    }

    /// Lowers the priority by one step, because the finding is in test code. The summary will state this.
    pub fn lower_in_test_code(&mut self) {
        if let Some(lower) = self.priority.lower() {
            self.priority = lower;
            self.lowered_in_test_code = true;
        }
    }

    /// The line that it is on.
    #[must_use]
    pub fn place(&self) -> Place {
        Place {
            file: self.file,
            side: self.side,
            line: self.line,
        }
    }
}

/// The source of a candidate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// A language model.
    Model,
    /// A rule of the rule engine.
    Rule(RuleId),
}

impl Origin {
    /// The rule's ID, if it is a rule.
    #[must_use]
    pub fn rule(&self) -> Option<&RuleId> {
        match self {
            Self::Model => None,
            Self::Rule(rule) => Some(rule),
        }
    }
}
