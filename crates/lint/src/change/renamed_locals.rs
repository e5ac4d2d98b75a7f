//! Local variables and parameters that the change renames although a use of the old name remains.

use std::collections::{HashMap, HashSet};

use syntax::language::Role;
use syntax::semantics::symbols::csharp::{TYPES, has_hidden_members};
use syntax::semantics::symbols::{DefKind, Symbols};
use syntax::tree::Node;

use super::context::ChangeContext;

/// A renamed local variable, and a use that kept its old name.
pub struct Renamed<'t> {
    /// The old name in its definition.
    pub was: Node<'t>,
    /// The new name in its definition.
    pub now: Node<'t>,
    /// The use, which nothing in the file defines.
    pub used: Node<'t>,
}

impl<'a> ChangeContext<'a> {
    /// The first use of each renamed local variable that kept the old name. The use cannot refer to a definition of the
    /// old name in another file: before the rename, the local variable would have hidden that definition.
    pub fn renamed_locals(&self) -> Vec<Renamed<'a>> {
        let (Some(old), Some(new)) = (Symbols::of(self.old), Symbols::of(self.new)) else {
            return Vec::new();
        };
        if !self.old.is_whole() || !self.new.is_whole() {
            return Vec::new();
        }
        let locals = old.symbols().filter(|symbol| {
            old.is_local(symbol) && matches!(symbol.kind, DefKind::Variable | DefKind::Parameter)
        });
        let gone: Vec<Node<'a>> = locals
            .filter_map(|symbol| symbol.definitions(self.old).next())
            .filter(|name| name.touches_change())
            .collect();
        if gone.is_empty() {
            return Vec::new();
        }
        let names: HashSet<&str> = gone.iter().map(|name| name.text()).collect();
        let is_key = |used: &Node<'_>| {
            used.parent().is_some_and(|around| {
                let is_in_list = || {
                    around
                        .parent()
                        .is_some_and(|list| list.is(&["initializer_expression"]))
                };
                around.is(&["literal_element", "goto_statement"])
                    || around.is(&["assignment_expression"]) && is_in_list()
            })
        };
        let mut left: HashMap<&str, Vec<Node<'a>>> = HashMap::new();
        let unresolved = new.unresolved(self.new);
        for used in unresolved
            .filter(|used| names.contains(used.text()) && !is_key(used) && !may_be_inherited(*used))
        {
            left.entry(used.text()).or_default().push(used);
        }
        for elsewhere in old.unresolved(self.old) {
            left.remove(elsewhere.text());
        }
        if left.is_empty() {
            return Vec::new();
        }
        let replaced: HashMap<usize, Node<'a>> = self
            .replaced_names()
            .into_iter()
            .map(|(was, now)| (was.index(), now))
            .collect();
        let mut found = Vec::new();
        for was in gone {
            let paired = self.new_of(was).filter(|now| now.text() != was.text());
            let Some(now) = paired.or_else(|| replaced.get(&was.index()).copied()) else {
                continue;
            };
            let uses = left.get(was.text()).map_or(&[][..], Vec::as_slice);
            let around = outermost_function(now);
            let used = uses
                .iter()
                .find(|used| around.is_some() && outermost_function(**used) == around);
            found.extend(used.map(|used| Renamed {
                was,
                now,
                used: *used,
            }));
        }
        found
    }
}

/// Whether a position is in a C# class with members that the file does not show.
fn may_be_inherited(node: Node<'_>) -> bool {
    node.tree().grammar().name() == "C#"
        && node
            .ancestors()
            .any(|class| class.is(TYPES) && has_hidden_members(class))
}

fn outermost_function(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors()
        .filter(|around| around.has_role(Role::Function))
        .last()
}
