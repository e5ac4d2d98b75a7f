//! What a rule is, what it gets to see and how it reports.

use review::{Candidate, Category, ChunkFile, Line, LineKind, Priority, Side, Status};
use serde::Serialize;

use crate::change::Change;
use crate::facts::{DiffContext, DiffSink};
use crate::grammar::{Grammar, Role};
use crate::node::{Node, Tree};
use crate::secrets::{redacted, without_literals};

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
    /// How much it matters.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// 0 to 1: how often such a finding is right.
    pub confidence: f32,
    /// Whether it applies to test code.
    pub tests: Tests,
    /// How it looks.
    pub check: Check,
    /// Marked examples on which it fires; the first one is the bad example of its page.
    pub fires: &'static [&'static str],
    /// Examples on which it must keep quiet; the first one is the good example of its page.
    pub quiet: &'static [&'static str],
}

/// Whether a rule applies to test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
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
    /// At all files of the diff together, by what was noted of each: something does not fit across them.
    Diff {
        /// Called once for each diff.
        run: fn(&DiffContext<'_>, &mut DiffSink<'_>),
    },
}

/// Which nodes a node rule wants to see.
pub enum On {
    /// Those with one of these roles, in any language.
    Roles(&'static [Role]),
    /// Those of one of these kinds of the grammar.
    Kinds(&'static [&'static str]),
}

/// What is known of the file.
#[derive(Debug, Clone, Copy)]
pub struct FileContext<'a> {
    /// Its path.
    pub path: &'a str,
    /// Linguist's name of its language; empty if unknown.
    pub language: &'a str,
    /// Its grammar, if there is one.
    pub grammar: Option<Grammar>,
    /// It is a test or belongs to one.
    pub is_test: bool,
    /// What happened to the file.
    pub status: Status,
    pub(crate) index: usize,
}

/// A hunk, borrowed.
#[derive(Clone, Copy)]
pub(crate) struct Hunk<'a> {
    pub(crate) heading: &'a str,
    pub(crate) lines: &'a [Line<'a>],
}

/// The hunks of a file.
pub(crate) fn hunks<'a>(file: &'a ChunkFile<'_>) -> impl Iterator<Item = Hunk<'a>> {
    file.hunks.iter().map(|hunk| Hunk { heading: &hunk.heading, lines: &hunk.lines })
}

/// What a node rule gets beside the node.
pub struct NodeContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    pub(crate) hunk: Hunk<'a>,
}

/// What a text rule gets.
pub struct TextContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    pub(crate) hunk: Hunk<'a>,
}

/// What a change rule gets: both sides of a hunk and how they belong together.
pub struct ChangeContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    /// The tree before.
    pub old: &'a Tree<'a>,
    /// The tree after.
    pub new: &'a Tree<'a>,
    pub(crate) hunk: Hunk<'a>,
    pub(crate) change: &'a Change<'a>,
}

impl<'a> NodeContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }
}

impl<'a> TextContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }

    /// The added lines of the hunk.
    pub fn added(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.hunk.lines.iter().filter(|line| line.kind == LineKind::Added)
    }

    /// The removed lines of the hunk.
    pub fn removed(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.hunk.lines.iter().filter(|line| line.kind == LineKind::Removed)
    }
}

/// Where a finding is.
pub struct Place {
    pub(crate) side: Side,
    pub(crate) line: Option<u32>,
    pub(crate) changed: bool,
    pub(crate) scope: Option<String>,
}

impl From<Node<'_>> for Place {
    fn from(node: Node<'_>) -> Self {
        let line = node.report_line();
        Self {
            side: node.tree().side(),
            line: line.map(|line| line.number),
            changed: line.is_some_and(|line| line.changed),
            scope: node.scope(),
        }
    }
}

impl From<&Line<'_>> for Place {
    fn from(line: &Line<'_>) -> Self {
        Self { side: line.side(), line: line.number(), changed: line.kind != LineKind::Context, scope: None }
    }
}

