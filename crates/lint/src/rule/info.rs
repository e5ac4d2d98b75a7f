//! What a rule is, for people: what its page and `hunkwise rules` show.

use std::fmt;

use review::{Category, Priority};
use serde::{Deserialize, Serialize};

use super::definition::{Check, Rule, Tests};
use super::evidence::{self, Evidence};
use super::yaml::Document;

/// What a rule is, for people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleInfo {
    /// `folder/name-of-the-pattern`.
    pub id: String,
    /// Linguist's names; empty for every language.
    pub languages: Vec<String>,
    /// What is found, in a few words.
    pub title: String,
    /// Why it bites.
    pub why: String,
    /// What to do about it.
    pub fix: String,
    /// Where the defect is described: `CWE-89`, or the address of a page.
    pub references: Vec<String>,
    /// How much a finding matters, as far as the evidence allows.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// 0 to 1: how likely a finding is to be right.
    pub confidence: f32,
    /// What that rests on; a rule of the user's own has none.
    pub evidence: Option<Evidence>,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// What it looks at.
    pub kind: Kind,
    /// Marked examples of the defect.
    pub positive: Vec<String>,
    /// Examples of sound code, on which it says nothing.
    pub negative: Vec<String>,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The syntax of what was added.
    Pattern,
    /// How something was changed.
    Change,
    /// The lines.
    Text,
    /// All files of the diff together.
    Diff,
}

impl Kind {
    /// `pattern`, `change`, `text` or `diff`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Change => "change",
            Self::Text => "text",
            Self::Diff => "diff",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl RuleInfo {
    /// The first example of the defect, without marks.
    #[must_use]
    pub fn bad_example(&self) -> String {
        plain(self.positive.first().map_or("", String::as_str))
    }

    /// The first example of sound code.
    #[must_use]
    pub fn good_example(&self) -> String {
        plain(self.negative.first().map_or("", String::as_str))
    }
}

impl From<&Rule> for RuleInfo {
    fn from(rule: &Rule) -> Self {
        let (priority, confidence) = rule.meta().belief();
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            id: rule.id.to_owned(),
            languages: owned(rule.languages),
            title: rule.title.to_owned(),
            why: rule.why.to_owned(),
            fix: rule.fix.to_owned(),
            references: owned(rule.references),
            priority,
            category: rule.category,
            confidence,
            evidence: earned(rule.id),
            tests: rule.tests,
            kind: match rule.check {
                Check::Node { .. } => Kind::Pattern,
                Check::Change { .. } => Kind::Change,
                Check::Text { .. } | Check::Suppression { .. } => Kind::Text,
                Check::Diff { .. } => Kind::Diff,
            },
            positive: owned(rule.positive),
            negative: owned(rule.negative),
        }
    }
}

impl From<&Document> for RuleInfo {
    fn from(document: &Document) -> Self {
        let (priority, confidence) = document.meta().belief();
        Self {
            id: document.id.clone(),
            languages: document.languages.clone(),
            title: document.title.clone(),
            why: document.why.trim().to_owned(),
            fix: document.fix.trim().to_owned(),
            references: document.references.clone(),
            priority,
            category: document.category,
            confidence,
            evidence: if document.confidence.is_none() { earned(&document.id) } else { None },
            tests: document.tests,
            kind: Kind::Pattern,
            positive: document.positive.clone(),
            negative: document.negative.clone(),
        }
    }
}

/// What is known of a built-in rule.
fn earned(id: &str) -> Option<Evidence> {
    evidence::of(id).map(|row| row.evidence)
}

/// An example without its marks, as it is shown to people.
#[must_use]
fn plain(example: &str) -> String {
    let is_path = |line: &str| line.starts_with("path:");
    let several = example.lines().filter(|line| is_path(line)).count() > 1;
    let shown =
        example.lines().filter(|line| !line.starts_with('^') && (several || !is_path(line)) && line.trim() != "@@");
    shown.collect::<Vec<_>>().join("\n")
}
