//! Names of Kotlin: types and imports. Variables and functions are not in the table.

use super::model::{DefKind, ScopeKind};
use super::row::{Place, Row, To, never_shares};
use crate::tree::Node;

const IMPORT: Place = Place::Bind(DefKind::Import, To::Here);

pub(super) const ROW: Row = Row {
    languages: &["Kotlin"],
    identifiers: &["type_identifier", "simple_identifier"],
    scopes: &[
        ("source_file", ScopeKind::File),
        ("class_declaration", ScopeKind::Class),
        ("object_declaration", ScopeKind::Class),
        ("companion_object", ScopeKind::Class),
        ("type_alias", ScopeKind::Class),
        ("function_declaration", ScopeKind::Function),
        ("property_declaration", ScopeKind::Function),
    ],
    fields: &[("package_header", "", Place::Skip)],
    patterns: &[],
    hides_class_names: false,
    locals: None,
    wildcards: &["wildcard_import"],
    dynamic_names: &[],
    dynamic: &[],
    special: &[
        "class_declaration", "object_declaration", "companion_object", "type_alias",
        "type_parameter", "import_header", "import_alias", "identifier", "user_type",
    ],
    own,
    is_open,
    name,
    shares_scope: never_shares,
    visible_from: None,
};

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let is_type = node.is(&["type_identifier"]);
    match parent.kind() {
        "class_declaration" | "object_declaration" | "companion_object" | "type_alias" => {
            is_type.then_some(Place::Bind(DefKind::Type, To::Outer))
        }
        "type_parameter" => is_type.then_some(Place::Bind(DefKind::TypeParameter, To::Here)),
        "import_header" => {
            let has_other = parent
                .child_of_kind(&["import_alias", "wildcard_import"])
                .is_some();
            let is_path = node.is(&["identifier"]);
            is_path.then_some(if has_other { Place::Skip } else { IMPORT })
        }
        "import_alias" => is_type.then_some(IMPORT),
        // The last part of an imported path is the name that it binds.
        "identifier" if around == IMPORT && parent.named_children().last() == Some(node) => {
            Some(IMPORT)
        }
        "identifier" => Some(Place::Skip),
        "user_type" => {
            (is_type && parent.named_children().next() != Some(node)).then_some(Place::Skip)
        }
        _ => None,
    }
}

/// Whether a type may have nested types that the file does not show: inherited ones.
fn is_open(node: Node<'_>) -> bool {
    node.is(&[
        "class_declaration", "object_declaration", "companion_object",
    ]) && node.child_of_kind(&["delegation_specifier"]).is_some()
}

/// The name that a leaf may refer to a type by.
fn name(leaf: Node<'_>) -> &str {
    let name = leaf.text().trim_matches('`');
    if leaf.is(&["type_identifier"]) {
        return name;
    }
    let Some(parent) = leaf.parent() else {
        return "";
    };
    let is_first = || parent.named_children().next() == Some(leaf);
    let is_capital = name.starts_with(|c: char| c.is_uppercase());
    let is_of_type = parent.is(&["identifier"])
        || is_capital && parent.is(&["call_expression", "navigation_expression"]) && is_first();
    if is_of_type { name } else { "" }
}
