//! Bare names of types, and of packages of Go, that a whole file uses and neither defines nor imports.

use std::collections::HashSet;

use super::go;
use super::model::{Answer, DefKind, FILE, Symbols};
use crate::semantics::packages::is_import;
use crate::tree::{Node, Tree};

/// The use of such a name.
#[derive(Debug, Clone, Copy)]
pub struct Unbound<'t> {
    /// The name.
    pub name: Node<'t>,
    /// A base type may define it.
    pub may_be_inherited: bool,
}

/// An import of one name.
#[derive(Debug, Clone)]
pub struct Import<'t> {
    /// The name that it binds.
    pub name: &'t str,
    /// The package or namespace that has it; for Go, its path.
    pub package: String,
    /// The name in the import.
    pub node: Node<'t>,
}

/// The uses of unbound names in a whole file, in document order; `None` if imports of all names may define them, or the language has no
/// such names.
#[must_use]
pub fn unbound<'t>(tree: &'t Tree<'t>) -> Option<Vec<Unbound<'t>>> {
    let symbols = Symbols::of(tree).filter(|_| tree.is_readable_file())?;
    let language = tree.grammar().name();
    let is_place: fn(Node<'_>) -> bool = match language {
        "Go" => is_package_of_go,
        "Java" => is_type_of_java,
        "Kotlin" => |_| true,
        "PHP" => is_class_of_php,
        "C#" => is_type_of_csharp,
        _ => return None,
    };
    let namespaces = tree.nodes().filter(|node| {
        node.is(&[
            "namespace_definition", "namespace_declaration", "file_scoped_namespace_declaration",
        ])
    });
    if tree.nodes().any(imports_all) || namespaces.take(2).count() > 1 {
        return None;
    }
    let key = |name: &str| match language {
        "PHP" => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    };
    let defined = symbols.symbols().flat_map(|own| own.definitions(tree));
    let mut bound: HashSet<String> = defined.map(|name| key(bound_name(name))).collect();
    if language == "Kotlin" {
        bound.extend(declared_in_kotlin(tree).map(str::to_owned));
    }
    let mut is_open: Vec<bool> = Vec::with_capacity(symbols.scopes.len());
    for (at, scope) in (0u32..).zip(&symbols.scopes) {
        let around = is_open.get(scope.parent as usize).copied().unwrap_or(false);
        is_open.push(around || at != FILE && scope.is_open);
    }
    let uses = symbols.uses.iter().filter_map(|used| {
        let name = tree.node(used.node)?;
        let is_found =
            matches!(used.answer, Answer::Found(_)) || bound.contains(&key(bound_name(name)));
        (!is_found && is_place(name)).then_some(Unbound {
            name,
            may_be_inherited: is_open.get(used.scope as usize).copied().unwrap_or(true),
        })
    });
    Some(uses.collect())
}

/// The imports of single names in a whole file.
pub fn imports<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = Import<'t>> {
    let symbols = Symbols::of(tree).filter(|_| tree.is_readable_file());
    let symbols = symbols.into_iter().flat_map(Symbols::symbols);
    let names = symbols
        .filter(|symbol| symbol.kind == DefKind::Import)
        .flat_map(|symbol| symbol.definitions(tree));
    names.filter_map(|node| {
        Some(Import {
            name: bound_name(node),
            package: package_of(node)?,
            node,
        })
    })
}

/// The namespaces that a file of C# imports, with the statements.
pub fn usings<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = (&'t str, Node<'t>)> {
    let directives = tree.nodes().filter(|node| node.is(&["using_directive"]));
    directives.filter_map(|using| {
        let is_plain = using.field("name").is_none()
            && !using
                .children()
                .any(|word| matches!(word.text(), "static" | "unsafe"));
        let path = using.named_children().last().filter(|_| is_plain)?;
        Some((path.text(), using))
    })
}

/// The name that a definition binds.
fn bound_name(name: Node<'_>) -> &str {
    match name.kind() {
        "interpreted_string_literal_content" | "raw_string_literal_content" => {
            go::package(name.text()).unwrap_or_default()
        }
        _ => name.text().trim_matches('`').trim_start_matches('@'),
    }
}

