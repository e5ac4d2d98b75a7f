//! Names of Go: variables, functions, types and imports. Fields and methods are separate.

use std::collections::HashMap;

use super::model::{DefKind, FILE, ScopeKind, Symbol, Symbols};
use super::row::{Place, Row, To};
use crate::semantics::vocabulary::is_transposed;
use crate::tree::{Node, Tree};

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const IMPORT: Place = Place::Bind(DefKind::Import, To::Here);
const TYPE: Place = Place::Bind(DefKind::Type, To::Outer);
const TYPE_PARAMETER: Place = Place::Bind(DefKind::TypeParameter, To::Here);

const FUNCTIONS: &[&str] = &["function_declaration", "method_declaration", "func_literal"];

/// Maximum length of a name that may be misspelt.
const LONGEST: usize = 64;

pub(super) const ROW: Row = Row {
    languages: &["Go"],
    identifiers: &[
        "identifier", "type_identifier", "package_identifier",
        // The path of an import names a package.
        "interpreted_string_literal_content", "raw_string_literal_content",
    ],
    scopes: &[
        ("source_file", ScopeKind::File),
        ("function_declaration", ScopeKind::Function),
        ("method_declaration", ScopeKind::Function),
        ("func_literal", ScopeKind::Function),
        ("function_type", ScopeKind::Function),
        ("method_elem", ScopeKind::Function),
        ("type_spec", ScopeKind::Class),
        ("type_alias", ScopeKind::Class),
        ("block", ScopeKind::Block),
        ("if_statement", ScopeKind::Block),
        ("for_statement", ScopeKind::Block),
        ("expression_switch_statement", ScopeKind::Block),
        ("type_switch_statement", ScopeKind::Block),
        ("expression_case", ScopeKind::Block),
        ("type_case", ScopeKind::Block),
        ("default_case", ScopeKind::Block),
        ("communication_case", ScopeKind::Block),
    ],
    fields: &[
        ("package_clause", "", Place::Skip),
        ("type_spec", "name", TYPE),
        ("type_alias", "name", TYPE),
        ("type_parameter_declaration", "name", TYPE_PARAMETER),
        ("var_spec", "name", VARIABLE),
        ("const_spec", "name", VARIABLE),
        ("short_var_declaration", "left", VARIABLE),
        ("type_switch_statement", "alias", VARIABLE),
        ("parameter_declaration", "name", PARAMETER),
        ("variadic_parameter_declaration", "name", PARAMETER),
        ("qualified_type", "name", Place::Skip),
    ],
    patterns: &["expression_list", "literal_element"],
    hides_class_names: false,
    locals: None,
    wildcards: &["dot"],
    dynamic_names: &[],
    dynamic: &[],
    special: &[
        "function_declaration", "import_spec", "interpreted_string_literal", "raw_string_literal",
        "range_clause", "receive_statement", "keyed_element", "type_elem",
    ],
    own,
    is_open,
    name,
    shares_scope,
    visible_from: Some(visible_from),
};

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let field = node.own_field();
    match parent.kind() {
        "function_declaration" if field == "name" => Some(if node.text() == "init" {
            Place::Skip
        } else {
            Place::Bind(DefKind::Function, To::Outer)
        }),
        "import_spec" => {
            let is_named = field == "path" && parent.field("name").is_some();
            Some(if is_named { Place::Skip } else { IMPORT })
        }
        "interpreted_string_literal" | "raw_string_literal" => Some(if around == IMPORT {
            IMPORT
        } else {
            Place::Skip
        }),
        "range_clause" | "receive_statement" if field == "left" => {
            let defines = parent.children().any(|child| child.text() == ":=");
            Some(if defines { VARIABLE } else { Place::Use })
        }
        "keyed_element" if field == "key" => Some(key(parent)),
        "type_elem" if is_of_receiver(parent) => {
            node.is(&["type_identifier"]).then_some(TYPE_PARAMETER)
        }
        _ => None,
    }
}

