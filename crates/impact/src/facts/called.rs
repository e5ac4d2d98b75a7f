//! The members that added code calls on values whose type is certain.

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};
use syntax::language::Role;
use syntax::semantics::class_name::class_name;
use syntax::semantics::type_name::type_name as type_of;
use syntax::semantics::types::declared;
use syntax::tree::{Node, Tree};

use super::members::type_name;
use super::type_ref::{Imports, TypeRef};

/// The maximum number of calls of a file that are recorded.
const CALLS: usize = 200;
/// The minimum length of the name of a member.
const NAME: usize = 3;
/// The maximum number of fields between a Go value and its member.
const FIELDS: usize = 3;

/// A call of a member on the new side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CalledMember {
    /// The name of the member.
    pub(crate) name: String,
    /// The type of the receiver.
    pub(crate) of: TypeRef,
    /// In Go, the fields between a value of that type and the receiver.
    pub(crate) fields: Vec<String>,
    /// The receiver is the current object.
    pub(crate) is_own: bool,
    /// The line.
    pub(crate) line: u32,
}

/// Whether calls in a file of a language are recorded.
fn has_types(language: &str) -> bool {
    [
        "Java", "Kotlin", "C#", "PHP", "Go", "Python", "JavaScript", "TypeScript", "TSX",
    ]
    .contains(&language)
}

/// The calls of members that the change adds, limited and without repetitions.
pub(crate) fn called_members(tree: &Tree<'_>, is_test: bool) -> Vec<CalledMember> {
    let language = tree.grammar().name();
    // Tests replace objects at run time or, in Go, add methods to types.
    let is_replaced = is_test && !["Java", "Kotlin", "C#"].contains(&language);
    if is_replaced || !has_types(language) || !tree.is_readable_file() {
        return Vec::new();
    }
    let imports = Imports::of(tree);
    let mut found = BTreeSet::new();
    for node in tree
        .changed_nodes()
        .filter(|node| node.has_role(Role::Call))
    {
        if found.len() == CALLS {
            break;
        }
        found.extend(called(node, &imports));
    }
    let own: HashSet<&str> = found
        .iter()
        .filter(|one| one.is_own)
        .map(|one| one.name.as_str())
        .collect();
    let defined = named_otherwise(tree, &own);
    let mut known = HashSet::new();
    let mut found: Vec<CalledMember> = found
        .iter()
        .filter(|one| !(one.is_own && defined.contains(one.name.as_str())))
        .cloned()
        .collect();
    found.sort_by_key(|one| one.line);
    found.retain(|one| known.insert((one.name.clone(), one.of.clone(), one.fields.clone())));
    found
}

fn called(call: Node<'_>, imports: &Imports<'_>) -> Option<CalledMember> {
    const CALLS: &[&str] = &[
        "call", "call_expression", "method_invocation", "invocation_expression",
        "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression",
    ];
    let name = callee(call).filter(|_| call.is(CALLS) && call.is_usable())?;
    let receiver = call.call()?.receiver?.unparenthesised();
    let text = name.text();
    let is_wanted = name.touches_change()
        && text.len() >= NAME
        && text.is_ascii()
        && !text.starts_with('_')
        && !is_universal(text)
        && !is_tried(call)
        && name != receiver;
    let line = name.line().filter(|_| is_wanted)?;
    let member = |of: TypeRef| CalledMember {
        name: text.to_owned(),
        of,
        fields: Vec::new(),
        is_own: false,
        line,
    };
    if is_itself(receiver) {
        let mut own = member(TypeRef::of_same_file(own_class(receiver)?));
        own.is_own = true;
        return Some(own);
    }
    if is_rebound(receiver) {
        return None;
    }
    if receiver.tree().grammar().name() == "Go" {
        let (base, fields) = go_path(receiver)?;
        let is_package = fields.is_empty() && declared(base).is_none();
        if let Some(package) = imports.go_package(base.text()).filter(|_| is_package) {
            return Some(member(package));
        }
        let mut found = member(imports.type_ref(&type_of(base)?)?);
        found.fields = fields;
        return Some(found);
    }
    let of = type_of_receiver(receiver).or_else(|| named_type(receiver, imports))?;
    imports.type_ref(&of).map(member)
}

/// The name of a called member.
fn callee(call: Node<'_>) -> Option<Node<'_>> {
    let callee = call
        .any_field(&["function", "method", "name"])
        .or_else(|| call.named_children().next())?;
    Some(callee.last_name_node())
}

/// Members that every object may have, or that libraries add to any object.
fn is_universal(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "toString", "equals", "hashCode", "getClass", "notify", "notifyAll", "wait", "clone",
        "finalize", "compareTo", "close", "run", "values", "valueOf", "name", "ordinal",
        "getDeclaringClass", "describeConstable", "entries", "copy", "let", "also", "apply",
        "takeIf", "takeUnless", "use", "with", "Equals", "GetHashCode", "GetType", "ToString",
        "ReferenceEquals", "MemberwiseClone", "CompareTo", "Dispose", "DisposeAsync", "Should",
        "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toJSON",
        "constructor", "prototype", "length", "call", "bind", "cases", "from", "tryFrom", "class",
        "expects", "method", "shouldReceive", "allows", "mockClear", "Error", "String",
    ];
    let is_component = name
        .strip_prefix("component")
        .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    is_component || NAMES.contains(&name)
}

