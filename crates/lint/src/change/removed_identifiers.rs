//! Names that the change removes with all their uses: a parameter, a field, a flag. Conditions on them are removed with
//! them, so nothing is lost.

use syntax::language::Role;
use syntax::semantics::vocabulary::words_of;
use syntax::tree::Node;

use super::context::ChangeContext;

/// A name that is removed in this many hunks counts as removed, wherever it was declared.
const EVERYWHERE: usize = 3;

impl<'a> ChangeContext<'a> {
    /// The names of parameters, fields and functions that the hunk no longer declares and the file no longer mentions.
    pub(crate) fn removed_names(&self) -> impl Iterator<Item = &'a str> {
        let gone = |name: &Node<'a>| {
            self.change
                .added
                .removed_identifiers
                .hunks(name.text())
                .is_some()
        };
        let heads = |name: Node<'_>| {
            name.parent()
                .is_some_and(|of| of.function().is_some_and(|own| own.name == name))
        };
        let declares = move |name: &Node<'a>| declared(*name).is_some() || heads(*name);
        let names = self
            .old
            .with_role(Role::Name)
            .filter(|name| name.touches_change() && is_specific(name.text()));
        names.filter(gone).filter(declares).map(Node::text)
    }

    /// Whether the file removes a name in more than one place.
    #[must_use]
    pub fn takes_back(&self, name: &str) -> bool {
        self.change
            .added
            .removed_identifiers
            .hunks(name)
            .is_some_and(|hunks| hunks > 1)
    }

    /// Whether an old node, or the condition of an old `if`, uses a name that the change removes.
    #[must_use]
    pub fn names_removed_identifier(&self, old: Node<'_>) -> bool {
        let condition = old.condition().unwrap_or(old);
        condition.names().any(|name| {
            match self.change.added.removed_identifiers.hunks(name.text()) {
                Some(hunks) => hunks >= EVERYWHERE || self.was_declared(name.text()),
                None => false,
            }
        })
    }

    /// Whether the hunk declared a parameter or field with this name.
    fn was_declared(&self, name: &str) -> bool {
        self.old
            .places(declared)
            .within(self.old, name, 0..usize::MAX)
            .any(Node::touches_change)
    }
}

/// Whether a name is specific enough to have the same meaning in another file.
fn is_specific(name: &str) -> bool {
    name.len() >= 8 || words_of(name).len() > 1
}

/// Whether a name is a declaration.
fn declared(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.has_role(Role::Name) && declares(*name))
}

/// Whether a name is that of a function's parameter or of a class member.
fn declares(name: Node<'_>) -> bool {
    let mut around = name.ancestors().take(4);
    around.any(|node| {
        let is_list = node.has_role(Role::Parameters)
            && node.parent().is_some_and(|of| of.has_role(Role::Function));
        is_list || FIELDS.contains(&node.kind())
    })
}

const FIELDS: &[&str] = &[
    "field_declaration", "property_declaration", "public_field_definition", "property_signature",
    "field_definition", "enumerator", "const_element",
];