/// The meaning of a name as the key of a composite literal: a field of a structure, or a variable.
fn key(element: Node<'_>) -> Place {
    let literal = element.ancestors().nth(1);
    let of = literal
        .filter(|literal| literal.is(&["composite_literal"]))
        .and_then(|literal| literal.field("type"));
    match of.map(Node::kind) {
        Some("map_type" | "slice_type" | "array_type" | "implicit_length_array_type") => Place::Use,
        Some("struct_type") => Place::Skip,
        _ => Place::Unclear,
    }
}

/// Whether a type argument belongs to a receiver, which defines it: `T` in `func (l *List[T]) Len()`.
fn is_of_receiver(argument: Node<'_>) -> bool {
    let mut around = argument.ancestors().skip_while(|around| {
        around.is(&[
            "type_arguments", "generic_type", "pointer_type", "parenthesized_type",
        ])
    });
    around
        .next()
        .is_some_and(|declared| declared.is(&["parameter_declaration"]))
        && around
            .next()
            .is_some_and(|list| list.own_field() == "receiver")
}

fn name(leaf: Node<'_>) -> &str {
    match leaf.kind() {
        "interpreted_string_literal_content" | "raw_string_literal_content" => {
            package(leaf.text()).unwrap_or_default()
        }
        _ if leaf.text() == "_" => "",
        _ => leaf.text(),
    }
}

