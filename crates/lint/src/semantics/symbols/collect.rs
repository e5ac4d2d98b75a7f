//! The first pass: scopes, definitions and uses, in document order.

use std::collections::HashMap;

use super::model::{DefKind, FILE, Scope, ScopeKind};
use super::row::{Place, To};
use super::table::Table;
use crate::tree::{Node, Tree};

/// A name in the text.
pub(super) struct Mention {
    pub(super) name: u32,
    pub(super) node: u32,
    pub(super) scope: u32,
    /// The first node that sees it, if it is a definition.
    pub(super) visible_from: u32,
    /// It may be no use at all.
    pub(super) is_unclear: bool,
}

/// What the first pass finds.
#[derive(Default)]
pub(super) struct Collected<'t> {
    pub(super) scopes: Vec<Scope>,
    pub(super) definitions: Vec<(Mention, DefKind)>,
    pub(super) uses: Vec<Mention>,
    /// Names that mean those of the file in a scope.
    pub(super) globals: Vec<(u32, u32)>,
    /// Names that mean those of a function around a scope.
    pub(super) nonlocals: Vec<(u32, u32)>,
    names: HashMap<&'t str, u32>,
}

/// A node around the current one.
struct Open<'t> {
    node: Node<'t>,
    /// The index after its last descendant.
    end: usize,
    place: Place,
    /// The scope of its children.
    scope: u32,
}

pub(super) fn collect<'t>(tree: &'t Tree<'t>, table: &Table) -> Collected<'t> {
    let mut found = Collected::default();
    let mut path: Vec<Open<'t>> = Vec::new();
    let is_whole = tree.is_whole();
    for node in tree.nodes() {
        while path.last().is_some_and(|open| open.end <= node.index()) {
            path.pop();
        }
        let (place, scope) = found.place(node, path.last(), table);
        let kind = table.kind(node);
        let is_leaf = node.is_leaf();
        if is_leaf && kind.is_identifier && node.is_within_hunk() {
            found.mention(node, place, scope, table);
        }
        if kind.is_wildcard || kind.is_dynamic {
            found.open(FILE, kind.is_dynamic);
        }
        if is_leaf {
            continue;
        }
        let is_cut = !is_whole && !node.is_complete() || path.is_empty() && tree.partial;
        let opens = kind
            .scope
            .filter(|_| !(table.row.shares_scope)(node))
            .or((is_cut || path.is_empty()).then_some(ScopeKind::Hidden));
        let scope = opens.map_or(scope, |kind| {
            let is_cut = is_cut || !node.is_usable();
            let is_open = is_cut || (table.row.is_open)(node);
            found.scopes.push(Scope {
                kind,
                parent: scope,
                node: number(node),
                is_open,
                is_cut,
            });
            u32::try_from(found.scopes.len() - 1).unwrap_or(FILE)
        });
        path.push(Open {
            node,
            end: node.inside().end,
            place,
            scope,
        });
    }
    found
}

/// The index of a node, as the lists store it.
fn number(node: Node<'_>) -> u32 {
    index(node.index())
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl<'t> Collected<'t> {
    /// The meaning of the names in a node, and the scope that they are in.
    fn place(&self, node: Node<'t>, around: Option<&Open<'t>>, table: &Table) -> (Place, u32) {
        let Some(around) = around else {
            return (Place::Use, FILE);
        };
        let kind = table.kind(around.node);
        let own = if kind.is_special {
            (table.row.own)(node, around.node, around.place)
        } else {
            None
        };
        match own.unwrap_or_else(|| kind.place(node.own_field())) {
            Place::Inherit => (around.place, around.scope),
            Place::Outside => (Place::Use, self.parent(around.scope)),
            Place::Bind(kind, To::Outer) => {
                (Place::Bind(kind, To::Here), self.parent(around.scope))
            }
            place => (place, around.scope),
        }
    }

    fn parent(&self, scope: u32) -> u32 {
        self.scopes
            .get(scope as usize)
            .map_or(FILE, |scope| scope.parent)
    }

    fn open(&mut self, scope: u32, is_cut: bool) {
        if let Some(scope) = self.scopes.get_mut(scope as usize) {
            scope.is_open = true;
            scope.is_cut |= is_cut;
        }
    }

    /// The scope of a definition.
    fn target(&self, to: To, mut scope: u32) -> u32 {
        let is_inner = |scope: u32| {
            let kind = self.scopes.get(scope as usize).map(|scope| scope.kind);
            matches!(kind, Some(ScopeKind::Block | ScopeKind::Comprehension))
        };
        while to == To::Function && scope != FILE && is_inner(scope) {
            scope = self.parent(scope);
        }
        scope
    }

    fn mention(&mut self, node: Node<'t>, place: Place, scope: u32, table: &Table) {
        let text = (table.row.name)(node);
        if text.is_empty() || place == Place::Skip {
            return;
        }
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name = *self.names.entry(text).or_insert(next);
        let mention = |scope: u32| Mention {
            name,
            node: number(node),
            scope,
            visible_from: 0,
            is_unclear: place == Place::Unclear,
        };
        let definition = |scope: u32| {
            let visible_from = table.row.visible_from.map_or(0, |from| from(node));
            Mention {
                visible_from: index(visible_from),
                ..mention(scope)
            }
        };
        match place {
            Place::Use | Place::Outside | Place::Inherit | Place::Unclear => {
                self.uses.push(mention(scope));
                if table.row.dynamic_names.contains(&text) {
                    self.open(FILE, true);
                }
            }
            Place::Bind(kind, to) => self
                .definitions
                .push((definition(self.target(to, scope)), kind)),
            Place::BindUse(to) => {
                self.definitions
                    .push((definition(self.target(to, scope)), DefKind::Variable));
                self.uses.push(mention(scope));
            }
            Place::Global => self.globals.push((scope, name)),
            Place::Nonlocal => self.nonlocals.push((scope, name)),
            Place::Skip => {}
        }
    }
}
