//! Uses of Python's local variables that come before everything that sets them.

use super::model::{ScopeKind, Symbol};
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
    /// The uses of local variables that certainly run before the variables are set, in document order. A name that a
    /// function of Python sets anywhere is local in all of the function.
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
            .filter(|scope| scope.kind == ScopeKind::Function && !scope.is_open && !scope.is_cut)?;
        if matches!(symbol.kind, DefKind::Parameter | DefKind::TypeParameter) {
            return None;
        }
        let set = symbol.definitions(tree).next()?;
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
