//! Local variables that a function reads but never sets, in languages in which functions do not see the variables
//! around them.

use std::collections::HashSet;

use super::model::{Answer, FILE, Symbols};
use super::php::is_global;
use crate::tree::{Node, Tree};

impl Symbols {
    /// The uses of local variables in a function itself, not in the functions within it, in document order, and where
    /// each variable is defined. Empty if the function may have variables that it does not show.
    pub fn locals_used_in<'t>(&self, function: Node<'t>) -> Vec<(Node<'t>, Local)> {
        let tree = function.tree();
        let scope = self
            .scopes
            .binary_search_by_key(&function.index(), |scope| scope.node as usize);
        let Ok(scope) = scope else {
            return Vec::new();
        };
        if self.scopes.get(scope).is_none_or(|scope| scope.is_open) {
            return Vec::new();
        }
        let inside = function.inside();
        let first = self
            .uses
            .partition_point(|used| (used.node as usize) < inside.start);
        let uses = self
            .uses
            .iter()
            .skip(first)
            .take_while(|used| (used.node as usize) < inside.end)
            .filter(|used| self.wall(used.scope) as usize == scope);
        uses.filter_map(|used| Some((tree.node(used.node)?, self.local(used.answer)?)))
            .filter(|(name, _)| is_variable(*name))
            .collect()
    }

    fn local(&self, answer: Answer) -> Option<Local> {
        match answer {
            Answer::Found(symbol) => {
                let symbol = self.symbols.get(symbol as usize)?;
                Some(Local::Defined(symbol.definitions.clone()))
            }
            Answer::Absent => Some(Local::Undefined),
            Answer::Unknown => None,
        }
    }

    pub(super) fn wall(&self, scope: u32) -> u32 {
        self.scopes
            .get(scope as usize)
            .map_or(FILE, |scope| scope.wall)
    }

    /// The uses of local variables that nothing in their functions defines, in document order.
    pub(crate) fn undefined_locals<'t>(&self, tree: &'t Tree<'t>) -> Vec<Node<'t>> {
        let absent = self
            .uses
            .iter()
            .filter(|used| used.answer == Answer::Absent && self.wall(used.scope) != FILE)
            .filter_map(|used| Some((self.wall(used.scope), tree.node(used.node)?)))
            .filter(|(_, name)| is_variable(*name));
        let absent: Vec<(u32, Node<'t>)> = absent.collect();
        let may_be_undefined: HashSet<(u32, &str)> = absent
            .iter()
            .filter(|(_, name)| is_asked(*name))
            .map(|(function, name)| (*function, name.text()))
            .collect();
        absent
            .into_iter()
            .filter(|(function, name)| !may_be_undefined.contains(&(*function, name.text())))
            .map(|(_, name)| name)
            .collect()
    }
}

/// Where a local variable is defined.
pub enum Local {
    /// Its function never sets it.
    Undefined,
    /// These nodes set it.
    Defined(Vec<u32>),
}

fn is_variable(name: Node<'_>) -> bool {
    name.is(&["variable_name"]) && !is_global(name.text())
}

/// Whether a PHP variable may be undefined at a use: `isset($a)`, `$a ?? 0`, `@$a`, `unset($a)`.
pub fn is_asked(name: Node<'_>) -> bool {
    let mut inner = name;
    for around in name.ancestors().take(12) {
        match around.kind() {
            "subscript_expression" if around.named_children().next() == Some(inner) => {}
            "member_access_expression" | "nullsafe_member_access_expression"
                if around.field("object") == Some(inner) => {}
            "parenthesized_expression" => {}
            "unset_statement" | "error_suppression_expression" => return true,
            "binary_expression" => {
                return around
                    .binary()
                    .is_some_and(|binary| binary.operator == "??" && binary.left == inner);
            }
            "argument" => {
                let called = around
                    .ancestors()
                    .nth(1)
                    .and_then(|call| call.field("function"));
                return called.is_some_and(|name| {
                    ["isset", "empty"]
                        .iter()
                        .any(|asks| name.text().eq_ignore_ascii_case(asks))
                });
            }
            _ => return false,
        }
        inner = around;
    }
    false
}
