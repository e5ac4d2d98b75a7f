//! Uses of local variables that come before everything that sets them.

use super::model::{Scope, ScopeKind, Symbol};
use super::{DefKind, Symbols};
use crate::language::Role;
use crate::tree::{Node, Tree};

/// A use of a local variable, and the first place that sets it.
pub struct EarlyUse<'t> {
    /// The use.
    pub used: Node<'t>,
    /// The first place that sets the variable.
    pub set: Node<'t>,
}

impl Symbols {
    /// The uses of local variables that certainly run before the variables are set, in document order.
    pub fn early_uses<'t>(&'t self, tree: &'t Tree<'t>) -> Vec<EarlyUse<'t>> {
        let mut found: Vec<EarlyUse<'t>> = self
            .symbols
            .iter()
            .filter_map(|symbol| self.early_use(symbol, tree))
            .collect();
        found.sort_by_key(|early| early.used.index());
        found
    }

    fn early_use<'t>(&'t self, symbol: &'t Symbol, tree: &'t Tree<'t>) -> Option<EarlyUse<'t>> {
        let scope = self
            .scopes
            .get(symbol.scope as usize)
            .filter(|scope| is_known_whole(scope))?;
        let is_python = tree.grammar().name() == "Python";
        let set = symbol.definitions(tree).next()?;
        let begins_there = match symbol.kind {
            DefKind::Parameter | DefKind::TypeParameter => false,
            _ if is_python => scope.kind == ScopeKind::Function,
            DefKind::Variable | DefKind::Type => is_lexical(set),
            DefKind::Function | DefKind::Import => false,
        };
        if !begins_there {
            return None;
        }
        let used = symbol
            .uses(tree)
            .take_while(|used| used.index() < set.index())
            .find(|used| self.scope_of_use(*used) == Some(symbol.scope))?;
        let is_repeated = used
            .ancestors()
            .take_while(|around| around.index() > scope.node as usize)
            .any(|around| around.has_role(Role::Loop) && set.is_inside(around));
        let is_tried = used.ancestors().any(|around| around.has_role(Role::Try));
        (!is_repeated && !is_tried).then_some(EarlyUse { used, set })
    }

    fn scope_of_use(&self, used: Node<'_>) -> Option<u32> {
        let at = self
            .uses
            .binary_search_by_key(&used.index(), |used| used.node as usize)
            .ok()?;
        Some(self.uses.get(at)?.scope)
    }
}

fn is_known_whole(scope: &Scope) -> bool {
    matches!(scope.kind, ScopeKind::Function | ScopeKind::Block) && !scope.is_open && !scope.is_cut
}

/// Whether a name of JavaScript must not be used before its declaration: those of `let`, `const` and `class`.
fn is_lexical(name: Node<'_>) -> bool {
    let declaration = name.ancestors().find(|around| {
        around.is(&[
            "lexical_declaration",
            "class_declaration",
            "variable_declaration",
        ])
    });
    declaration.is_some_and(|around| !around.is(&["variable_declaration"]))
}
