//! Python bindings of names.

use super::node::Node;

/// Whether a name is bound here.
pub fn binds(node: Node<'_>) -> bool {
    if !node.is(&["identifier"]) {
        return false;
    }
    let mut inner = node;
    for around in node.ancestors().take(6) {
        let is_field = |name: &str| around.field(name) == Some(inner);
        match around.kind() {
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                return is_field("left");
            }
            "named_expression"
            | "function_definition"
            | "class_definition"
            | "keyword_argument" => {
                return is_field("name") && !around.is(&["keyword_argument"]);
            }
            "default_parameter" | "typed_default_parameter" => return is_field("name"),
            "typed_parameter" => return !is_field("type"),
            "parameters" | "lambda_parameters" | "global_statement" | "nonlocal_statement"
            | "as_pattern_target" | "case_pattern" | "delete_statement" | "type_parameter" => {
                return true;
            }
            "import_statement" | "import_from_statement" => return !is_field("module_name"),
            "aliased_import" => return is_field("alias"),
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "dictionary_splat_pattern"
            | "dotted_name"
            | "expression_list"
            | "as_pattern"
            | "tuple"
            | "parenthesized_expression" => {}
            _ => return false,
        }
        inner = around;
    }
    false
}
