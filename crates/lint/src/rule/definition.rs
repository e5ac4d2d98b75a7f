//! The definition of a Rust rule.

use impact::{Conflict, Judgement, Subject};
use review::{Category, Priority};
use serde::{Deserialize, Serialize};
use syntax::language::Role;
use syntax::tree::Node;

use super::contexts::{NodeContext, TextContext};
use super::diff_sink::DiffSink;
use super::sink::Sink;
use crate::change::ChangeContext;
use crate::facts::Namesakes;

/// A rule written in Rust, defined completely by one constant.
pub struct Rule {
    /// `folder/name-of-the-pattern`.
    pub id: &'static str,
    /// Linguist's names; empty for all languages.
    pub languages: &'static [&'static str],
    /// The defect, in a few words.
    pub title: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it: the finding's suggested fix.
    pub fix: &'static str,
    /// A description of the defect: `CWE-89`, or the URL of the language's or library's documentation.
    pub references: &'static [&'static str],
    /// The priority of a true positive; the rule's evidence may lower it.
    pub priority: Priority,
    /// The kind of defect.
    pub category: Category,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// How it examines a change.
    pub check: Check,
    /// Positive examples, with marks; the first is the bad example of its page.
    pub positive: &'static [&'static str],
    /// Negative examples, which it must not report. The first is the good example of its page.
    pub negative: &'static [&'static str],
}

/// Whether a rule applies to test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tests {
    /// It applies.
    #[default]
    Include,
    /// It does not apply.
    Skip,
}

/// How a rule examines a change.
pub enum Check {
    /// Added nodes of certain kinds: a defect in added code.
    Node {
        /// The nodes.
        on: On,
        /// Called for each of them.
        run: fn(Node<'_>, &NodeContext<'_>, &mut Sink<'_>),
    },
    /// The old and new tree of each hunk: a defect in the edit.
    Change {
        /// Called for each hunk that removes something.
        run: fn(&ChangeContext<'_>, &mut Sink<'_>),
    },
    /// The lines of a hunk, in any language.
    Text {
        /// Called for each hunk.
        run: fn(&TextContext<'_>, &mut Sink<'_>),
    },
    /// The lines of a hunk, for an edit after which the code does not parse. The parser has to agree: nothing is reported if it
    /// reads the whole file, and with less than the file the finding is P2 unless the parser reports an error too.
    Unparsable {
        /// Called for each hunk.
        run: fn(&TextContext<'_>, &mut Sink<'_>),
    },
    /// The errors of the parser: added code that it cannot parse.
    Syntax {
        /// The summary for a language.
        summary: fn(&str) -> String,
    },
    /// The suppression comments, after all other rules: one that suppresses nothing.
    Suppression {
        /// The summary for a comment that names this rule.
        summary: fn(&str) -> String,
    },
    /// Conflicts between the change and the repository around it: files that it breaks, and what it uses and they lack.
    Repository {
        /// The part of a changed file that the conflicts come from.
        about: Subject,
        /// Called for each conflict; `None` if the rule does not report it.
        judge: fn(&Conflict<'_>) -> Option<Judgement>,
    },
    /// The facts of all files of the diff: an inconsistency between files.
    Diff {
        /// Called for each changed name.
        run: fn(&Namesakes<'_>, &mut DiffSink<'_>),
    },
}

/// The nodes that a node rule examines.
pub enum On {
    /// Those with one of these roles, in any language.
    Roles(&'static [Role]),
    /// Those with one of these kinds of the grammar.
    Kinds(&'static [&'static str]),
}
