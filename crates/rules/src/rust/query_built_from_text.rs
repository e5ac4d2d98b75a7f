//! An SQL statement that is built from values earlier in the function and executed here.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "rust/query-built-from-text",
    languages: &["Rust"],
    title: "Execution of an SQL string built from values",
    why: "A quote in a value ends the string literal, and the rest is read as SQL. An attacker who controls the \
          value can read, change or delete other data.",
    fix: "Use placeholders in the statement and bind the values.",
    references: &["CWE-89"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+async fn find(pool: &PgPool, name: String) {
+    let statement = format!("SELECT * FROM users WHERE name = '{}'", name);
+    sqlx::query(&statement).fetch_one(pool).await;
^
+}
"#,
        r#"
+fn find(connection: &Connection, name: String) {
+    let statement = String::from("SELECT * FROM users WHERE name = '") + &name + "'";
+    connection.execute(statement.as_str(), ());
^
+}
"#,
    ],
    negative: &[
        r#"
+async fn find(pool: &PgPool, name: String) {
+    let statement = format!("SELECT {COLUMNS} FROM users WHERE name = $1");
+    sqlx::query(&statement).bind(name).fetch_one(pool).await;
+    let text = "SELECT 1".to_owned();
+    sqlx::query(&text).fetch_one(pool).await;
+}
"#,
        r#"
@@ fn find(connection: &Connection, name: String) {
     let statement = format!("SELECT * FROM users WHERE name = '{}'", name);
     connection.execute(&statement, ());
+    let safe = "SELECT * FROM users WHERE name = ?1";
+    connection.execute(safe, (&name,));
+    log::info!("{statement}");
"#,
    ],
};

const RUNNERS: &[&str] = &[
    "query", "query_as", "query_scalar", "raw_sql", "sql_query", "execute", "query_row", "prepare",
    "query_one", "query_opt", "batch_execute", "simple_query", "query_raw", "query_map",
    "query_drop", "query_first", "query_first_opt", "query_fold", "query_iter", "exec_drop",
    "execute_batch", "query_map_opt", "query_fold_opt", "query_opt", "fetch_one", "query_with",
    "prep",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| RUNNERS.contains(&call.name)) else {
        return;
    };
    let Some(argument) = call
        .arguments
        .iter()
        .find_map(|argument| name_of(*argument))
    else {
        return;
    };
    let Some(function) = node.enclosing(Role::Function) else {
        return;
    };
    let made = function
        .all(Role::Assign)
        .take_while(|assign| assign.index() < node.index())
        .filter_map(Node::assignment);
    let value = made
        .filter(|assignment| assignment.target.text().trim_start_matches("mut ") == argument.text())
        .last()
        .map(|assignment| assignment.value);
    if value.is_some_and(is_built) {
        sink.report(
            node,
            format!(
                "`{}` is an SQL statement with values concatenated into it.",
                quote(argument.text())
            ),
        );
    }
}

/// `x` in `x`, `&x`, `x.as_str()`, `&*x`, `x.clone()`.
fn name_of(argument: Node<'_>) -> Option<Node<'_>> {
    let mut inner = argument;
    for _ in 0..4 {
        match inner.kind() {
            "identifier" => return Some(inner),
            "reference_expression" => inner = inner.field("value")?,
            "unary_expression" => inner = inner.named_children().last()?,
            "call_expression" => {
                let call = inner.call()?;
                inner = call.receiver.filter(|_| {
                    matches!(
                        call.name,
                        "as_str" | "clone" | "as_ref" | "to_string" | "to_owned"
                    )
                })?;
            }
            _ => return None,
        }
    }
    None
}

/// Whether it is an SQL string with a variable value after `=`, a quote, `IN (` or similar.
fn is_built(value: Node<'_>) -> bool {
    let text = value.text();
    let lower = text.to_ascii_lowercase();
    let is_sql = ["select ", "insert ", "update ", "delete "]
        .iter()
        .any(|word| lower.contains(word))
        && [" from ", " into ", " set ", " where "]
            .iter()
            .any(|word| lower.contains(word));
    let is_formatted = value.is(&["macro_invocation"])
        && text.starts_with("format!")
        && ["'{", "= {", "={", "({", "%{", "like {"]
            .iter()
            .any(|sign| lower.contains(sign));
    let is_sum = value.binary().is_some_and(|binary| binary.operator == "+")
        && value.descendants().any(|part| {
            part.is(&["identifier", "field_expression"])
                && part.text().chars().any(|c| c.is_ascii_lowercase())
                && !part
                    .parent()
                    .is_some_and(|parent| parent.is(&["scoped_identifier", "field_expression"]))
        });
    is_sql && (is_formatted || is_sum)
}
