//! The description of a rule, for its page and `hunkwise rules`.

use std::fmt;

use review::{Category, Priority};
use serde::{Deserialize, Serialize};

use super::definition::{Check, Tests};
use super::evidence::Evidence;
use super::rated_rule::RatedRule;
use super::yaml::Document;

/// The description of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleInfo {
    /// `folder/name-of-the-pattern`.
    pub id: String,
    /// Linguist's names; empty for all languages.
    pub languages: Vec<String>,
    /// The defect, in a few words.
    pub title: String,
    /// Why it matters.
    pub why: String,
    /// How to fix it.
    pub fix: String,
    /// A description of the defect: `CWE-89`, or a URL.
    pub references: Vec<String>,
    /// The priority of findings, up to the limit set by the evidence.
    pub priority: Priority,
    /// The priority of the consequence, if a finding is right.
    pub consequence: Priority,
    /// The kind of defect.
    pub category: Category,
    /// The probability that a finding is right, from 0 to 1.
    pub confidence: f32,
    /// The evidence for the confidence; none for a custom rule.
    pub evidence: Option<Evidence>,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// The input that it examines.
    pub kind: Kind,
    /// Positive examples, with marks.
    pub positive: Vec<String>,
    /// Negative examples.
    pub negative: Vec<String>,
}

/// The input that a rule examines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The syntax of added code.
    Pattern,
    /// The edit.
    Change,
    /// The lines.
    Text,
    /// All files of the diff together.
    Diff,
    /// Breaks in files that the change does not touch.
    Repository,
}

impl Kind {
    /// `pattern`, `change`, `text`, `diff` or `repository`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Change => "change",
            Self::Text => "text",
            Self::Diff => "diff",
            Self::Repository => "repository",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl RuleInfo {
    /// The first positive example, without marks.
    #[must_use]
    pub fn bad_example(&self) -> String {
        plain(self.positive.first().map_or("", String::as_str))
    }

    /// The first negative example.
    #[must_use]
    pub fn good_example(&self) -> String {
        plain(self.negative.first().map_or("", String::as_str))
    }
}

/// Without the evidence.
impl From<RatedRule> for RuleInfo {
    fn from(rule: RatedRule) -> Self {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        // A raw string begins on the line below its quote.
        let examples = |texts: &[&str]| {
            let from_first_line = |text: &&str| text.strip_prefix('\n').unwrap_or(text).to_owned();
            texts.iter().map(from_first_line).collect()
        };
        Self {
            id: rule.id.to_owned(),
            languages: owned(rule.languages),
            title: rule.title.to_owned(),
            why: rule.why.to_owned(),
            fix: rule.fix.to_owned(),
            references: owned(rule.references),
            priority: rule.meta().priority,
            consequence: rule.priority,
            category: rule.category,
            confidence: rule.confidence,
            evidence: None,
            tests: rule.tests,
            kind: match rule.check {
                Check::Node { .. } => Kind::Pattern,
                Check::Change { .. } => Kind::Change,
                Check::Text { .. }
                | Check::Unparsable { .. }
                | Check::Syntax { .. }
                | Check::Suppression { .. } => Kind::Text,
                Check::Diff { .. } => Kind::Diff,
                Check::Repository { .. } => Kind::Repository,
            },
            positive: examples(rule.positive),
            negative: examples(rule.negative),
        }
    }
}

/// Without the evidence, which only a built-in rule has.
impl From<&Document> for RuleInfo {
    fn from(document: &Document) -> Self {
        Self {
            id: document.id.clone(),
            languages: document.languages.clone(),
            title: document.title.clone(),
            why: document.why.trim().to_owned(),
            fix: document.fix.trim().to_owned(),
            references: document.references.clone(),
            priority: document.meta().priority,
            consequence: document.priority,
            category: document.category,
            confidence: document.confidence,
            evidence: None,
            tests: document.tests,
            kind: Kind::Pattern,
            positive: document.positive.clone(),
            negative: document.negative.clone(),
        }
    }
}

/// An example without marks, for display.
#[must_use]
fn plain(example: &str) -> String {
    let is_path = |line: &str| line.starts_with("path:");
    let several = example.lines().filter(|line| is_path(line)).count() > 1;
    let shown = example.lines().filter(|line| {
        !line.starts_with('^') && (several || !is_path(line)) && line.trim() != "@@"
    });
    shown.collect::<Vec<_>>().join("\n")
}
