//! Differences between languages: which nodes are scopes and which names are definitions.

use super::model::{DefKind, ScopeKind};
use crate::tree::Node;

/// The scope that a definition belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// The innermost one.
    Here,
    /// The one around the innermost one: that of a function's own name.
    Outer,
    /// The innermost one that is neither a block nor a comprehension.
    Function,
    /// The one that already defines the variable and is visible from the innermost one; otherwise the innermost one.
    Known,
}

/// The meaning of the names in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// They are used.
    Use,
    /// They are used, in the scope around the innermost one.
    Outside,
    /// They are defined.
    Bind(DefKind, To),
    /// They are used and defined again.
    BindUse(To),
    /// They are used, or name something else, such as a field of a structure. Only types would show which.
    Unclear,
    /// They are not names of variables, functions or types: attributes, labels, keywords of arguments.
    Skip,
    /// As in the parent.
    Inherit,
    /// They refer to the file's names in this scope.
    Global,
    /// They refer to the names of a function around this scope.
    Nonlocal,
    /// They are parameters that a closure initializes from the scope around it, or variables that it shares with that
    /// scope.
    Capture { by_reference: bool },
}

/// The local variables of a language in which functions do not see those around them.
pub(super) struct Locals {
    /// Whether a name is that of a local variable, and not of a function or class.
    pub(super) is_local: fn(&str) -> bool,
    /// A name refers to a variable only after the variable's first definition in the text.
    pub(super) begins_at_definition: bool,
    /// Whether a node of [`Row::dynamic`] may define variables.
    pub(super) is_dynamic: fn(Node<'_>) -> bool,
}

/// The text of a leaf, for languages in which every identifier leaf is a name.
pub(super) fn as_written(leaf: Node<'_>) -> &str {
    leaf.text()
}

/// For languages in which the kind of a node decides whether it has its own scope.
pub(super) fn never_shares(_: Node<'_>) -> bool {
    false
}

/// A language as data.
pub(super) struct Row {
    pub(super) languages: &'static [&'static str],
    /// The leaves that are names.
    pub(super) identifiers: &'static [&'static str],
    pub(super) scopes: &'static [(&'static str, ScopeKind)],
    /// The meaning of a node by its parent's kind and its field there. An empty field matches children without a field.
    pub(super) fields: &'static [(&'static str, &'static str, Place)],
    /// The nodes whose other children have the meaning of their parent. The children of all other nodes are uses.
    pub(super) patterns: &'static [&'static str],
    /// Methods do not see the names of their class.
    pub(super) hides_class_names: bool,
    /// `None` if functions see the variables around them.
    pub(super) locals: Option<Locals>,
    /// Imports of all names of a module.
    pub(super) wildcards: &'static [&'static str],
    /// Functions that read or define names given as strings.
    pub(super) dynamic_names: &'static [&'static str],
    /// Nodes that may use and define any name.
    pub(super) dynamic: &'static [&'static str],
    /// The parents whose children [`Row::own`] decides about before the table does.
    pub(super) special: &'static [&'static str],
    /// The meaning of a child of a special parent.
    pub(super) own: fn(Node<'_>, Node<'_>, Place) -> Option<Place>,
    /// Whether a scope may have names that the file does not show, such as inherited fields.
    pub(super) is_open: fn(Node<'_>) -> bool,
    /// The name that a leaf refers to; empty if it is not a name.
    pub name: for<'t> fn(Node<'t>) -> &'t str,
    /// Whether a node shares the scope around it although its kind has a scope.
    pub(super) shares_scope: fn(Node<'_>) -> bool,
    /// The index of the node from which on a definition is visible; `None` if all of its scope sees each definition.
    pub(super) visible_from: Option<fn(Node<'_>) -> usize>,
}
