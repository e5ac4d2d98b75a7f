//! Names of Java: variables, fields, types and imports, but not methods, which are separate.

use super::model::{DefKind, ScopeKind};
use super::row::{Place, Row, To, as_written, never_shares};
use crate::tree::Node;

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const TYPE: Place = Place::Bind(DefKind::Type, To::Outer);

pub(super) const ROW: Row = Row {
    languages: &["Java"],
    identifiers: &["identifier", "type_identifier"],
    scopes: &[
        ("program", ScopeKind::File),
        ("class_declaration", ScopeKind::Class),
        ("interface_declaration", ScopeKind::Class),
        ("enum_declaration", ScopeKind::Class),
        ("record_declaration", ScopeKind::Class),
        ("annotation_type_declaration", ScopeKind::Class),
        ("class_body", ScopeKind::Class),
        ("method_declaration", ScopeKind::Function),
        ("constructor_declaration", ScopeKind::Function),
        ("compact_constructor_declaration", ScopeKind::Function),
        ("lambda_expression", ScopeKind::Function),
        ("block", ScopeKind::Block),
        ("constructor_body", ScopeKind::Block),
        ("for_statement", ScopeKind::Block),
        ("enhanced_for_statement", ScopeKind::Block),
        ("try_with_resources_statement", ScopeKind::Block),
        ("catch_clause", ScopeKind::Block),
        ("switch_block", ScopeKind::Block),
        ("switch_rule", ScopeKind::Block),
    ],
    fields: &[
        ("class_declaration", "name", TYPE),
        ("interface_declaration", "name", TYPE),
        ("enum_declaration", "name", TYPE),
        ("record_declaration", "name", TYPE),
        ("annotation_type_declaration", "name", TYPE),
        ("method_declaration", "name", Place::Skip),
        ("constructor_declaration", "name", Place::Skip),
        ("compact_constructor_declaration", "name", Place::Skip),
        ("annotation_type_element_declaration", "name", Place::Skip),
        ("method_invocation", "name", Place::Skip),
        ("field_access", "field", Place::Skip),
        ("element_value_pair", "key", Place::Skip),
        ("scoped_identifier", "name", Place::Skip),
        ("variable_declarator", "name", VARIABLE),
        ("formal_parameter", "name", PARAMETER),
        ("catch_formal_parameter", "name", VARIABLE),
        ("resource", "name", VARIABLE),
        ("enhanced_for_statement", "name", VARIABLE),
        ("instanceof_expression", "name", VARIABLE),
        ("inferred_parameters", "", PARAMETER),
        ("enum_constant", "name", VARIABLE),
        ("package_declaration", "", Place::Skip),
        ("module_declaration", "name", Place::Skip),
    ],
    patterns: &[],
    hides_class_names: false,
    locals: None,
    dynamic_names: &[],
    wildcards: &["asterisk"],
    dynamic: &[],
    special: &[
        "lambda_expression", "import_declaration", "scoped_identifier", "scoped_type_identifier",
        "method_reference", "labeled_statement", "break_statement", "continue_statement",
        "switch_label", "type_pattern", "record_pattern", "record_pattern_component",
        "type_parameter",
    ],
    own,
    is_open: inherits,
    name: as_written,
    shares_scope: never_shares,
    visible_from: Some(visible_from),
};

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let is_name = node.is(&["identifier"]);
    let is_first = || parent.named_children().next() == Some(node);
    match parent.kind() {
        "lambda_expression" => (node.own_field() == "parameters" && is_name).then_some(PARAMETER),
        "import_declaration" if parent.child_of_kind(&["asterisk"]).is_some() => Some(Place::Skip),
        "import_declaration" => Some(Place::Bind(DefKind::Import, To::Here)),
        // The last part of an imported path is the name that it binds.
        "scoped_identifier" => match (around, node.own_field()) {
            (Place::Bind(kind, to), "name") => Some(Place::Bind(kind, to)),
            (Place::Bind(..) | Place::Skip, _) => Some(Place::Skip),
            _ => None,
        },
        "scoped_type_identifier" => (!is_first()).then_some(Place::Skip),
        "method_reference" => (is_name && !is_first()).then_some(Place::Skip),
        "labeled_statement" | "break_statement" | "continue_statement" => {
            is_name.then_some(Place::Skip)
        }
        // It may be a constant of the enumeration in the switch.
        "switch_label" => is_name.then_some(Place::Unclear),
        "type_pattern" => is_name.then_some(Place::Bind(DefKind::Variable, To::Here)),
        "record_pattern_component" => is_name.then_some(VARIABLE),
        "record_pattern" => (is_name && is_first()).then_some(Place::Use),
        "type_parameter" => node
            .is(&["type_identifier"])
            .then_some(Place::Bind(DefKind::TypeParameter, To::Here)),
        _ => None,
    }
}

/// A local variable is visible from its own declarator on.
fn visible_from(name: Node<'_>) -> usize {
    let is_local = name
        .ancestors()
        .nth(1)
        .is_some_and(|declaration| declaration.is(&["local_variable_declaration"]));
    if is_local { name.index() } else { 0 }
}

/// Whether a class may have fields that the file does not show: inherited ones, or those generated by an annotation.
fn inherits(node: Node<'_>) -> bool {
    let is_anonymous = |body: Node<'_>| {
        body.parent()
            .is_some_and(|around| around.is(&["object_creation_expression", "enum_constant"]))
    };
    let is_plain = |class: Node<'_>| {
        let modifiers = class.child_of_kind(&["modifiers"]);
        class.any_field(&["superclass", "interfaces"]).is_none()
            && class.child_of_kind(&["extends_interfaces"]).is_none()
            && modifiers.is_none_or(|list| {
                list.child_of_kind(&["annotation", "marker_annotation"])
                    .is_none()
            })
    };
    match node.kind() {
        "class_body" => is_anonymous(node),
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration" => !is_plain(node),
        _ => false,
    }
}
