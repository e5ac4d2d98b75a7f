//! Names of C#: variables, parameters, members and types. Base classes, parts of a class and other files define more.

use super::model::{DefKind, ScopeKind};
use super::row::{Place, Row, To, never_shares};
use crate::tree::Node;

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const FUNCTION: Place = Place::Bind(DefKind::Function, To::Outer);
const TYPE: Place = Place::Bind(DefKind::Type, To::Outer);

/// The node kinds that define a type.
pub const TYPES: &[&str] = &[
    "class_declaration", "struct_declaration", "record_declaration", "interface_declaration",
    "enum_declaration",
];

pub(super) const ROW: Row = Row {
    languages: &["C#"],
    identifiers: &["identifier", "implicit_parameter"],
    scopes: &[
        ("compilation_unit", ScopeKind::File),
        ("class_declaration", ScopeKind::Class),
        ("struct_declaration", ScopeKind::Class),
        ("record_declaration", ScopeKind::Class),
        ("interface_declaration", ScopeKind::Class),
        ("enum_declaration", ScopeKind::Class),
        ("method_declaration", ScopeKind::Function),
        ("constructor_declaration", ScopeKind::Function),
        ("destructor_declaration", ScopeKind::Function),
        ("operator_declaration", ScopeKind::Function),
        ("conversion_operator_declaration", ScopeKind::Function),
        ("indexer_declaration", ScopeKind::Function),
        ("accessor_declaration", ScopeKind::Function),
        ("delegate_declaration", ScopeKind::Function),
        ("local_function_statement", ScopeKind::Function),
        ("lambda_expression", ScopeKind::Function),
        ("anonymous_method_expression", ScopeKind::Function),
        ("block", ScopeKind::Block),
        ("for_statement", ScopeKind::Block),
        ("foreach_statement", ScopeKind::Block),
        ("while_statement", ScopeKind::Block),
        ("using_statement", ScopeKind::Block),
        ("fixed_statement", ScopeKind::Block),
        ("catch_clause", ScopeKind::Block),
        ("switch_body", ScopeKind::Block),
        ("switch_section", ScopeKind::Block),
        ("switch_expression_arm", ScopeKind::Block),
        ("query_expression", ScopeKind::Comprehension),
    ],
    fields: &[
        ("class_declaration", "name", TYPE),
        ("struct_declaration", "name", TYPE),
        ("record_declaration", "name", TYPE),
        ("interface_declaration", "name", TYPE),
        ("enum_declaration", "name", TYPE),
        ("delegate_declaration", "name", TYPE),
        ("method_declaration", "name", FUNCTION),
        ("local_function_statement", "name", FUNCTION),
        ("constructor_declaration", "name", Place::Skip),
        ("destructor_declaration", "name", Place::Skip),
        ("accessor_declaration", "name", Place::Skip),
        ("property_declaration", "name", VARIABLE),
        ("event_declaration", "name", VARIABLE),
        ("enum_member_declaration", "name", VARIABLE),
        ("variable_declarator", "name", VARIABLE),
        ("parameter", "name", PARAMETER),
        ("parameter_list", "name", PARAMETER),
        ("bracketed_parameter_list", "name", PARAMETER),
        (
            "type_parameter",
            "name",
            Place::Bind(DefKind::TypeParameter, To::Here),
        ),
        ("declaration_expression", "name", VARIABLE),
        ("declaration_pattern", "name", VARIABLE),
        ("recursive_pattern", "name", VARIABLE),
        ("list_pattern", "name", VARIABLE),
        ("var_pattern", "name", VARIABLE),
        ("parenthesized_variable_designation", "name", VARIABLE),
        ("tuple_pattern", "name", VARIABLE),
        ("catch_declaration", "name", VARIABLE),
        ("from_clause", "name", VARIABLE),
        ("join_into_clause", "", VARIABLE),
        (
            "using_directive",
            "name",
            Place::Bind(DefKind::Import, To::Here),
        ),
        ("using_directive", "", Place::Skip),
        ("namespace_declaration", "name", Place::Skip),
        ("file_scoped_namespace_declaration", "name", Place::Skip),
        ("extern_alias_directive", "name", Place::Skip),
        ("member_access_expression", "name", Place::Skip),
        ("member_binding_expression", "name", Place::Skip),
        ("qualified_name", "name", Place::Skip),
        ("alias_qualified_name", "", Place::Skip),
        ("alias_qualified_name", "alias", Place::Skip),
        ("alias_qualified_name", "name", Place::Skip),
        ("argument", "name", Place::Skip),
        ("attribute_argument", "name", Place::Skip),
        ("attribute", "name", Place::Skip),
        ("tuple_element", "name", Place::Skip),
        ("goto_statement", "", Place::Unclear),
        ("calling_convention", "", Place::Skip),
        ("preproc_if", "condition", Place::Skip),
        ("preproc_elif", "condition", Place::Skip),
        ("preproc_pragma", "", Place::Skip),
    ],
    patterns: &["generic_name", "qualified_name"],
    hides_class_names: false,
    locals: None,
    wildcards: &[],
    dynamic_names: &[],
    dynamic: &[],
    special: &[
        "lambda_expression", "foreach_statement", "let_clause", "join_clause", "query_expression",
        "assignment_expression", "anonymous_object_creation_expression", "with_initializer",
        "subpattern", "labeled_statement",
    ],
    own,
    is_open,
    name,
    shares_scope: never_shares,
    visible_from: None,
};

