//! Uses of local variables outside the block that declares them.

use std::collections::HashMap;

use super::model::{Answer, DefKind, Symbol, Symbols};
use crate::language::Role;
use crate::semantics::names::mentions;
use crate::tree::{Node, Tree};

/// A use of a name, and the declaration in a block that has already ended.
pub struct EndedUse<'t> {
    /// The use.
    pub used: Node<'t>,
    /// The declaration.
    pub declared: Node<'t>,
}

impl Symbols {
    /// The uses of names that only a block which ends before the use declares, in document order.
    pub fn uses_after_block<'t>(&'t self, tree: &'t Tree<'t>) -> Vec<EndedUse<'t>> {
        if !tree.is_whole() {
            return Vec::new();
        }
        let mut by_name: HashMap<&str, Vec<(&Symbol, Node<'t>)>> = HashMap::new();
        for symbol in &self.symbols {
            if let Some(declared) = symbol.definitions(tree).next() {
                by_name
                    .entry(declared.text())
                    .or_default()
                    .push((symbol, declared));
            }
        }
        let unresolved = self
            .uses
            .iter()
            .filter(|used| !matches!(used.answer, Answer::Found(_)));
        let found = unresolved.filter_map(|used| {
            let name = tree
                .node(used.node)
                .filter(|name| name.touches_change() && is_value(*name))?;
            let function = name.enclosing(Role::Function)?;
            let known = by_name.get(name.text())?;
            // The name may refer to a field or a method of the file.
            let is_local = |(symbol, _): &(&Symbol, Node<'_>)| {
                symbol.kind == DefKind::Variable && self.is_local(symbol)
            };
            if !known.iter().all(is_local) {
                return None;
            }
            let (_, declared) = known.iter().rev().find(|(symbol, declared)| {
                let block = self.scopes.get(symbol.scope as usize);
                declared.index() < name.index()
                    && declared.is_inside(function)
                    && block
                        .and_then(|scope| tree.node(scope.node))
                        .is_some_and(|block| !name.is_inside(block))
            })?;
            let ended = EndedUse {
                used: name,
                declared: *declared,
            };
            (!may_be_method(name, function)).then_some(ended)
        });
        found.collect()
    }
}

/// Whether a bare name of Ruby may call a method: the file mentions it outside the function, too.
fn may_be_method(name: Node<'_>, function: Node<'_>) -> bool {
    let tree = name.tree();
    let all = tree.root().map_or("", Node::text);
    tree.grammar().name() == "Ruby"
        && mentions(all, name.text()) > mentions(function.text(), name.text())
}

/// Whether an occurrence is evaluated as a variable, and is not the name of a called function.
fn is_value(name: Node<'_>) -> bool {
    let is_called = name.parent().is_some_and(|parent| {
        parent.has_role(Role::Call) && matches!(name.own_field(), "name" | "function" | "method")
    });
    !is_called
        && name
            .text()
            .starts_with(|first: char| first.is_lowercase() || first == '_')
}