/// The name that a file uses for the package with a path, as far as the path shows it.
pub(crate) fn package(path: &str) -> Option<&str> {
    let last = path.rsplit('/').find(|part| !is_version(part))?;
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    (path != "C" && last.chars().all(|c| c.is_ascii_alphanumeric())).then_some(last)
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// The body of a function has the scope of its parameters.
fn shares_scope(node: Node<'_>) -> bool {
    node.is(&["block"]) && node.parent().is_some_and(|around| around.is(FUNCTIONS))
}

/// Other files of the package define names too. A block without a parent may be the body of a function with parameters
/// that are not shown.
fn is_open(node: Node<'_>) -> bool {
    let is_stray = || {
        node.parent()
            .is_none_or(|around| around.is(&["source_file"]))
    };
    node.is(&["source_file"]) || node.is(&["block"]) && is_stray()
}

/// A variable is visible after its declaration, a parameter in the body of its function.
fn visible_from(name: Node<'_>) -> usize {
    let declaration = name.ancestors().find(|around| {
        !around.is(&[
            "expression_list", "interpreted_string_literal", "raw_string_literal",
        ])
    });
    let Some(declaration) = declaration else {
        return 0;
    };
    match declaration.kind() {
        "short_var_declaration" | "range_clause" | "receive_statement" => declaration.inside().end,
        "var_spec" | "const_spec" if !is_of_package(declaration) => declaration.inside().end,
        "type_spec" | "type_alias" if !is_of_package(declaration) => name.index(),
        "type_switch_statement" => declaration
            .field("value")
            .map_or(usize::MAX, |value| value.inside().end),
        "parameter_declaration" | "variadic_parameter_declaration" => declaration
            .ancestors()
            .nth(1)
            .and_then(|function| function.field("body"))
            .map_or(usize::MAX, Node::index),
        _ => 0,
    }
}

/// Whether a declaration certainly belongs to the package, and is visible in all of it.
fn is_of_package(declaration: Node<'_>) -> bool {
    let mut around = declaration.ancestors().skip_while(|around| {
        around.is(&[
            "var_spec_list", "var_declaration", "const_declaration", "type_declaration",
        ])
    });
    declaration.tree().is_whole() && around.next().is_some_and(|top| top.is(&["source_file"]))
}

/// The referent of the name before a dot.
pub(crate) enum Owner<'t> {
    /// The package of an import with this path.
    Package(&'t str),
    /// A variable, a parameter, a function or a type of the file.
    Own,
}

/// The referent of the name before a dot, if that is certain.
pub(crate) fn owner(name: Node<'_>) -> Option<Owner<'_>> {
    let tree = name.tree();
    let symbol = Symbols::of(tree)?.of_use(name)?;
    if symbol.kind != DefKind::Import {
        return Some(Owner::Own);
    }
    let definition = symbol.definitions(tree).next()?;
    let spec = definition
        .ancestors()
        .find(|around| around.is(&["import_spec"]))?;
    let path = spec.field("path")?.text();
    Some(Owner::Package(path.trim_matches(['"', '`'])))
}

/// The names of function variables that are never read, in document order. The compiler rejects them.
pub fn unused_variables<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let Some(symbols) = Symbols::of(tree).filter(|_| tree.is_readable_file()) else {
        return Vec::new();
    };
    let is_unread = |symbol: &&Symbol| {
        symbol.kind == DefKind::Variable
            && symbol.scope != FILE
            && !symbol.may_have_more_uses
            && symbol.uses(tree).all(is_only_set)
    };
    let unread = symbols.symbols().filter(is_unread);
    let mut names: Vec<Node<'t>> = unread
        .filter_map(|symbol| symbol.definitions(tree).next())
        // Uses of a variable with the name of a literal are read as that literal.
        .filter(|name| {
            !is_constant(*name) && !matches!(name.text(), "true" | "false" | "nil" | "iota")
        })
        .collect();
    names.sort_by_key(|name| name.index());
    names
}

/// The added names that nothing in the file defines, and that are a local variable or parameter with two letters
/// swapped.
pub(super) fn misspelt<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let Some(symbols) = Symbols::of(tree).filter(|_| tree.is_whole()) else {
        return Vec::new();
    };
    let mentions = tree.mentions();
    let is_lone = |used: &Node<'t>| {
        used.is(&["identifier"])
            && used.touches_change()
            && mentions
                .within(tree, used.text(), 0..usize::MAX)
                .nth(1)
                .is_none()
    };
    let unresolved: Vec<Node<'t>> = symbols.unresolved(tree).filter(is_lone).collect();
    if unresolved.is_empty() {
        return Vec::new();
    }
    let is_local = |symbol: &&Symbol| {
        symbol.scope != FILE && matches!(symbol.kind, DefKind::Variable | DefKind::Parameter)
    };
    let mut locals: HashMap<&str, Vec<&Symbol>> = HashMap::new();
    for symbol in symbols.symbols().filter(is_local) {
        if let Some(name) = symbol.definitions(tree).next() {
            locals.entry(name.text()).or_default().push(symbol);
        }
    }
    let is_in_reach = |used: Node<'t>, symbol: &Symbol| {
        let scope = symbols.scopes.get(symbol.scope as usize);
        let around = scope.and_then(|scope| tree.node(scope.node));
        let name = symbol.definitions(tree).next();
        name.is_some_and(|name| name.index() < used.index())
            && around.is_some_and(|around| around.inside().contains(&used.index()))
    };
    let is_intended = |used: Node<'t>, name: &str| {
        is_transposed(name, used.text())
            && locals
                .get(name)
                .is_some_and(|known| known.iter().any(|symbol| is_in_reach(used, symbol)))
    };
    let is_slip = |used: &Node<'t>| swaps(used.text()).any(|name| is_intended(*used, &name));
    unresolved.into_iter().filter(is_slip).collect()
}

/// A name with two neighbouring letters swapped, for each pair of them. Nothing for a name of unusual length.
fn swaps(name: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    let pairs = if letters.len() > LONGEST {
        0
    } else {
        letters.len().saturating_sub(1)
    };
    (0..pairs).map(move |at| {
        let mut swapped = letters.clone();
        swapped.swap(at, at + 1);
        swapped.into_iter().collect()
    })
}

/// Whether a use of a variable only assigns it: `x = 1`.
fn is_only_set(used: Node<'_>) -> bool {
    let left = used
        .parent()
        .filter(|list| list.is(&["expression_list"]) && list.own_field() == "left");
    let set = left.and_then(Node::parent);
    set.is_some_and(|set| match set.kind() {
        "assignment_statement" => set
            .field("operator")
            .is_some_and(|operator| operator.text() == "="),
        kind => matches!(kind, "range_clause" | "receive_statement"),
    })
}

/// Whether a name is that of a constant, which may be unused.
fn is_constant(name: Node<'_>) -> bool {
    name.parent()
        .is_some_and(|declaration| declaration.is(&["const_spec"]))
}