/// The reserved words that may appear where a part of a file seems to have a name. They are names only if written with
/// `@`.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
    "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally",
    "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock", "long",
    "namespace", "new", "null", "object", "operator", "out", "override", "params", "private", "protected", "public",
    "readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string", "struct", "switch",
    "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void",
    "volatile", "while",
];

fn name(leaf: Node<'_>) -> &str {
    match leaf.text() {
        "_" => "",
        text if RESERVED.binary_search(&text).is_ok() => "",
        text => text.trim_start_matches('@'),
    }
}

/// Types of the namespace may be in other files, and so may members of a class with bases or other parts.
fn is_open(node: Node<'_>) -> bool {
    node.is(&["compilation_unit"]) || node.is(TYPES) && has_hidden_members(node)
}

/// Whether a class may have members that the file does not show.
pub fn has_hidden_members(class: Node<'_>) -> bool {
    let is_partial = |modifier: Node<'_>| modifier.text() == "partial";
    class.child_of_kind(&["base_list"]).is_some() || class.named_children().any(is_partial)
}

fn own(node: Node<'_>, parent: Node<'_>, _: Place) -> Option<Place> {
    let is_name = node.is(&["identifier"]);
    let is_first = || {
        parent
            .named_children()
            .find(|child| child.is(&["identifier"]))
            == Some(node)
    };
    let field = node.own_field();
    match parent.kind() {
        "lambda_expression" => node.is(&["implicit_parameter"]).then_some(PARAMETER),
        "foreach_statement" => (field == "left" && is_name).then_some(VARIABLE),
        "let_clause" | "join_clause" => {
            (is_name && field.is_empty() && is_first()).then_some(VARIABLE)
        }
        "query_expression" => is_name.then_some(VARIABLE),
        // `new Cart { Size = 1 }` sets a member.
        "assignment_expression" => {
            let is_member = field == "left"
                && is_name
                && parent
                    .parent()
                    .is_some_and(|list| list.is(&["initializer_expression"]));
            is_member.then_some(Place::Unclear)
        }
        "anonymous_object_creation_expression" | "with_initializer" | "subpattern" => {
            (is_name && names_member(node)).then_some(Place::Skip)
        }
        "labeled_statement" => (is_name && is_first()).then_some(Place::Skip),
        _ => None,
    }
}

/// Whether a name is followed by a value that a member is set to or compared with: `size = 1`, `Size: > 0`.
fn names_member(name: Node<'_>) -> bool {
    let next = u32::try_from(name.index() + 1)
        .ok()
        .and_then(|next| name.tree().node(next));
    next.is_some_and(|next| matches!(next.text(), "=" | ":"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_reserved_words_are_sorted() {
        assert!(super::RESERVED.is_sorted());
    }
}
