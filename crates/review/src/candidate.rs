//! What an engine believes to be a defect, before it is anchored.

use serde::{Deserialize, Serialize};

use crate::diff::Side;
use crate::finding::{Category, Priority};
use crate::rule_id::RuleId;
use crate::span::{Place, Span};

/// What an engine believes to be a defect. It becomes a [`crate::Finding`] only when it can be anchored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Index of the file in the diff.
    pub file: usize,
    /// The side that `line` counts on.
    pub side: Side,
    /// Line number on that side, from 1.
    pub line: u32,
    /// What reports it.
    pub origin: Origin,
    /// How much it matters.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// What is wrong, in a sentence or two.
    pub summary: String,
    /// What to do about it.
    pub suggested_fix: Option<String>,
    /// 0 to 1.
    pub confidence: f32,
    /// Name of the enclosing function or class where it is known.
    pub scope: Option<String>,
    /// The part of the code that it is about, where that is known more closely than the line.
    #[serde(default)]
    pub span: Option<Span>,
    /// The same defect's other places: at most [`MOST_RELATED`] of them are returned.
    #[serde(default)]
    pub related: Vec<Place>,
}

/// Related places of one finding at most.
pub const MOST_RELATED: usize = 20;

impl Candidate {
    /// The ID of the rule that reports it; `None` for a language model.
    #[must_use]
    pub fn rule_id(&self) -> Option<&str> {
        self.origin.rule().map(RuleId::as_str)
    }

    /// The line that it is on.
    #[must_use]
    pub fn place(&self) -> Place {
        Place { file: self.file, side: self.side, line: self.line }
    }
}

/// What a candidate comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// A language model.
    Model,
    /// A rule of the rule engine.
    Rule(RuleId),
}

impl Origin {
    /// The rule, where it is one.
    #[must_use]
    pub fn rule(&self) -> Option<&RuleId> {
        match self {
            Self::Model => None,
            Self::Rule(rule) => Some(rule),
        }
    }
}
