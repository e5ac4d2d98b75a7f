//! Definitions and bindings of names, as queries on nodes.

use std::ops::Range;

use super::binding::binds;
use super::index::Index;
use super::node::{Node, Tree};
use crate::language::Role;

/// Kinds of PHP nodes that include another file.
const INCLUSIONS: &[&str] = &[
    "include_expression", "include_once_expression", "require_expression",
    "require_once_expression",
];

/// Builds the index in one walk over the tree.
fn index<'t>(tree: &'t Tree<'t>) -> Index {
    let is_python = tree.grammar().name() == "Python";
    let is_php = tree.grammar().name() == "PHP";
    let mut index = Index::default();
    for node in tree.nodes().skip(1) {
        if is_python && node.has_role(Role::Name) {
            let (is_set, binds) = (is_set(node), binds(node));
            index.note(node.text(), |places| {
                places.is_set |= is_set;
                places.bindings.extend(binds.then_some(node.place()));
            });
        }
        if is_php && node.is(INCLUSIONS) {
            index.inclusions.push(node.place());
        }
        let defines = node.has_role(Role::Function) || node.has_role(Role::Class);
        if let Some(name) = defines.then(|| node.field("name")).flatten() {
            index.note(name.text(), |places| places.definitions.push(node.place()));
        }
    }
    index
}

impl<'t> Tree<'t> {
    /// The index of names.
    pub(crate) fn index(&'t self) -> &'t Index {
        self.names.get_or_init(|| self.meter.apart(|| index(self)))
    }
}

/// Whether this occurrence binds the name in Python.
fn is_set(own: Node<'_>) -> bool {
    own.ancestors().take(4).any(|around| {
        let left = || {
            around
                .any_field(&["left", "name"])
                .is_some_and(|left| own.is_inside(left))
        };
        around.has_role(Role::Parameters)
            || around.kind().contains("import")
            || around.is(&[
                "lambda_parameters", "global_statement", "as_pattern_target", "delete_statement",
            ])
            || (around.is(&[
                "for_statement", "for_in_clause", "assignment", "named_expression",
            ]) && left())
    })
}

impl<'t> Node<'t> {
    /// The bindings of a name in the tree, in Python.
    pub(crate) fn bindings_of(self, name: &str) -> impl Iterator<Item = Self> + use<'t> {
        let tree = self.tree();
        let all = tree
            .index()
            .find(name)
            .map_or(&[][..], |places| &places.bindings);
        all.iter().map_while(move |index| tree.node(*index))
    }

    /// The bindings within a range of the document.
    pub(crate) fn bindings_within(
        self,
        name: &str,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Self> + use<'t> {
        let tree = self.tree();
        let all = tree
            .index()
            .find(name)
            .map_or(&[][..], |places| &places.bindings);
        let at = |limit: usize| all.partition_point(|place| (*place as usize) < limit);
        let own = all.get(at(range.start)..at(range.end)).unwrap_or_default();
        own.iter().filter_map(move |index| tree.node(*index))
    }

    /// The only function or class with this name in the tree.
    pub(crate) fn only_definition(self, name: &str) -> Option<Self> {
        match self.tree().index().find(name)?.definitions.as_slice() {
            [only] => self.tree().node(*only),
            _ => None,
        }
    }
}
