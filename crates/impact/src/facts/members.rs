//! Members of types that other files read: the cases of enums, constants, fields and properties.

use std::collections::{BTreeMap, HashSet};

use syntax::language::Role;
use syntax::tree::{Node, Tree};

/// The minimum length of the name of a member that is searched for.
const NAME: usize = 3;

/// Decorators of Python that turn a method into a property.
const PROPERTIES: &[&str] = &[
    "@property", "@cached_property", "@functools.cached_property",
];

/// How other files read a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberKind {
    /// By the name of its type: a constant or a case of an enum.
    OfType,
    /// Through a value: a field or a property.
    OfValue,
}

/// A member of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'t> {
    pub(super) name: Node<'t>,
    pub(super) kind: MemberKind,
}

/// The members of a file that other files can read, by the names of their types and their own. A name that occurs twice
/// in a type is omitted.
pub(super) fn members<'t>(tree: &'t Tree<'t>) -> BTreeMap<(&'t str, &'t str), Member<'t>> {
    let mut found: BTreeMap<(&str, &str), Option<Member<'_>>> = BTreeMap::new();
    for (name, kind) in tree.nodes().flat_map(declared) {
        let text = name.text().trim_start_matches(['$', ':']);
        let is_wanted = text.len() >= NAME && text.is_ascii() && !text.starts_with('_');
        let Some(owner) = owner(name).filter(|_| is_wanted) else {
            continue;
        };
        let Some(of) = type_name(owner) else {
            continue;
        };
        found
            .entry((of, text))
            .and_modify(|known| *known = None)
            .or_insert(Some(Member { name, kind }));
    }
    let once = |(key, member): (_, Option<_>)| Some((key, member?));
    found.into_iter().filter_map(once).collect()
}

/// The types at the top of a file, by their names.
pub(super) fn outer_types<'t>(tree: &'t Tree<'t>) -> BTreeMap<&'t str, Node<'t>> {
    let is_outer = |node: &Node<'_>| {
        is_type(*node)
            && !node.is(&["module", "impl_item"])
            && !node
                .ancestors()
                .any(|around| is_type(around) || around.has_role(Role::Function))
    };
    let named = |node: Node<'t>| Some((type_name(node)?, node));
    tree.nodes().filter(is_outer).filter_map(named).collect()
}

/// The indices of the names of members in their declarations.
pub(super) fn member_names(tree: &Tree<'_>) -> HashSet<usize> {
    let declared = tree.nodes().flat_map(declared);
    declared.map(|(name, _)| name.index()).collect()
}

/// Whether a leaf is the name of a type, or of one of these members, in its declaration.
pub(super) fn declares(leaf: Node<'_>, members: &HashSet<usize>) -> bool {
    let names_type = |parent: Node<'_>| {
        is_type(parent)
            && (leaf.own_field() == "name" || type_identifier(parent) == Some(leaf))
            && !parent.is(&["impl_item"])
    };
    let mut names = [Some(leaf), leaf.parent()].into_iter().flatten();
    leaf.parent().is_some_and(names_type) || names.any(|name| members.contains(&name.index()))
}

/// The types of a file, by their names.
pub(super) fn all_types<'t>(tree: &'t Tree<'t>) -> BTreeMap<&'t str, Node<'t>> {
    let types = tree.nodes().filter(|node| is_type(*node));
    types
        .filter_map(|node| Some((type_name(node)?, node)))
        .collect()
}

/// The members that a node declares.
fn declared(node: Node<'_>) -> Vec<(Node<'_>, MemberKind)> {
    let is_ruby = || node.tree().grammar().name() == "Ruby";
    if let Some(name) = constant(node) {
        return vec![(name, MemberKind::OfType)];
    }
    match node.kind() {
        // Python and Ruby.
        "assignment" => assigned(node).into_iter().collect(),
        "call" if is_ruby() => generated(node),
        _ => fields(node)
            .into_iter()
            .map(|name| (name, MemberKind::OfValue))
            .collect(),
    }
}

/// The name of the constant or the case that a node declares.
fn constant(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "enum_constant" | "enum_member_declaration" | "enum_case" | "enum_variant" => {
            node.field("name")
        }
        "enum_entry" => node.child_of_kind(&["simple_identifier"]),
        "const_element" => {
            let is_private = node
                .parent()
                .and_then(|around| around.child_of_kind(&["visibility_modifier"]))
                .is_some_and(|modifier| modifier.text() == "private");
            node.named_children().next().filter(|_| !is_private)
        }
        _ => None,
    }
}

/// The constant or, in Python, the field that an assignment in the body of a class defines.
fn assigned(node: Node<'_>) -> Option<(Node<'_>, MemberKind)> {
    let name = node
        .field("left")
        .filter(|left| left.is(&["identifier", "constant"]))?;
    let body = node
        .ancestors()
        .find(|around| !around.is(&["expression_statement"]))?;
    let in_class = body
        .parent()
        .is_some_and(|class| is_type(class) && body.is(&["block", "body_statement"]));
    let is_upper = name
        .text()
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    // A field with a type is that of a value: a setting, for example.
    let kind = if is_upper && node.field("type").is_none() {
        MemberKind::OfType
    } else {
        MemberKind::OfValue
    };
    in_class.then_some((name, kind))
}