/// Where a rule reports to.
pub struct Sink<'a> {
    pub(crate) info: Brief<'a>,
    pub(crate) file: usize,
    pub(crate) heading: &'a str,
    /// Findings on unchanged lines are not taken.
    pub(crate) changed_only: bool,
    pub(crate) found: &'a mut Vec<Candidate>,
}

/// What of a rule goes into its findings.
#[derive(Clone, Copy)]
pub(crate) struct Brief<'a> {
    pub(crate) id: &'a str,
    pub(crate) fix: &'a str,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) confidence: f32,
}

impl Rule {
    pub(crate) fn brief(&self) -> Brief<'_> {
        Brief {
            id: self.id,
            fix: self.fix,
            priority: self.priority,
            category: self.category,
            confidence: self.confidence,
        }
    }
}

impl Brief<'_> {
    /// A finding of the rule. What its summary quotes may hold a secret, so it is masked here, for all kinds of rules.
    pub(crate) fn candidate(&self, file: usize, side: Side, line: u32, summary: &str) -> Candidate {
        Candidate {
            file,
            side,
            line,
            rule_id: Some(self.id.to_owned()),
            priority: self.priority,
            category: self.category,
            summary: shown(self.category, summary),
            suggested_fix: Some(self.fix.to_owned()).filter(|fix| !fix.is_empty()),
            confidence: self.confidence,
            scope: None,
        }
    }
}

impl Sink<'_> {
    /// Reports a defect at a node or a line.
    ///
    /// Of a node, the first changed line is taken. A node rule that points at an unchanged line reports nothing: old
    /// trouble is not the change's.
    pub fn report(&mut self, at: impl Into<Place>, summary: impl Into<String>) -> Draft<'_> {
        let place = at.into();
        let Some(line) = place.line.filter(|_| place.changed || !self.changed_only) else { return Draft(None) };
        let heading = Some(self.heading.trim()).filter(|heading| !heading.is_empty());
        let scope = place.scope.or_else(|| heading.map(|heading| crate::fragment::shorten(heading, 120).to_owned()));
        let candidate = self.info.candidate(self.file, place.side, line, &summary.into());
        Draft::new(self.found, Candidate { scope, ..candidate })
    }
}

/// A finding that was just reported, to change what differs from the rule's own values.
pub struct Draft<'s>(Option<&'s mut Candidate>);

impl<'s> Draft<'s> {
    /// Adds a finding to others.
    pub(crate) fn new(found: &'s mut Vec<Candidate>, candidate: Candidate) -> Self {
        found.push(candidate);
        Self(found.last_mut())
    }
}

impl Draft<'_> {
    /// Says how sure this one is, from 0 to 1.
    pub fn confidence(mut self, confidence: f32) -> Self {
        if let Some(found) = &mut self.0 {
            found.confidence = confidence.clamp(0.0, 1.0);
        }
        self
    }

    /// Says how much this one matters.
    pub fn priority(mut self, priority: Priority) -> Self {
        if let Some(found) = &mut self.0 {
            found.priority = priority;
        }
        self
    }

    /// Gives this one its own advice.
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        if let Some(found) = &mut self.0 {
            found.suggested_fix = Some(shown(found.category, &fix.into()));
        }
        self
    }
}

/// A sentence as it may be shown: what it quotes may hold a secret.
fn shown(category: Category, text: &str) -> String {
    if category == Category::SecretExposure { without_literals(text) } else { redacted(text).into_owned() }
}

/// A piece of code for a sentence: one line, at most 60 characters, no control characters, no secrets.
#[must_use]
pub fn quote(code: &str) -> String {
    const LONGEST: usize = 60;
    let mut words = code.split_whitespace();
    let mut text = words.next().unwrap_or_default().to_owned();
    for word in words {
        text.push(' ');
        text.push_str(word);
        if text.len() > 4 * LONGEST {
            break;
        }
    }
    // Before it is cut: half a secret is not told as one.
    text.truncate(text.floor_char_boundary(20 * LONGEST));
    let text = redacted(&text);
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        shown.pop();
        shown.push('…');
    }
    shown
}
