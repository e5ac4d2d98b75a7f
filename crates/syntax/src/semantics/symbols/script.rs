//! Names of JavaScript, TypeScript and JSX.

use super::model::{DefKind, ScopeKind};
use super::row::{Place, Row, To, as_written, never_shares};
use crate::tree::Node;

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const HOISTED: Place = Place::Bind(DefKind::Variable, To::Function);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const IMPORT: Place = Place::Bind(DefKind::Import, To::Here);
const FUNCTION: Place = Place::Bind(DefKind::Function, To::Outer);
const TYPE: Place = Place::Bind(DefKind::Type, To::Outer);
const TYPE_PARAMETER: Place = Place::Bind(DefKind::TypeParameter, To::Here);

pub(super) const ROW: Row = Row {
    languages: &["JavaScript", "TypeScript", "TSX"],
    identifiers: &[
        "identifier", "type_identifier", "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    ],
    scopes: &[
        ("program", ScopeKind::File),
        ("function_declaration", ScopeKind::Function),
        ("generator_function_declaration", ScopeKind::Function),
        ("function_expression", ScopeKind::Function),
        ("generator_function", ScopeKind::Function),
        ("arrow_function", ScopeKind::Function),
        ("method_definition", ScopeKind::Function),
        ("function_signature", ScopeKind::Function),
        ("function_type", ScopeKind::Function),
        ("constructor_type", ScopeKind::Function),
        ("call_signature", ScopeKind::Function),
        ("construct_signature", ScopeKind::Function),
        ("method_signature", ScopeKind::Function),
        ("abstract_method_signature", ScopeKind::Function),
        ("class_static_block", ScopeKind::Function),
        ("class_declaration", ScopeKind::Class),
        ("abstract_class_declaration", ScopeKind::Class),
        ("class", ScopeKind::Class),
        ("interface_declaration", ScopeKind::Class),
        ("type_alias_declaration", ScopeKind::Class),
        ("enum_declaration", ScopeKind::Class),
        ("internal_module", ScopeKind::Class),
        ("module", ScopeKind::Class),
        ("conditional_type", ScopeKind::Class),
        ("object_type", ScopeKind::Class),
        ("statement_block", ScopeKind::Block),
        ("for_statement", ScopeKind::Block),
        ("for_in_statement", ScopeKind::Block),
        ("catch_clause", ScopeKind::Block),
        ("switch_body", ScopeKind::Block),
    ],
    fields: &[
        ("function_declaration", "name", FUNCTION),
        ("generator_function_declaration", "name", FUNCTION),
        ("function_signature", "name", FUNCTION),
        (
            "function_expression",
            "name",
            Place::Bind(DefKind::Function, To::Here),
        ),
        (
            "generator_function",
            "name",
            Place::Bind(DefKind::Function, To::Here),
        ),
        ("class_declaration", "name", TYPE),
        ("abstract_class_declaration", "name", TYPE),
        ("interface_declaration", "name", TYPE),
        ("type_alias_declaration", "name", TYPE),
        ("enum_declaration", "name", TYPE),
        ("internal_module", "name", TYPE),
        ("module", "name", TYPE),
        ("class", "name", Place::Bind(DefKind::Type, To::Here)),
        ("formal_parameters", "", PARAMETER),
        ("arrow_function", "parameter", PARAMETER),
        // The labels of a tuple type. A parameter has a `pattern`.
        ("required_parameter", "name", Place::Skip),
        ("optional_parameter", "name", Place::Skip),
        ("required_parameter", "type", Place::Use),
        ("required_parameter", "value", Place::Use),
        ("required_parameter", "decorator", Place::Use),
        ("optional_parameter", "type", Place::Use),
        ("optional_parameter", "value", Place::Use),
        ("optional_parameter", "decorator", Place::Use),
        ("assignment_pattern", "right", Place::Use),
        ("object_assignment_pattern", "right", Place::Use),
        ("pair_pattern", "key", Place::Use),
        ("catch_clause", "parameter", VARIABLE),
        ("import_clause", "", IMPORT),
        ("import_require_clause", "", IMPORT),
        ("namespace_export", "", Place::Skip),
        ("export_specifier", "alias", Place::Skip),
        ("index_signature", "name", Place::Skip),
        ("nested_type_identifier", "name", Place::Skip),
        ("jsx_namespace_name", "", Place::Skip),
        ("type_parameter", "name", TYPE_PARAMETER),
        ("mapped_type_clause", "name", TYPE_PARAMETER),
        ("infer_type", "", TYPE_PARAMETER),
    ],
    patterns: &[
        "object_pattern", "array_pattern", "rest_pattern", "pair_pattern", "assignment_pattern",
        "object_assignment_pattern", "required_parameter", "optional_parameter", "named_imports",
        "namespace_import", "import_specifier", "nested_identifier",
    ],
    hides_class_names: false,
    locals: None,
    dynamic_names: &["eval"],
    wildcards: &[],
    dynamic: &["with_statement"],
    special: &[
        "variable_declarator", "for_in_statement", "import_specifier", "import_alias",
        "export_specifier", "jsx_opening_element", "jsx_closing_element",
        "jsx_self_closing_element",
    ],
    own,
    // The members of an enumeration and of other parts of a namespace are visible too.
    is_open: |node| {
        node.is(&["enum_declaration", "internal_module", "module"]) || declares_globals(node)
    },
    name: as_written,
    shares_scope: never_shares,
    visible_from: None,
};

fn own(node: Node<'_>, parent: Node<'_>, _: Place) -> Option<Place> {
    let field = node.own_field();
    match parent.kind() {
        "variable_declarator" if field == "name" => {
            let is_var = parent
                .parent()
                .is_some_and(|around| around.is(&["variable_declaration"]));
            Some(if is_var { HOISTED } else { VARIABLE })
        }
        "for_in_statement" if field == "left" => Some(match parent.field("kind").map(Node::text) {
            None => Place::Use,
            Some("var") => HOISTED,
            Some(_) => VARIABLE,
        }),
        "import_specifier" if field == "name" && parent.field("alias").is_some() => {
            Some(Place::Skip)
        }
        "import_alias" => {
            let is_name = parent.named_children().next() == Some(node);
            Some(if is_name { IMPORT } else { Place::Use })
        }
        "export_specifier" if field == "name" => {
            let statement = parent
                .ancestors()
                .find(|around| around.is(&["export_statement"]));
            let is_passed_on =
                statement.is_some_and(|statement| statement.field("source").is_some());
            Some(if is_passed_on {
                Place::Skip
            } else {
                Place::Use
            })
        }
        "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element"
            if node.is(&["identifier"]) =>
        {
            let is_component = !node.text().starts_with(|first: char| first.is_lowercase());
            Some(if is_component {
                Place::Use
            } else {
                Place::Skip
            })
        }
        _ => None,
    }
}

/// Whether a file declares names for all files.
fn declares_globals(node: Node<'_>) -> bool {
    let is_global = |statement: Node<'_>| {
        statement.is(&["ambient_declaration"])
            && statement.children().any(|child| child.text() == "global")
    };
    node.is(&["program"]) && node.named_children().any(is_global)
}
