//! What a rule is, in Rust.

use review::{Category, Priority};
use serde::{Deserialize, Serialize};

use super::contexts::{NodeContext, TextContext};
use super::diff_sink::DiffSink;
use super::rule_meta::RuleMeta;
use super::sink::Sink;
use crate::change::ChangeContext;
use crate::facts::Namesakes;
use crate::language::Role;
use crate::tree::Node;

/// A rule written in Rust: everything about it in one constant.
pub struct Rule {
    /// `folder/name-of-the-pattern`.
    pub id: &'static str,
    /// Linguist's names; empty for every language.
    pub languages: &'static [&'static str],
    /// What is found, in a few words.
    pub title: &'static str,
    /// Why it bites.
    pub why: &'static str,
    /// What to do about it: the finding's suggested fix.
    pub fix: &'static str,
    /// Where the defect is described: `CWE-89`, or the address of the language's or library's own documentation.
    pub references: &'static [&'static str],
    /// How much it matters where the rule is right. A finding is not louder than the rule's evidence allows.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// How it looks.
    pub check: Check,
    /// Marked examples of the defect; the first one is the bad example of its page.
    pub positive: &'static [&'static str],
    /// Examples of sound code, on which it must say nothing; the first one is the good example of its page.
    pub negative: &'static [&'static str],
}

/// Whether a rule applies to test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tests {
    /// It does.
    #[default]
    Include,
    /// It does not.
    Skip,
}

/// How a rule looks at a change.
pub enum Check {
    /// At each added node of some kinds: something is wrong in what was added.
    Node {
        /// Which nodes.
        on: On,
        /// Called once for each.
        run: fn(Node<'_>, &NodeContext<'_>, &mut Sink<'_>),
    },
    /// At each hunk as old and new trees: something is wrong in how it was changed.
    Change {
        /// Called once for each hunk that removes something.
        run: fn(&ChangeContext<'_>, &mut Sink<'_>),
    },
    /// At the lines of a hunk, in any language.
    Text {
        /// Called once for each hunk.
        run: fn(&TextContext<'_>, &mut Sink<'_>),
    },
    /// At the comments that suppress findings, once the other rules looked: one suppresses nothing.
    Suppression {
        /// What to say of a comment that names this rule.
        summary: fn(&str) -> String,
    },
    /// At all files of the diff together, by what was noted of each: something does not fit across them.
    Diff {
        /// Called once for each name that was changed.
        run: fn(&Namesakes<'_>, &mut DiffSink<'_>),
    },
}

/// Which nodes a node rule wants to see.
pub enum On {
    /// Those with one of these roles, in any language.
    Roles(&'static [Role]),
    /// Those of one of these kinds of the grammar.
    Kinds(&'static [&'static str]),
}

impl Rule {
    pub(crate) fn meta(&self) -> RuleMeta<'_> {
        RuleMeta { id: self.id, fix: self.fix, priority: self.priority, category: self.category, confidence: None }
    }
}
