//! The symbol table of one side of a hunk: scopes, the names that they define, and what each use of a name refers to.
//!
//! It is built in two passes over the flat list of nodes: [`collect`] finds scopes, definitions and uses, [`resolve`] connects
//! them. What differs between languages is one [`row::Row`] for each. Nothing is claimed where code that is not shown, a
//! wildcard import, code that is run from text or a syntax error could change the answer: see [`Answer::Unknown`].

pub(crate) mod builtins;
mod collect;
pub(crate) mod imports;
mod java;
pub(crate) mod missing;
mod python;
mod resolve;
mod row;
mod script;
#[cfg(test)]
mod tests;

use self::row::Table;
use crate::tree::{Node, Tree};

/// The kind of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    File,
    Class,
    Function,
    Block,
    Comprehension,
    /// A node of which the hunk shows only a part: it may stand for any scope.
    Hidden,
}

/// A part of the code in which a name has one meaning.
#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    parent: u32,
    /// Its node.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare it with what the languages' own tools say"))]
    node: u32,
    /// Names may be defined in it that the tree does not show.
    is_open: bool,
    /// There may be code in it that the tree does not show, so names may be used that seem unused.
    is_cut: bool,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefKind {
    Variable,
    Parameter,
    Function,
    Type,
    TypeParameter,
    Import,
}

/// A name of a scope, with everything that defines it there.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) kind: DefKind,
    /// Its scope.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare it with what the languages' own tools say"))]
    scope: u32,
    /// The names in its definitions, in document order.
    definitions: Vec<u32>,
    /// Its uses, in document order.
    uses: Vec<u32>,
    /// Uses that cannot be resolved may mean it.
    may_have_more_uses: bool,
}

/// What a use of a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The symbol with this index.
    Found(u32),
    /// Nothing in the file defines it.
    Absent,
    /// Code that the tree does not show, or that cannot be analysed, may define it.
    Unknown,
}

#[derive(Debug)]
struct Use {
    node: u32,
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare it with what the languages' own tools say"))]
    scope: u32,
    answer: Answer,
}

/// The symbols of a tree.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    scopes: Vec<Scope>,
    symbols: Vec<Symbol>,
    /// In document order.
    uses: Vec<Use>,
}

impl Symbols {
    /// The symbols of a tree; `None` if its language has no row.
    pub(crate) fn of<'t>(tree: &'t Tree<'t>) -> Option<&'t Self> {
        let table = Table::of(tree.grammar())?;
        tree.derived(|| resolve::resolve(collect::collect(tree, table), table))
    }

    /// All symbols, in no particular order.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter()
    }

    /// The uses of names that nothing in the file defines, in document order.
    pub(crate) fn absent<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        self.uses.iter().filter(|used| used.answer == Answer::Absent).filter_map(|used| tree.node(used.node))
    }

    /// The uses of names whose definition is outside the file or unknown, in document order.
    pub(crate) fn unresolved<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        let is_found = |used: &&Use| matches!(used.answer, Answer::Found(_));
        self.uses.iter().filter(move |used| !is_found(used)).filter_map(|used| tree.node(used.node))
    }
}

impl Symbol {
    /// The names in its definitions.
    pub(crate) fn definitions<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        self.definitions.iter().filter_map(|node| tree.node(*node))
    }

    /// Whether nothing in the file uses it.
    pub(crate) fn is_unused(&self) -> bool {
        self.uses.is_empty() && !self.may_have_more_uses
    }
}
