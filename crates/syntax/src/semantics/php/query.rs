//! PHP calls that run a query, and the values in its text.

use super::types::{self, Value};
use crate::language::Role;
use crate::tree::Node;

const FUNCTIONS: &[&str] = &[
    "mysql_query", "mysql_db_query", "mysql_unbuffered_query", "mssql_query", "sqlsrv_query",
    "sqlite_query", "odbc_exec", "oci_parse", "mysqli_query", "mysqli_real_query",
    "mysqli_multi_query", "mysqli_send_query", "mysqli_prepare", "pg_query", "pg_send_query",
    "pg_prepare", "db2_exec",
];

const METHODS: &[&str] = &[
    "query", "real_query", "multi_query", "send_query", "exec", "prepare", "executequery",
    "executestatement", "executeupdate", "createquery", "get_results", "get_row", "get_var",
    "get_col", "whereraw", "selectraw", "orderbyraw", "havingraw", "statement", "unprepared",
];

/// The value inserted into the text of the query that this call runs.
pub fn value<'t>(call: Node<'t>) -> Option<Node<'t>> {
    if !call.is(&["function_call_expression", "member_call_expression"]) {
        return None;
    }
    let name = call
        .any_field(&["function", "name"])
        .filter(|name| name.is(&["name", "qualified_name"]))?;
    let known = if call.is(&["function_call_expression"]) {
        FUNCTIONS
    } else {
        METHODS
    };
    if !known.contains(&types::plain(name.text()).as_str()) {
        return None;
    }
    let texts = call
        .field("arguments")?
        .named_children()
        .take(3)
        .filter_map(|argument| argument.named_children().last());
    texts
        .map(types::source_of)
        .find_map(|text| changing(text).filter(|_| is_query(text)))
}

/// Whether the text starts like a query.
fn is_query(text: Node<'_>) -> bool {
    let start = text
        .text()
        .trim_start_matches(['(', '"', '\'', ' ', '\n', '\t'])
        .to_ascii_lowercase();
    let verbs = [
        "select", "insert", "update", "delete", "replace", "drop", "alter", "create", "truncate",
        "call ",
    ];
    verbs.iter().any(|verb| start.starts_with(verb))
}

/// The first part of a text that is neither constant nor sanitized.
fn changing(text: Node<'_>) -> Option<Node<'_>> {
    match text.unparenthesised() {
        text if text.is(&["encapsed_string"]) => text
            .named_children()
            .find(|part| !part.is(&["string_content", "escape_sequence"]) && is_open(*part)),
        text if text.has_role(Role::Binary) => {
            let binary = text.binary().filter(|binary| binary.operator == ".")?;
            changing(binary.left).or_else(|| changing(binary.right))
        }
        text if text.is(&["string", "heredoc", "nowdoc"]) => None,
        other => is_open(other).then_some(other),
    }
}

fn is_open(part: Node<'_>) -> bool {
    let source = types::source_of(part);
    let is_plain = source.is(&["string", "integer", "boolean", "float"]);
    let is_number = matches!(
        types::value_of(part),
        Some(Value::Int | Value::Float | Value::Number | Value::Bool | Value::List)
    );
    if is_plain
        || is_number
        || (source.is(&["encapsed_string", "binary_expression"]) && changing(source).is_none())
    {
        return false;
    }
    let text = part.text().to_ascii_lowercase();
    let is_name = [
        "table", "prefix", "placeholder", "column", "field", "quote", "escape", "wpdb", "schema",
        "intval", "columns", "primary_key", "sql", "where", "order", "limit", "join", "absint",
        "implode", "database", "db_name", "dbname",
    ];
    if is_name.iter().any(|word| text.contains(word)) {
        return false;
    }
    part.is(&[
        "variable_name", "subscript_expression", "member_access_expression",
        "function_call_expression", "dynamic_variable_name", "member_call_expression",
    ])
}
