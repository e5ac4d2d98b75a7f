//! The types that a file defines, with what decides whether they have a member.

use syntax::language::Role;
use syntax::semantics::packages::package;
use syntax::tree::{Node, Tree};

use super::function_header::heads;
use super::generating::generating;
use super::members::{name_of_type, type_name};
use super::type_ref::Imports;
use super::type_surface::{Surface, TypeSurface};

/// The maximum number of types of a file.
const TYPES: usize = 100;
/// The maximum number of methods of a file whose names may be suggested.
const METHODS: usize = 600;
/// The maximum number of bases of a type, and of fields of a Go struct.
const BASES: usize = 20;
const FIELDS: usize = 200;

/// The types of a whole file; `None` if it could not be read completely.
pub(crate) fn surface(tree: &Tree<'_>) -> Option<Surface> {
    if !tree.is_readable_file() {
        return None;
    }
    let imports = Imports::of(tree);
    let is_go = tree.grammar().name() == "Go";
    let types: Vec<Node<'_>> = tree
        .nodes()
        .filter(|node| {
            if is_go {
                is_go_type(*node)
            } else {
                is_outer(*node)
            }
        })
        .take(TYPES + 1)
        .collect();
    if types.len() > TYPES {
        return None;
    }
    let described = types.iter().filter_map(|node| {
        let (name, line) = (type_name(*node)?, name_of_type(*node)?.line()?);
        let mut found = TypeSurface {
            name: name.to_owned(),
            line,
            bases: Vec::new(),
            is_open: false,
            fields: Vec::new(),
        };
        if is_go {
            describe_go(&mut found, *node, &imports);
        } else {
            describe(&mut found, *node, &imports);
        }
        Some(found)
    });
    let mut types: Vec<TypeSurface> = described.collect();
    types.extend(is_go.then(TypeSurface::of_go_package));
    Some(Surface {
        package: tree.root().map(package).unwrap_or_default(),
        types,
        methods: methods(tree),
        default: default_export(tree),
    })
}

fn is_outer(node: Node<'_>) -> bool {
    let is_type = node.has_role(Role::Class)
        || node.is(&[
            "enum_declaration", "interface_declaration", "trait_declaration", "record_declaration",
        ]);
    is_type
        && node.parent().is_some()
        && !node
            .ancestors()
            .any(|around| around.has_role(Role::Class) || around.has_role(Role::Function))
}

fn is_go_type(node: Node<'_>) -> bool {
    node.is(&["type_spec", "type_alias"])
        && node
            .ancestors()
            .take(2)
            .last()
            .is_some_and(|around| around.is(&["source_file"]))
}

/// The methods of a file, by the names of their types.
fn methods(tree: &Tree<'_>) -> Vec<(String, String)> {
    let own = heads(tree).filter_map(|head| {
        let owner = match head.whole.field("receiver") {
            Some(receiver) => receiver
                .leaves()
                .find(|leaf| leaf.is(&["type_identifier"]))?
                .text(),
            None => match head.whole.enclosing(Role::Class) {
                Some(class) => type_name(class)?,
                None => "",
            },
        };
        Some((owner.to_owned(), head.name.text().to_owned()))
    });
    let required = tree.nodes().filter_map(|node| {
        let name = node.field("name").filter(|_| {
            node.is(&[
                "method_elem", "method_signature", "abstract_method_signature",
            ])
        })?;
        let owner = node
            .ancestors()
            .find(|around| around.is(&["type_spec"]) || around.has_role(Role::Class))?;
        Some((type_name(owner)?.to_owned(), name.text().to_owned()))
    });
    own.chain(required).take(METHODS).collect()
}

