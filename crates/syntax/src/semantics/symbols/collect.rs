//! The first pass: scopes, definitions and uses, in document order.

use std::collections::{HashMap, HashSet};

use super::model::{DefKind, FILE, Scope, ScopeKind};
use super::row::{Place, To};
use super::table::Table;
use crate::tree::{Node, Tree};

/// A name in the text.
pub(super) struct Mention {
    pub(super) name: u32,
    pub(super) node: u32,
    pub(super) scope: u32,
    /// It precedes all definitions of a variable that is visible only after its first one.
    pub(super) is_early: bool,
    /// The first node that sees it, if it is a definition.
    pub(super) visible_from: u32,
    /// It may not be a use.
    pub(super) is_unclear: bool,
    /// It names a type, and not a variable of the same name.
    pub(super) is_type: bool,
}

/// The result of the first pass.
#[derive(Default)]
pub(super) struct Collected<'t> {
    pub(super) scopes: Vec<Scope>,
    pub(super) definitions: Vec<(Mention, DefKind)>,
    pub(super) uses: Vec<Mention>,
    /// Names that refer to those of the file, by scope.
    pub(super) globals: Vec<(u32, u32)>,
    /// Names that refer to those of an enclosing function, by scope.
    pub(super) nonlocals: Vec<(u32, u32)>,
    /// The names of local variables, which enclosing functions do not share.
    pub(super) locals: HashSet<u32>,
    names: HashMap<&'t str, u32>,
    /// For each scope, the index after its last node.
    ends: Vec<usize>,
    /// For each local variable, the scopes around the current node that define it, from the outermost one inwards.
    defining: HashMap<u32, Vec<u32>>,
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
        if kind.is_name(node) && node.is_within_hunk() {
            found.mention(node, place, scope, table);
        }
        if kind.is_wildcard {
            found.open(FILE, false);
        }
        if kind.is_dynamic && table.is_dynamic(node) {
            found.open(found.wall(scope), true);
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
            let own = u32::try_from(found.scopes.len()).unwrap_or(FILE);
            let is_wall = table.row.locals.is_some()
                && matches!(kind, ScopeKind::Function | ScopeKind::Class);
            let wall = if is_wall { own } else { found.wall(scope) };
            found.ends.push(node.inside().end);
            found.scopes.push(Scope {
                kind,
                parent: scope,
                wall,
                node: number(node),
                is_open,
                is_cut,
            });
            own
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

    /// The innermost enclosing scope, including this one, that does not see the local variables around it. In most
    /// languages it is the file.
    fn wall(&self, scope: u32) -> u32 {
        self.scopes
            .get(scope as usize)
            .map_or(FILE, |scope| scope.wall)
    }

    fn open(&mut self, scope: u32, is_cut: bool) {
        if let Some(scope) = self.scopes.get_mut(scope as usize) {
            scope.is_open = true;
            scope.is_cut |= is_cut;
        }
    }

    /// The scope of a definition.
    fn target(&mut self, to: To, mut scope: u32, name: u32, node: Node<'_>) -> u32 {
        if to == To::Known {
            return self.known(name, node, scope).unwrap_or(scope);
        }
        let is_inner = |scope: u32| {
            let kind = self.scopes.get(scope as usize).map(|scope| scope.kind);
            matches!(kind, Some(ScopeKind::Block | ScopeKind::Comprehension))
        };
        while to == To::Function && scope != FILE && is_inner(scope) {
            scope = self.parent(scope);
        }
        scope
    }

    /// The innermost scope around a node that already defines a local variable visible in a scope.
    fn known(&mut self, name: u32, node: Node<'_>, scope: u32) -> Option<u32> {
        let wall = self.wall(scope);
        let defining = self.defining.get_mut(&name)?;
        let ends = &self.ends;
        while defining.last().is_some_and(|scope| {
            ends.get(*scope as usize)
                .is_none_or(|end| *end <= node.index())
        }) {
            defining.pop();
        }
        defining.last().copied().filter(|scope| *scope >= wall)
    }

    /// Records that a scope defines a name from here on.
    fn see(&mut self, name: u32, scope: u32) {
        let is_local = self.locals.contains(&name);
        let defining = self.defining.entry(name).or_default();
        if is_local && defining.last() != Some(&scope) {
            defining.push(scope);
        }
    }

    fn mention(&mut self, node: Node<'t>, place: Place, scope: u32, table: &Table) {
        let text = (table.row.name)(node);
        if text.is_empty() || place == Place::Skip {
            return;
        }
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name = *self.names.entry(text).or_insert(next);
        if name == next
            && table
                .row
                .locals
                .as_ref()
                .is_some_and(|row| (row.is_local)(text))
        {
            self.locals.insert(name);
        }
        let mention = |scope: u32| Mention {
            name,
            node: number(node),
            scope,
            is_early: false,
            visible_from: 0,
            is_unclear: place == Place::Unclear,
            is_type: node.is(&["type_identifier"]),
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
                let rows = table.row.locals.as_ref();
                let is_early = rows.is_some_and(|row| row.begins_at_definition)
                    && self.locals.contains(&name)
                    && self.known(name, node, scope).is_none();
                self.uses.push(Mention {
                    is_early,
                    ..mention(scope)
                });
                if table.is_dynamic_name(text) {
                    self.open(self.wall(scope), true);
                }
            }
            Place::Bind(kind, to) => {
                let target = self.target(to, scope, name, node);
                self.definitions.push((definition(target), kind));
                self.see(name, target);
            }
            Place::BindUse(to) => {
                let target = self.target(to, scope, name, node);
                self.definitions
                    .push((definition(target), DefKind::Variable));
                self.see(name, target);
                self.uses.push(mention(scope));
            }
            Place::Capture { by_reference } => {
                let outer = self.parent(scope);
                self.definitions.push((mention(scope), DefKind::Parameter));
                if by_reference {
                    self.definitions.push((mention(outer), DefKind::Variable));
                }
                self.uses.push(mention(outer));
            }
            Place::Global => self.globals.push((scope, name)),
            Place::Nonlocal => self.nonlocals.push((scope, name)),
            Place::Skip => {}
        }
    }
}
