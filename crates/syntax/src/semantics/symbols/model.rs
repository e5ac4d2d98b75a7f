//! Scopes, symbols and uses, as built by the two passes.

use crate::tree::{Node, Tree};

/// The index of the outermost scope.
pub(super) const FILE: u32 = 0;

/// The kind of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    File,
    Class,
    Function,
    Block,
    Comprehension,
    /// A node of which the hunk shows only a part. It may be any scope.
    Hidden,
}

/// A part of the code in which a name has one meaning.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    pub(super) parent: u32,
    /// The innermost enclosing scope, including itself, that does not see the local variables around it.
    pub(super) wall: u32,
    /// Its node.
    pub(super) node: u32,
    /// Names may be defined in it that the tree does not show.
    pub(super) is_open: bool,
    /// There may be code in it that the tree does not show, so names may be used that seem unused.
    pub(super) is_cut: bool,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefKind {
    /// A variable or a constant.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A function or a method.
    Function,
    /// A class or another type.
    Type,
    /// A type parameter of a function or of a type.
    TypeParameter,
    /// A name that an import binds.
    Import,
}

/// A name of a scope, with everything that defines it there.
#[derive(Debug)]
pub struct Symbol {
    pub kind: DefKind,
    /// Its scope.
    pub(super) scope: u32,
    /// The names in its definitions, in document order.
    pub(super) definitions: Vec<u32>,
    /// Its uses, in document order.
    pub(super) uses: Vec<u32>,
    /// Uses that cannot be resolved may refer to it.
    pub(super) may_have_more_uses: bool,
}

/// The referent of a name.
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
pub(super) struct Use {
    pub(super) node: u32,
    pub(super) scope: u32,
    pub(super) answer: Answer,
}

/// The symbols of a tree.
#[derive(Debug, Default)]
pub struct Symbols {
    pub(super) scopes: Vec<Scope>,
    pub(super) symbols: Vec<Symbol>,
    /// In document order.
    pub(super) uses: Vec<Use>,
    /// The steps taken to resolve them.
    pub(super) steps: u64,
}

impl Symbols {
    /// All symbols, in no particular order.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter()
    }

    /// The names of the file itself; `None` if there may be others.
    pub(crate) fn of_file(&self) -> Option<impl Iterator<Item = &Symbol>> {
        let is_open = self.scopes.first().is_none_or(|file| file.is_open);
        (!is_open).then(|| self.symbols.iter().filter(|symbol| symbol.scope == FILE))
    }

    /// Whether a symbol belongs to a function, and not to a type or the file.
    pub fn is_local(&self, symbol: &Symbol) -> bool {
        let scope = self.scopes.get(symbol.scope as usize);
        scope.is_some_and(|scope| {
            matches!(
                scope.kind,
                ScopeKind::Function | ScopeKind::Block | ScopeKind::Comprehension
            )
        })
    }

    /// The symbol that a use of a name refers to, if that is certain.
    pub fn of_use(&self, used: Node<'_>) -> Option<&Symbol> {
        let at = self
            .uses
            .binary_search_by_key(&used.index(), |used| used.node as usize)
            .ok()?;
        match self.uses.get(at)?.answer {
            Answer::Found(symbol) => self.symbols.get(symbol as usize),
            Answer::Absent | Answer::Unknown => None,
        }
    }

    /// The uses of names that nothing in the file defines, in document order.
    pub(crate) fn absent<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        self.uses
            .iter()
            .filter(|used| used.answer == Answer::Absent)
            .filter_map(|used| tree.node(used.node))
    }

    /// The uses of names whose definition is outside the file or unknown, in document order.
    pub fn unresolved<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        let is_found = |used: &&Use| matches!(used.answer, Answer::Found(_));
        self.uses
            .iter()
            .filter(move |used| !is_found(used))
            .filter_map(|used| tree.node(used.node))
    }
}

impl Symbol {
    /// The names in its definitions.
    pub fn definitions<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        self.definitions.iter().filter_map(|node| tree.node(*node))
    }

    /// Its uses, as far as they are known.
    pub(crate) fn uses<'t>(&'t self, tree: &'t Tree<'t>) -> impl Iterator<Item = Node<'t>> {
        self.uses.iter().filter_map(|node| tree.node(*node))
    }

    /// Whether nothing in the file uses it.
    pub(crate) fn is_unused(&self) -> bool {
        self.uses.is_empty() && !self.may_have_more_uses
    }
}
