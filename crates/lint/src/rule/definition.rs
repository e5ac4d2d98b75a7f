//! The definition of a Rust rule.

use review::{Category, Priority, Reference};
use serde::{Deserialize, Serialize};
use syntax::language::Role;
use syntax::semantics::symbols::borrowed::Borrowed;
use syntax::tree::Node;

use super::absent_member::AbsentMember;
use super::broken::Broken;
use super::contexts::{NodeContext, TextContext};
use super::diff_sink::DiffSink;
use super::lost::Lost;
use super::missing::{Import, Missing};
use super::not_imported::NotImported;
use super::sink::Sink;
use crate::change::ChangeContext;
use crate::facts::{Break, Namesakes, ReadKey, Use};

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
    /// Changes that break other files of the repository that import from a changed file.
    Repository {
        /// Called for each break with the uses of the name in other files, by path; `None` if the rule does not report it.
        run: BreakCheck,
    },
    /// Files and keys that the change removes although other files refer to them.
    Lost {
        /// Called for each of them with the references in other files, by path; `None` if the rule does not report it.
        run: LostCheck,
    },
    /// Keys that the change reads, and that nothing in the repository defines.
    Key {
        /// Called for each of them.
        run: KeyCheck,
    },
    /// Imports that the change adds or alters from other files of the repository.
    Import {
        /// Called for each changed import and use of an imported name; `None` if the rule does not report it.
        run: ImportCheck,
    },
    /// Members of types of other files of the repository that added code calls, and that the types lack.
    Member {
        /// Called for each of them.
        run: MemberCheck,
    },
    /// Types of other packages, and packages of Go, that a changed file uses and does not import.
    Unbound {
        /// Called for each of them.
        run: UnboundCheck,
    },
    /// The facts of all files of the diff: an inconsistency between files.
    Diff {
        /// Called for each changed name.
        run: fn(&Namesakes<'_>, &mut DiffSink<'_>),
    },
}

/// Judges a break by the uses of the name in other files, by path.
pub(crate) type BreakCheck = fn(&Break, &[Use]) -> Option<Broken>;

/// Describes a key that nothing defines, with the definition of another key that is read in the same way.
pub(crate) type KeyCheck = fn(&ReadKey, &Reference) -> Broken;

/// Judges a removed file or key by the references to it in other files, by path.
pub(crate) type LostCheck = fn(&Lost<'_>, &[Use]) -> Option<Broken>;

/// Judges an import, or the use of an imported name, by the file that it refers to.
pub(crate) type ImportCheck = fn(&Borrowed, Import<'_>) -> Option<Missing>;

/// Describes a member that its type lacks.
pub(crate) type MemberCheck = fn(&AbsentMember<'_>) -> Missing;

/// Describes a name that is not imported.
pub(crate) type UnboundCheck = fn(&NotImported<'_>) -> Missing;

/// The nodes that a node rule examines.
pub enum On {
    /// Those with one of these roles, in any language.
    Roles(&'static [Role]),
    /// Those with one of these kinds of the grammar.
    Kinds(&'static [&'static str]),
}
