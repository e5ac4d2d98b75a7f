//! Occurrences of names in a file outside the change: definitions, calls and other uses.

use std::cell::LazyCell;
use std::collections::HashSet;

use syntax::language::Role;
use syntax::semantics::class_name::class_name;
use syntax::semantics::packages::is_import;
use syntax::semantics::result_use::{ResultUse, result_use};
use syntax::semantics::symbols::parameters::Passed;
use syntax::semantics::type_name::type_name;
use syntax::tree::{Node, Tree};

use super::call_site::call_site;
use super::calls::{CallSite, ReceiverKind};
use super::implementors::{class_with_base, implementor};
use super::members::{declares, member_names};
use super::model::{Mention, MentionKind, NamedUse};

/// The maximum number of occurrences per file.
const MOST: usize = 400;
/// The number of levels around a name that determine its kind.
const AROUND: usize = 8;

/// The occurrences of these names, in document order.
pub(crate) fn mentions(tree: &Tree<'_>, names: &HashSet<&str>) -> Vec<Mention> {
    // Files in these languages import the names that they use by path.
    let imports_by_path = ["JavaScript", "TypeScript", "TSX"].contains(&tree.grammar().name());
    let is_c = ["C", "C++"].contains(&tree.grammar().name());
    let is_known = || {
        let can_be_read = |leaf: Node<'_>| leaf.is_usable();
        tree.is_readable_file() || is_c && tree.is_whole() && leaves(tree, names).all(can_be_read)
    };
    if imports_by_path || !is_known() {
        return Vec::new();
    }
    let members = LazyCell::new(|| member_names(tree));
    leaves(tree, names)
        .filter_map(|leaf| {
            Some(Mention {
                name: word(leaf).to_owned(),
                kind: kind(leaf, &members)?,
                line: leaf.line()?,
            })
        })
        .take(MOST)
        .collect()
}

/// The names among these that a file declares in any way, or imports.
pub(super) fn declared_names<'t>(tree: &'t Tree<'t>, names: &HashSet<&str>) -> HashSet<&'t str> {
    let members = LazyCell::new(|| member_names(tree));
    let is_declared = |leaf: &Node<'_>| {
        implementing_class(*leaf).is_none()
            && matches!(
                kind(*leaf, &members),
                Some(MentionKind::Definition | MentionKind::Variable | MentionKind::Import(_))
            )
    };
    leaves(tree, names).filter(is_declared).map(word).collect()
}

/// The occurrences of these names in code.
fn leaves<'t>(tree: &'t Tree<'t>, names: &HashSet<&str>) -> impl Iterator<Item = Node<'t>> {
    tree.nodes()
        .filter(|node| node.is_leaf() && node.is_named() && names.contains(word(*node)))
        .filter(|leaf| leaf.is(&[SYMBOL]) || !leaf.has_role(Role::Text))
        .filter(|leaf| !leaf.has_role(Role::Comment))
}

/// A symbol of Ruby.
const SYMBOL: &str = "simple_symbol";

fn word(leaf: Node<'_>) -> &str {
    let text = leaf.text();
    match text.strip_prefix(':') {
        Some(name) if leaf.is(&[SYMBOL]) => name,
        _ => text,
    }
}

fn kind(leaf: Node<'_>, members: &HashSet<usize>) -> Option<MentionKind> {
    if declares(leaf, members) {
        return Some(MentionKind::Definition);
    }
    if leaf.is(&[SYMBOL]) {
        return None;
    }
    if let Some(class) = implementing_class(leaf).and_then(|class| implementor(class, leaf)) {
        return Some(MentionKind::Base(class));
    }
    for around in leaf.ancestors().take(AROUND) {
        if around.has_role(Role::Function) {
            let is_name = around.function().is_some_and(|own| own.name == leaf);
            if is_name {
                return Some(MentionKind::Definition);
            }
            break;
        }
        if is_import(around) {
            let text: String = around.text().split_whitespace().collect();
            return Some(MentionKind::Import(text.chars().take(1_000).collect()));
        }
        if let Some(used) = called(leaf, around) {
            return Some(MentionKind::Use(used));
        }
        if around.has_role(Role::Block) {
            break;
        }
    }
    let parent = leaf.parent()?;
    if is_macro(parent) && leaf.own_field() == "name" {
        return Some(MentionKind::Definition);
    }
    if let Some(declared) = declared(leaf, parent) {
        return Some(declared);
    }
    let used = used_as_value(leaf, parent).map(MentionKind::Use);
    used.or_else(|| is_type_name(leaf).then_some(MentionKind::Type))
}

