//! Names of PHP: variables, functions, classes, constants and imports, but not members, which are separate.

use super::model::{DefKind, ScopeKind};
use super::row::{Locals, Place, Row, To, as_written, never_shares};
use crate::semantics::php::types::{plain, reads_only};
use crate::tree::Node;

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Here);
const CHANGED: Place = Place::BindUse(To::Known);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);
const IMPORT: Place = Place::Bind(DefKind::Import, To::Here);
const TYPE: Place = Place::Bind(DefKind::Type, To::Outer);

pub(super) const ROW: Row = Row {
    languages: &["PHP"],
    identifiers: &["name", "variable_name"],
    scopes: &[
        ("program", ScopeKind::File),
        ("class_declaration", ScopeKind::Class),
        ("interface_declaration", ScopeKind::Class),
        ("trait_declaration", ScopeKind::Class),
        ("enum_declaration", ScopeKind::Class),
        ("function_definition", ScopeKind::Function),
        ("method_declaration", ScopeKind::Function),
        ("property_hook", ScopeKind::Function),
        ("anonymous_function", ScopeKind::Function),
        // It sees the variables around it.
        ("arrow_function", ScopeKind::Comprehension),
    ],
    fields: &[
        ("variable_name", "", Place::Skip),
        (
            "function_definition",
            "name",
            Place::Bind(DefKind::Function, To::Outer),
        ),
        ("class_declaration", "name", TYPE),
        ("interface_declaration", "name", TYPE),
        ("trait_declaration", "name", TYPE),
        ("enum_declaration", "name", TYPE),
        ("method_declaration", "name", Place::Skip),
        ("enum_case", "name", Place::Skip),
        ("property_element", "name", Place::Skip),
        ("simple_parameter", "name", PARAMETER),
        ("variadic_parameter", "name", PARAMETER),
        ("property_promotion_parameter", "name", PARAMETER),
        ("assignment_expression", "left", VARIABLE),
        ("augmented_assignment_expression", "left", CHANGED),
        ("reference_assignment_expression", "left", VARIABLE),
        ("reference_assignment_expression", "right", CHANGED),
        ("update_expression", "argument", CHANGED),
        ("catch_clause", "name", VARIABLE),
        ("global_declaration", "", VARIABLE),
        ("static_variable_declaration", "name", VARIABLE),
        ("namespace_use_declaration", "", Place::Skip),
        ("namespace_use_clause", "alias", IMPORT),
        ("namespace_definition", "name", Place::Skip),
        ("named_label_statement", "", Place::Skip),
        ("goto_statement", "", Place::Skip),
        ("declare_directive", "", Place::Skip),
        ("argument", "name", Place::Skip),
        ("visibility_modifier", "", Place::Skip),
    ],
    patterns: &[
        "list_literal", "array_creation_expression", "array_element_initializer", "pair",
        // `(int) $a = 1`
        "cast_expression",
    ],
    hides_class_names: false,
    locals: Some(Locals {
        is_local: |name| name.starts_with('$') && !is_global(name),
        begins_at_definition: false,
        is_dynamic: |_| true,
    }),
    dynamic_names: &[
        "eval", "extract", "compact", "parse_str", "mb_parse_str", "get_defined_vars",
    ],
    wildcards: &[],
    dynamic: &[
        "dynamic_variable_name", "include_expression", "include_once_expression",
        "require_expression", "require_once_expression",
    ],
    special: &[
        "subscript_expression", "member_access_expression", "nullsafe_member_access_expression",
        "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression",
        "scoped_property_access_expression", "class_constant_access_expression", "list_literal",
        "array_element_initializer", "by_ref", "foreach_statement", "argument",
        "anonymous_function_use_clause", "namespace_use_clause", "qualified_name", "relative_name",
        "namespace_name", "const_element", "property_hook", "use_as_clause",
        "use_instead_of_clause",
    ],
    own,
    // Functions and classes of other files are visible, and a property's hook has a parameter without a name.
    is_open: |node| node.is(&["program", "property_hook"]),
    name: as_written,
    shares_scope: never_shares,
    visible_from: None,
};

/// The variables that are visible in every function.
pub(crate) fn is_global(variable: &str) -> bool {
    const GLOBALS: &[&str] = &[
        "$this", "$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_SERVER", "$_SESSION", "$_FILES",
        "$_ENV", "$GLOBALS", "$argc", "$argv", "$http_response_header", "$php_errormsg",
    ];
    GLOBALS.contains(&variable)
}

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let is_first = || parent.named_children().next() == Some(node);
    let is_target = matches!(around, Place::Bind(..) | Place::BindUse(_));
    let field = node.own_field();
    let is_name = node.is(&["name"]);
    match parent.kind() {
        // Assigning an element turns a variable without a value into an array.
        "subscript_expression" if is_target && is_first() => Some(CHANGED),
        "member_access_expression"
        | "nullsafe_member_access_expression"
        | "member_call_expression"
        | "nullsafe_member_call_expression"
        | "scoped_call_expression" => (is_name && field == "name").then_some(Place::Skip),
        "scoped_property_access_expression" if field == "name" => {
            node.is(&["variable_name"]).then_some(Place::Skip)
        }
        "class_constant_access_expression" => (is_name && !is_first()).then_some(Place::Skip),
        "list_literal" | "array_element_initializer" => {
            let after = node.tree().slice(node.end(), parent.end());
            let is_key = after.trim_start().starts_with("=>");
            is_key.then_some(Place::Use)
        }
        "by_ref" if is_target || matches!(around, Place::Capture { .. }) => Some(Place::Inherit),
        "by_ref" => Some(CHANGED),
        "foreach_statement" => {
            let is_set = field.is_empty() && node.is_named() && !is_first();
            (is_set && !node.is(&["comment"])).then_some(VARIABLE)
        }
        "argument" if node.is(&["variable_name", "subscript_expression"]) => {
            may_be_set(parent).then_some(CHANGED)
        }
        "anonymous_function_use_clause" => Some(Place::Capture {
            by_reference: node.is(&["by_ref"]),
        }),
        "namespace_use_clause" if field != "alias" => {
            let has_alias = parent.field("alias").is_some();
            Some(if has_alias { Place::Skip } else { IMPORT })
        }
        "qualified_name" | "relative_name" => Some(part_of_path(node, parent, around)),
        "namespace_name" => Some(if is_first() {
            Place::Inherit
        } else {
            Place::Skip
        }),
        "const_element" => is_first().then_some(Place::Skip),
        "property_hook" | "use_as_clause" | "use_instead_of_clause" => {
            is_name.then_some(Place::Skip)
        }
        _ => None,
    }
}

/// A part of `A\B\c`: an import binds the last one; elsewhere the first one may be an import.
fn part_of_path(node: Node<'_>, path: Node<'_>, around: Place) -> Place {
    let is_bound = matches!(around, Place::Bind(DefKind::Import, _));
    let is_skipped = is_bound || around == Place::Skip;
    match node.kind() {
        "name" if is_bound => Place::Inherit,
        "namespace_name"
            if !is_skipped && path.is(&["qualified_name"]) && !path.text().starts_with('\\') =>
        {
            Place::Use
        }
        _ => Place::Skip,
    }
}

/// Whether the called function may take an argument by reference and set it.
fn may_be_set(argument: Node<'_>) -> bool {
    let Some(call) = argument.ancestors().nth(1) else {
        return true;
    };
    let Some(name) = call
        .field("function")
        .filter(|name| name.is(&["name", "qualified_name"]))
    else {
        return true;
    };
    let called = plain(name.text());
    !matches!(called.as_str(), "isset" | "empty") && !reads_only(&called)
}
