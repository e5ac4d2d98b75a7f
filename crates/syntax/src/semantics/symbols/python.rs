//! Names of Python.

use super::model::{DefKind, ScopeKind};
use super::row::{Place, Row, To, as_written, never_shares};
use crate::tree::Node;

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const IMPORT: Place = Place::Bind(DefKind::Import, To::Here);
const TYPE_PARAMETER: Place = Place::Bind(DefKind::TypeParameter, To::Outer);

pub(super) const ROW: Row = Row {
    languages: &["Python"],
    identifiers: &["identifier"],
    scopes: &[
        ("module", ScopeKind::File),
        ("class_definition", ScopeKind::Class),
        ("function_definition", ScopeKind::Function),
        ("lambda", ScopeKind::Function),
        ("list_comprehension", ScopeKind::Comprehension),
        ("set_comprehension", ScopeKind::Comprehension),
        ("dictionary_comprehension", ScopeKind::Comprehension),
        ("generator_expression", ScopeKind::Comprehension),
    ],
    fields: &[
        (
            "function_definition",
            "name",
            Place::Bind(DefKind::Function, To::Outer),
        ),
        ("function_definition", "type_parameters", TYPE_PARAMETER),
        ("function_definition", "return_type", Place::Outside),
        (
            "class_definition",
            "name",
            Place::Bind(DefKind::Type, To::Outer),
        ),
        ("class_definition", "type_parameters", TYPE_PARAMETER),
        ("class_definition", "superclasses", Place::Outside),
        ("parameters", "", PARAMETER),
        ("lambda_parameters", "", PARAMETER),
        ("default_parameter", "name", Place::Inherit),
        ("default_parameter", "value", Place::Outside),
        ("typed_default_parameter", "name", Place::Inherit),
        ("typed_default_parameter", "type", Place::Outside),
        ("typed_default_parameter", "value", Place::Outside),
        ("typed_parameter", "type", Place::Outside),
        ("assignment", "left", VARIABLE),
        ("augmented_assignment", "left", Place::BindUse(To::Here)),
        (
            "named_expression",
            "name",
            Place::Bind(DefKind::Variable, To::Function),
        ),
        ("for_statement", "left", VARIABLE),
        ("for_in_clause", "left", VARIABLE),
        ("as_pattern", "alias", VARIABLE),
        ("except_clause", "alias", VARIABLE),
        ("delete_statement", "", Place::BindUse(To::Here)),
        ("case_clause", "", VARIABLE),
        ("case_clause", "guard", Place::Use),
        ("case_clause", "consequence", Place::Use),
        ("dict_pattern", "key", Place::Use),
        (
            "type_alias_statement",
            "left",
            Place::Bind(DefKind::Type, To::Here),
        ),
        ("import_statement", "name", IMPORT),
        ("import_from_statement", "name", IMPORT),
        ("import_from_statement", "module_name", Place::Skip),
        ("future_import_statement", "name", Place::Skip),
        ("aliased_import", "name", Place::Skip),
        ("aliased_import", "alias", Place::Inherit),
        ("relative_import", "", Place::Skip),
        ("global_statement", "", Place::Global),
        ("nonlocal_statement", "", Place::Nonlocal),
        ("attribute", "attribute", Place::Skip),
        ("keyword_argument", "name", Place::Skip),
    ],
    patterns: &[
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
        "dictionary_splat_pattern", "expression_list", "parenthesized_expression", "tuple", "list",
        "as_pattern", "as_pattern_target", "case_pattern", "class_pattern", "keyword_pattern",
        "union_pattern", "dict_pattern", "splat_pattern", "dotted_name", "aliased_import",
        "relative_import", "typed_parameter", "default_parameter", "typed_default_parameter",
        "type", "type_parameter", "generic_type", "splat_type",
    ],
    hides_class_names: true,
    locals: None,
    dynamic_names: &["eval", "exec", "globals", "locals", "execfile"],
    wildcards: &["wildcard_import"],
    dynamic: &["exec_statement", "print_statement"],
    special: &[
        "dotted_name", "keyword_pattern", "for_in_clause", "constrained_type",
    ],
    own,
    is_open: |_| false,
    name: as_written,
    shares_scope: never_shares,
    visible_from: None,
};

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let is_first = || parent.children().next() == Some(node);
    match parent.kind() {
        "dotted_name" => Some(part_of_path(node, parent, around)),
        "keyword_pattern" if node.is(&["identifier"]) => Some(Place::Skip),
        // The class around a comprehension is visible in its first iterable only.
        "for_in_clause" if node.own_field() == "right" => {
            let comprehension = parent.parent()?;
            let first = comprehension.child_of_kind(&["for_in_clause"]);
            Some(if first == Some(parent) {
                Place::Outside
            } else {
                Place::Use
            })
        }
        "constrained_type" if is_first() => Some(Place::Inherit),
        _ => None,
    }
}

/// A part of `a.b.c`: an import binds the first one, and a pattern captures a name without a dot.
fn part_of_path(node: Node<'_>, path: Node<'_>, around: Place) -> Place {
    if path.children().next() != Some(node) {
        return Place::Skip;
    }
    let is_value = || {
        path.parent()
            .is_some_and(|parent| parent.is(&["class_pattern"]))
            || path.text().contains('.')
    };
    match around {
        Place::Bind(DefKind::Variable, _) if node.text() == "_" => Place::Skip,
        Place::Bind(DefKind::Variable, _) if is_value() => Place::Use,
        _ => Place::Inherit,
    }
}