/// The name of the type that a file of JavaScript exports as a whole.
fn default_export(tree: &Tree<'_>) -> Option<String> {
    let is_name = |node: &Node<'_>| node.is(&["identifier"]);
    tree.root()?.named_children().find_map(|statement| {
        if statement.is(&["export_statement"]) {
            statement.child_of_kind(&["default"])?;
            if let Some(declared) = statement.field("declaration") {
                return type_name(declared).map(str::to_owned);
            }
            let value = statement.field("value").filter(is_name)?;
            return Some(value.text().to_owned());
        }
        let set = statement
            .named_children()
            .next()
            .filter(|set| set.is(&["assignment_expression"]))?;
        let value = set.field("right")?;
        let is_whole = set.field("left")?.text() == "module.exports";
        let name = match value.kind() {
            "identifier" => Some(value),
            "class" => name_of_type(value),
            _ => None,
        };
        name.filter(|_| is_whole).map(|name| name.text().to_owned())
    })
}

fn describe(found: &mut TypeSurface, node: Node<'_>, imports: &Imports<'_>) {
    let language = node.tree().grammar().name();
    let names = base_names(node);
    found.is_open = names.is_none() || adds_members(node, language);
    for name in names.into_iter().flatten().take(BASES) {
        if is_empty_base(name) && !imports.imports(name) || matches!(name, "ABC" | "Serializable") {
            continue;
        }
        match imports.type_ref(name) {
            Some(base) => found.bases.push(base),
            None => found.is_open = true,
        }
    }
}

/// Base types of the languages themselves that add only members that are never reported.
fn is_empty_base(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "object", "Object", "Serializable", "Cloneable", "AutoCloseable", "Runnable",
        "IDisposable", "IAsyncDisposable",
    ];
    NAMES.contains(&name)
}

/// The names of the types whose members a type has; `None` if one of them is not a plain name.
fn base_names<'t>(node: Node<'t>) -> Option<Vec<&'t str>> {
    let language = node.tree().grammar().name();
    let is_interface = node.is(&["interface_declaration"]);
    let is_abstract = header(node).any(|leaf| leaf.text() == "abstract");
    let mut found = Vec::new();
    for list in node.children() {
        let bases: Vec<Node<'t>> = match list.kind() {
            // A class has the methods of its interfaces itself, unless they have bodies.
            "class_interface_clause" if !is_abstract => continue,
            "superclass"
            | "base_clause"
            | "base_list"
            | "class_interface_clause"
            | "delegation_specifier"
            | "extends_type_clause" => list.named_children().collect(),
            "super_interfaces" | "extends_interfaces" => list
                .named_children()
                .flat_map(Node::named_children)
                .collect(),
            "argument_list" if language == "Python" => list.named_children().collect(),
            "class_heritage" if language == "JavaScript" => list.named_children().collect(),
            "class_heritage" => {
                let extends = list.child_of_kind(&["extends_clause"]);
                extends
                    .and_then(|own| own.field("value"))
                    .into_iter()
                    .collect()
            }
            _ => continue,
        };
        for base in bases
            .into_iter()
            .filter(|base| !base.has_role(Role::Comment))
        {
            let name = plain(base)?;
            let is_implemented = language == "C#" && !is_interface && !is_abstract;
            if !(is_implemented && is_named_as_interface(name)) {
                found.push(name);
            }
        }
    }
    Some(found)
}

fn is_named_as_interface(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase)
}

/// The name in a base type, without type arguments and arguments of the constructor.
fn plain(base: Node<'_>) -> Option<&str> {
    const NAMES: &[&str] = &["identifier", "type_identifier", "simple_identifier", "name"];
    let mut inner = base;
    for _ in 0..4 {
        if inner.is(NAMES) {
            return Some(inner.text());
        }
        let first = inner.named_children().next()?;
        let others = inner.named_children().skip(1);
        let are_arguments = others
            .into_iter()
            .all(|other| other.kind().contains("argument"));
        let is_wrapper = inner.is(&[
            "generic_type", "generic_name", "user_type", "constructor_invocation",
            "primary_constructor_base_type",
        ]);
        if !is_wrapper || !are_arguments {
            return None;
        }
        inner = first;
    }
    None
}

