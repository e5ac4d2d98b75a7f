//! Names that the change removes with all their uses: a parameter, a field, a flag. Conditions on them are removed with them,
//! and nothing is lost.

use super::context::ChangeContext;
use crate::language::Role;
use crate::tree::Node;

/// A name that is removed in this many hunks is removed for good, wherever it was declared.
const EVERYWHERE: usize = 3;

impl ChangeContext<'_> {
    /// Whether an old node, or the condition of an old `if`, uses a name that the change removes.
    #[must_use]
    pub fn names_removed_identifier(&self, old: Node<'_>) -> bool {
        let asks = old.condition().unwrap_or(old);
        asks.names().any(|name| match self.change.added.removed_identifiers.hunks(name.text()) {
            Some(hunks) => hunks >= EVERYWHERE || self.was_declared(name.text()),
            None => false,
        })
    }

    /// Whether the hunk declared a parameter or field of this name.
    fn was_declared(&self, name: &str) -> bool {
        self.old.places(declared).within(self.old, name, 0..usize::MAX).any(Node::touches_change)
    }
}

/// Whether a name is a declaration.
fn declared(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.has_role(Role::Name) && declares(*name))
}

/// Whether a name is that of a function's parameter or of a class member.
fn declares(name: Node<'_>) -> bool {
    let mut around = name.ancestors().take(4);
    around.any(|node| {
        let is_list = node.has_role(Role::Parameters) && node.parent().is_some_and(|of| of.has_role(Role::Function));
        is_list || FIELDS.contains(&node.kind())
    })
}

const FIELDS: &[&str] = &[
    "field_declaration",
    "property_declaration",
    "public_field_definition",
    "property_signature",
    "field_definition",
    "enumerator",
    "const_element",
];