/// Whether a failure of the call may be expected.
fn is_tried(call: Node<'_>) -> bool {
    call.tree().grammar().name() == "Python"
        && call.ancestors().any(|around| around.is(&["try_statement"]))
}

fn is_itself(receiver: Node<'_>) -> bool {
    receiver.is(&["this", "this_expression", "identifier", "variable_name"])
        && matches!(receiver.text(), "this" | "self" | "$this")
}

/// The name of the class whose object the current object certainly is.
fn own_class(receiver: Node<'_>) -> Option<&str> {
    // Functions in functions may have another object.
    const OTHER: &[&str] = &[
        "function_expression", "function_declaration", "generator_function", "anonymous_function",
        "lambda_literal", "object_creation_expression", "object_literal", "class_static_block",
    ];
    let class = receiver.ancestors().find(|around| {
        around.is(OTHER) || around.has_role(Role::Class) || around.is(&["object"])
    })?;
    let is_outer = !class
        .ancestors()
        .any(|around| around.has_role(Role::Class) || around.has_role(Role::Function));
    let is_class = class.has_role(Role::Class) && !class.is(&["trait_declaration"]);
    type_name(class).filter(|_| is_class && is_outer)
}

/// Whether the code around a name may give it another type than its declaration: a smart cast, a type switch, or a
/// parameter without a type.
fn is_rebound(receiver: Node<'_>) -> bool {
    let name = receiver.last_name();
    let language = receiver.tree().grammar().name();
    let is_kotlin = language == "Kotlin";
    for around in receiver.ancestors() {
        if around.is(&[
            "type_switch_statement", "communication_case", "query_expression", "lambda_literal",
        ]) {
            return true;
        }
        if is_kotlin && around.is(&["for_statement", "when_expression", "catch_block"]) {
            return true;
        }
        if around.has_role(Role::Lambda) && takes(around, name) {
            return true;
        }
        if around.has_role(Role::Function) && !around.has_role(Role::Lambda) {
            return narrows(around, language);
        }
    }
    false
}

/// Whether an anonymous function has a parameter with this name.
fn takes(function: Node<'_>, name: &str) -> bool {
    let body = function.field("body").map_or(usize::MAX, Node::index);
    let mut head = function.leaves().take_while(|leaf| leaf.index() < body);
    head.any(|leaf| leaf.text() == name)
}

/// Whether a function tests the types of values, which then have other members.
fn narrows(function: Node<'_>, language: &str) -> bool {
    let marks: &[&str] = match language {
        "Kotlin" => &[" is ", "(is ", " as ", " as? "],
        "PHP" | "TypeScript" | "TSX" | "JavaScript" => &[
            "instanceof", " in ", "method_exists", " as ", "is_a(", "typeof ",
        ],
        "Python" => &["isinstance", "hasattr", "issubclass", "getattr", "cast("],
        _ => &[],
    };
    let text = function.text();
    marks.iter().any(|mark| text.contains(mark))
}

/// The variable and the fields of a Go receiver: `s` and `Store` for `s.Store`.
fn go_path(receiver: Node<'_>) -> Option<(Node<'_>, Vec<String>)> {
    let (mut base, mut fields) = (receiver, Vec::new());
    while base.is(&["selector_expression"]) && fields.len() < FIELDS {
        fields.insert(0, base.field("field")?.text().to_owned());
        base = base.field("operand")?;
    }
    (base.is(&["identifier"])).then_some((base, fields))
}

fn type_of_receiver(receiver: Node<'_>) -> Option<String> {
    const VALUES: &[&str] = &[
        "identifier", "simple_identifier", "field_access", "member_access_expression",
        "member_expression", "attribute", "variable_name",
    ];
    if !receiver.is(VALUES) {
        return None;
    }
    match receiver.tree().grammar().name() {
        "Java" | "C#" | "Kotlin" => type_of(receiver),
        _ => class_name(receiver).map(str::to_owned),
    }
}

/// The type that a receiver names, for members of the type itself.
fn named_type(receiver: Node<'_>, imports: &Imports<'_>) -> Option<String> {
    let name = receiver.text();
    let is_type = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().any(|c| c.is_ascii_lowercase());
    let is_named = match receiver.tree().grammar().name() {
        "PHP" => receiver.is(&["name"]),
        "Java" | "C#" => receiver.is(&["identifier"]) && declared(receiver).is_none(),
        "TypeScript" | "TSX" | "JavaScript" | "Python" => {
            receiver.is(&["identifier"]) && imports.imports(name)
        }
        _ => false,
    };
    (is_type && is_named).then(|| name.to_owned())
}

/// The names among these that a file names in any other way than as a method of the current object.
fn named_otherwise<'n>(tree: &Tree<'_>, names: &HashSet<&'n str>) -> HashSet<&'n str> {
    if names.is_empty() {
        return HashSet::new();
    }
    let calls: HashSet<usize> = tree
        .nodes()
        .filter(|node| node.has_role(Role::Call))
        .filter_map(|call| {
            let name = callee(call).filter(|name| names.contains(name.text()))?;
            is_itself(call.call()?.receiver?).then(|| name.index())
        })
        .collect();
    let leaves = tree
        .nodes()
        .filter(|node| node.is_leaf() && !calls.contains(&node.index()));
    leaves
        .filter_map(|leaf| names.get(leaf.text().trim_matches(['"', '\''])).copied())
        .collect()
}