/// The leaves of a type before its body.
fn header(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    const MANY: usize = 200;
    let body = node
        .field("body")
        .or_else(|| node.child_of_kind(&["class_body", "enum_class_body", "declaration_list"]))
        .map_or(usize::MAX, Node::index);
    node.leaves()
        .take_while(move |leaf| leaf.index() < body)
        .take(MANY)
}

/// Whether a type may have members that its code does not name.
fn adds_members(node: Node<'_>, language: &str) -> bool {
    let text = node.text();
    let has = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    let name = type_name(node).unwrap_or_default();
    let whole = node.tree().root().map_or("", Node::text);
    let decorated = || {
        node.child_of_kind(&["decorator"]).is_some()
            || node.parent().is_some_and(|around| {
                around.is(&["decorated_definition"])
                    || around.child_of_kind(&["decorator"]).is_some()
            })
    };
    match language {
        "PHP" => {
            let body = node.field("body");
            !node.is(&["class_declaration", "interface_declaration"])
                || body.is_some_and(|body| body.child_of_kind(&["use_declaration"]).is_some())
                || has(&["__call", "__get"])
                || ["@method", "@mixin", "class_alias"]
                    .iter()
                    .any(|mark| whole.contains(mark))
        }
        "Java" => {
            let generating = generating(language);
            has(generating) || header(node).any(|leaf| generating.contains(&leaf.text()))
        }
        "Kotlin" => {
            has(generating(language))
                || header(node).any(|leaf| matches!(leaf.text(), "enum" | "expect" | "actual"))
        }
        "C#" => {
            !node.is(&["class_declaration", "interface_declaration"])
                || node.child_of_kind(&["attribute_list"]).is_some()
                || header(node).any(|leaf| leaf.text() == "partial")
        }
        "Python" => {
            decorated()
                || [
                    "__getattr__", "__getattribute__", "setattr(", "__dict__", "metaclass",
                ]
                .iter()
                .any(|mark| whole.contains(mark))
        }
        _ => {
            let also = ["const", "let", "namespace", "function"];
            decorated()
                || also
                    .iter()
                    .any(|word| has_text(whole, &format!("{word} {name}")))
                || has(&[
                    "[key:", "Object.assign(this", "[name:", "[k:", "this[", "[index:",
                ])
                || [format!("{name}.prototype"), format!("Object.assign({name}")]
                    .iter()
                    .any(|mark| whole.contains(mark.as_str()))
        }
    }
}

/// Whether a text contains another one that ends with a whole word.
pub(super) fn has_text(text: &str, part: &str) -> bool {
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(part)
        .any(|(at, _)| text.get(at + part.len()..).is_some_and(is_end))
}

/// Bases and fields of a Go type.
fn describe_go(found: &mut TypeSurface, node: Node<'_>, imports: &Imports<'_>) {
    let kind = node.field("type");
    let Some(kind) = kind.filter(|_| node.is(&["type_spec"])) else {
        found.is_open = true;
        return;
    };
    let mut embed = |base: Node<'_>| match imports.type_ref(base.text()) {
        Some(base) if found.bases.len() < BASES => found.bases.push(base),
        _ => found.is_open = true,
    };
    if kind.is(&["struct_type"]) {
        let fields = kind.child_of_kind(&["field_declaration_list"]);
        for field in fields.into_iter().flat_map(Node::named_children) {
            let Some(of) = field
                .field("type")
                .filter(|_| field.is(&["field_declaration"]))
            else {
                continue;
            };
            let names = field
                .named_children()
                .filter(|one| one.is(&["field_identifier"]));
            let names: Vec<&str> = names.map(Node::text).collect();
            if names.is_empty() {
                embed(of);
            }
            let Some(of) = imports.type_ref(of.text()) else {
                continue;
            };
            let room = FIELDS.saturating_sub(found.fields.len());
            let named = names.into_iter().take(room);
            found
                .fields
                .extend(named.map(|name| (name.to_owned(), of.clone())));
        }
    } else if kind.is(&["interface_type"]) {
        for part in kind.named_children() {
            if part.is(&["type_elem"]) {
                embed(part);
            }
        }
    } else {
        found.is_open = true;
    }
}