/// The class of which a name is a base type.
fn implementing_class(leaf: Node<'_>) -> Option<Node<'_>> {
    class_with_base(leaf).filter(|_| is_type_name(leaf))
}

/// Whether a name may be that of a type.
fn is_type_name(leaf: Node<'_>) -> bool {
    const NAMES: &[&str] = &[
        "type_identifier", "identifier", "simple_identifier", "name", "constant",
    ];
    leaf.is(NAMES) && leaf.text().starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_macro(node: Node<'_>) -> bool {
    node.is(&["preproc_def", "preproc_function_def", "macro_definition"])
}

/// A call of a function with this name.
fn called(leaf: Node<'_>, around: Node<'_>) -> Option<NamedUse> {
    let call = around.call()?;
    if call.name.as_ptr() != leaf.text().as_ptr() {
        return None;
    }
    let CallSite {
        receiver,
        arguments,
        named,
        ..
    } = call_site(around)?;
    let is_python = leaf.tree().grammar().name() == "Python";
    let passed = if is_python {
        Passed::of_call(around)
    } else {
        None
    };
    Some(NamedUse {
        receiver,
        through: call
            .receiver
            .map(Node::last_name)
            .unwrap_or_default()
            .to_owned(),
        receiver_type: call.receiver.and_then(type_of_receiver),
        is_call: true,
        arguments: arguments.filter(|_| named == 0),
        passed,
        result: result_use(around),
    })
}

fn type_of_receiver(receiver: Node<'_>) -> Option<String> {
    type_name(receiver).or_else(|| class_name(receiver).map(str::to_owned))
}

/// A declaration without a body, a variable or a parameter.
fn declared(leaf: Node<'_>, parent: Node<'_>) -> Option<MentionKind> {
    const WITHOUT_BODY: &[&str] = &[
        "method_elem", "function_signature_item", "method_declaration",
    ];
    if parent.is(WITHOUT_BODY) && leaf.own_field() == "name" {
        return Some(MentionKind::Definition);
    }
    // The prototype of a function that is defined elsewhere.
    if parent.is(&["function_declarator"]) {
        return Some(MentionKind::Variable);
    }
    let is_declared = matches!(
        leaf.own_field(),
        "name" | "declarator" | "left" | "pattern" | "alias"
    );
    let is_path = parent.is(&[
        "scoped_identifier", "qualified_identifier", "qualified_name", "namespace_name",
    ]);
    let is_parameter = parent.kind().contains("parameter");
    let is_variable =
        parent.has_role(Role::Assign) && parent.assignment().is_some_and(|set| set.target == leaf);
    (is_parameter || is_variable || is_declared && !is_path && !parent.has_role(Role::Member))
        .then_some(MentionKind::Variable)
}

/// The function or constant used as a value: `A::f`, `A.CASE`, `table = { f }`, `run(f)`.
fn used_as_value(leaf: Node<'_>, parent: Node<'_>) -> Option<NamedUse> {
    let by_path = parent.is(&[
        "method_reference", "callable_reference", "scoped_identifier", "qualified_identifier",
        "class_constant_access_expression", "scope_resolution",
    ]);
    let (receiver, through, of) = if by_path {
        let before = parent.named_children().take_while(|child| *child != leaf);
        match before.last() {
            Some(first) => (ReceiverKind::Other, first.last_name(), None),
            None => (ReceiverKind::Bare, "", None),
        }
    } else if let Some(owner) = owner_of_member(leaf, parent) {
        (ReceiverKind::Other, owner.last_name(), Some(owner))
    } else {
        let passes_functions = ["C", "C++", "Go", "Rust"].contains(&leaf.tree().grammar().name());
        let is_value = parent.has_role(Role::Arguments)
            || parent.is(&["initializer_list", "argument_list", "literal_element"])
            || matches!(leaf.own_field(), "value" | "right");
        if !passes_functions || !is_value || !leaf.has_role(Role::Name) {
            return None;
        }
        (ReceiverKind::Bare, "", None)
    };
    Some(NamedUse {
        receiver,
        through: through.to_owned(),
        receiver_type: of.and_then(type_of_receiver),
        is_call: false,
        arguments: None,
        passed: None,
        result: ResultUse::Unknown,
    })
}

/// The type or value of which a leaf is a member: `A` for the leaf `CASE` in `A.CASE`.
fn owner_of_member<'t>(leaf: Node<'t>, parent: Node<'t>) -> Option<Node<'t>> {
    // Kotlin has a node around the dot and the name.
    let access = if parent.is(&["navigation_suffix"]) {
        parent.parent()?
    } else {
        parent
    };
    access
        .receiver()
        .filter(|receiver| access.has_role(Role::Member) && *receiver != leaf)
}