/// The methods that a call in the body of a Ruby class generates from symbols: `attr_reader :name`, `scope :open, …`.
fn generated(call: Node<'_>) -> Vec<(Node<'_>, MemberKind)> {
    const OF_EACH: &[&str] = &["attr_reader", "attr_accessor", "attr_writer"];
    const OF_FIRST: &[&str] = &[
        "scope", "define_method", "has_many", "has_one", "belongs_to", "has_and_belongs_to_many",
    ];
    let Some(called) = call.call().filter(|called| called.receiver.is_none()) else {
        return Vec::new();
    };
    let most = if OF_EACH.contains(&called.name) {
        usize::MAX
    } else {
        usize::from(OF_FIRST.contains(&called.name))
    };
    let arguments = call.field("arguments");
    let symbols = arguments
        .into_iter()
        .flat_map(Node::named_children)
        .take(most)
        .filter(|argument| argument.is(&["simple_symbol"]));
    symbols.map(|name| (name, MemberKind::OfValue)).collect()
}

/// The fields and properties that a declaration declares, if other files may see them.
fn fields(node: Node<'_>) -> Vec<Node<'_>> {
    let has = |words: &[&str]| has_modifier(node, words);
    match (node.tree().grammar().name(), node.kind()) {
        ("C#", "property_declaration") if is_public(node) && !has(&["override"]) => {
            node.field("name").into_iter().collect()
        }
        ("C#", "field_declaration") if is_public(node) => {
            let list = node.child_of_kind(&["variable_declaration"]);
            list.map(declarators).unwrap_or_default()
        }
        ("Java", "field_declaration") if !has(&["private"]) => declarators(node),
        ("Kotlin", "property_declaration") if !has(&["private", "override"]) => node
            .child_of_kind(&["variable_declaration"])
            .and_then(|own| own.child_of_kind(&["simple_identifier"]))
            .into_iter()
            .collect(),
        ("Kotlin", "class_parameter") if !has(&["private", "override"]) => {
            let is_property = node
                .children()
                .any(|child| matches!(child.text(), "val" | "var"));
            node.child_of_kind(&["simple_identifier"])
                .into_iter()
                .filter(|_| is_property)
                .collect()
        }
        ("Go", "field_declaration") => node
            .children()
            .filter(|child| child.is(&["field_identifier"]) && child.own_field() == "name")
            .collect(),
        ("Rust", "field_declaration") => node
            .field("name")
            .filter(|_| node.child_of_kind(&["visibility_modifier"]).is_some())
            .into_iter()
            .collect(),
        ("Python", "decorated_definition") => {
            let is_property = node
                .children()
                .any(|child| child.is(&["decorator"]) && PROPERTIES.contains(&child.text().trim()));
            let function = node.field("definition").filter(|_| is_property);
            function
                .and_then(|own| own.field("name"))
                .into_iter()
                .collect()
        }
        ("PHP", "property_declaration") if !has(&["private", "protected"]) => node
            .children()
            .filter(|child| child.is(&["property_element"]))
            .filter_map(|element| element.named_children().next())
            .collect(),
        _ => Vec::new(),
    }
}

fn declarators(list: Node<'_>) -> Vec<Node<'_>> {
    list.children()
        .filter_map(|child| child.field("name"))
        .collect()
}

/// Whether other files may see a member of C#.
fn is_public(node: Node<'_>) -> bool {
    has_modifier(node, &["public", "internal"]) || is_of_interface(node)
}

/// Whether a node is a member of an interface of C#, Java or PHP.
pub(super) fn is_of_interface(member: Node<'_>) -> bool {
    let class = member.enclosing(Role::Class);
    class.is_some_and(|class| class.is(&["interface_declaration"]))
}

fn has_modifier(node: Node<'_>, words: &[&str]) -> bool {
    let modifiers = node
        .children()
        .filter(|child| child.kind().contains("modifier"));
    modifiers
        .flat_map(Node::leaves)
        .any(|leaf| words.contains(&leaf.text()))
}

/// The type around a member.
fn owner(name: Node<'_>) -> Option<Node<'_>> {
    let around = name
        .ancestors()
        .skip(1)
        .find(|around| is_type(*around) || around.has_role(Role::Function))?;
    is_type(around).then_some(around)
}

fn is_type(node: Node<'_>) -> bool {
    node.has_role(Role::Class)
        || node.is(&[
            "enum_declaration", "enum_item", "interface_declaration", "trait_declaration", "module",
        ]) && node.parent().is_some()
}

/// The name of a type, or of the type that an `impl` is for.
pub(super) fn type_name(node: Node<'_>) -> Option<&str> {
    Some(name_of_type(node)?.last_name())
}

/// The node with the name of a type.
pub(super) fn name_of_type(node: Node<'_>) -> Option<Node<'_>> {
    node.any_field(&["name", "type"])
        .or_else(|| type_identifier(node))
}

fn type_identifier(node: Node<'_>) -> Option<Node<'_>> {
    node.child_of_kind(&["type_identifier", "simple_identifier", "identifier"])
}