/// The package or namespace from which a name is imported.
fn package_of(name: Node<'_>) -> Option<String> {
    let statement = name
        .ancestors()
        .find(|around| is_import(*around) || around.is(&["import_spec"]))?;
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    match name.tree().grammar().name() {
        "Go" => Some(
            statement
                .field("path")?
                .text()
                .trim_matches(['"', '`'])
                .to_owned(),
        ),
        "Java" => {
            let path = statement.named_children().last()?;
            Some(squeezed(path.text()).rsplit_once('.')?.0.to_owned())
        }
        "Kotlin" => {
            let path = statement.child_of_kind(&["identifier"])?;
            Some(squeezed(path.text()).rsplit_once('.')?.0.to_owned())
        }
        "PHP" => {
            let clause = name
                .ancestors()
                .find(|around| around.is(&["namespace_use_clause"]))?;
            let path = clause.named_children().next()?;
            let group = statement.child_of_kind(&["namespace_name"]);
            let group = group.map_or(String::new(), |group| format!("{}\\", group.text()));
            let path = format!("{group}{}", path.text());
            let path = path.trim_start_matches('\\');
            Some(
                path.rsplit_once('\\')
                    .map_or("", |(package, _)| package)
                    .to_owned(),
            )
        }
        _ => None,
    }
}

/// Whether a node imports all names of a package, or names in a way that the table does not read.
fn imports_all(node: Node<'_>) -> bool {
    match node.kind() {
        // A static import brings methods and constants.
        "import_declaration" => {
            let text = node.text();
            let is_static = || text.split_whitespace().nth(1) == Some("static");
            text.starts_with("import module")
                || node.child_of_kind(&["asterisk"]).is_some() && !is_static()
        }
        "wildcard_import" => true,
        "dot" => node.own_field() == "name",
        _ => false,
    }
}

fn is_capital(name: Node<'_>) -> bool {
    name.text().starts_with(|c: char| c.is_ascii_uppercase())
}

/// Whether a name is the package in `strings.Cut` or `time.Duration`.
fn is_package_of_go(name: Node<'_>) -> bool {
    name.parent().is_some_and(|parent| match parent.kind() {
        "selector_expression" => {
            parent.field("operand") == Some(name) && parent.field("field").is_some_and(is_capital)
        }
        "qualified_type" => parent.field("package") == Some(name),
        _ => false,
    })
}

fn is_type_of_java(name: Node<'_>) -> bool {
    let Some(parent) = name.parent().filter(|_| is_capital(name)) else {
        return false;
    };
    match parent.kind() {
        "type_parameter" => false,
        "method_invocation" | "field_access" => parent.field("object") == Some(name),
        "annotation" | "marker_annotation" => name.own_field() == "name",
        "method_reference" => true,
        _ => name.is(&["type_identifier"]),
    }
}

fn is_class_of_php(name: Node<'_>) -> bool {
    const LISTS: &[&str] = &[
        "base_clause", "class_interface_clause", "use_declaration", "attribute", "named_type",
    ];
    const OWNERS: &[&str] = &[
        "object_creation_expression", "scoped_call_expression", "class_constant_access_expression",
        "scoped_property_access_expression",
    ];
    let Some(parent) = name.parent().filter(|_| name.is(&["name"])) else {
        return false;
    };
    let is_reserved = ["self", "static", "parent"]
        .iter()
        .any(|word| name.text().eq_ignore_ascii_case(word));
    let is_owner = || parent.is(OWNERS) && parent.named_children().next() == Some(name);
    let is_instance = || {
        parent.is(&["binary_expression"])
            && name.own_field() == "right"
            && parent
                .children()
                .any(|word| word.text().eq_ignore_ascii_case("instanceof"))
    };
    !is_reserved && (parent.is(LISTS) || is_owner() || is_instance())
}

fn is_type_of_csharp(name: Node<'_>) -> bool {
    const PARENTS: &[&str] = &["base_list", "type_argument_list"];
    let generic = name.parent().filter(|parent| parent.is(&["generic_name"]));
    let whole = generic.unwrap_or(name);
    let Some(parent) = whole.parent().filter(|_| is_capital(name)) else {
        return false;
    };
    match (parent.kind(), whole.own_field()) {
        ("member_access_expression", field) => field == "expression",
        ("as_expression", field) => field == "right",
        (kind, field) => PARENTS.contains(&kind) || matches!(field, "type" | "returns"),
    }
}

/// The simple names that a file of Kotlin may define: all that are neither called nor a receiver.
fn declared_in_kotlin<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = &'t str> {
    const PARENTS: &[&str] = &[
        "function_declaration", "variable_declaration", "enum_entry", "class_parameter",
        "parameter",
    ];
    let names = tree.nodes().filter(|node| {
        node.is(&["simple_identifier"]) && node.parent().is_some_and(|parent| parent.is(PARENTS))
    });
    names.map(Node::text)
}
