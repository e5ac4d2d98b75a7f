//! Variables that are never assigned.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/value-never-set",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Variable never assigned",
    why: "The variable is declared without a value and nothing assigns it, so every use is undefined. Usually the \
          assignment went to another variable, or was lost.",
    fix: "Assign it before it is used, or delete it.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["variable_declarator"]),
        run,
    },
    positive: &[
        r#"
+function total(rows) {
+  let sum;
^
+  for (const row of rows) count += row.n;
+  return sum;
+}
"#,
        r#"
+const names = (rows) => {
+  var last;
^
+  rows.forEach((row) => print(row.name, last));
+};
"#,
    ],
    negative: &[
        r#"
+function total(rows) {
+  let sum;
+  for (const row of rows) sum = add(sum, row.n);
+  return sum;
+}
"#,
        r#"
+function first(rows) {
+  let a, b;
+  [a] = rows;
+  ({ b } = rows);
+  for (var i in rows) use(i);
+  return a + b;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node
        .field("name")
        .filter(|name| name.is(&["identifier"]) && node.field("value").is_none())
    else {
        return;
    };
    let in_declaration = node.ancestors().take(3).any(|around| {
        around.is(&["ambient_declaration", "for_in_statement"]) || around.is(&["export_statement"])
    });
    let mut functions = node
        .ancestors()
        .filter(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda));
    let Some(function) = functions
        .next()
        .filter(|function| function.is_usable() && is_small(*function))
    else {
        return;
    };
    if in_declaration || node.children().any(|mark| mark.text() == "!") {
        return;
    }
    let mut uses = function.descendants().filter(|other| {
        *other != name
            && other.is(&[
                "identifier", "shorthand_property_identifier",
                "shorthand_property_identifier_pattern",
            ])
            && other.text() == name.text()
    });
    let mut is_read = false;
    if uses.all(|other| {
        is_read = true;
        !sets(other)
    }) && is_read
    {
        sink.report(
            name,
            format!(
                "`{}` is never assigned: it is undefined wherever it is used.",
                name.text()
            ),
        );
    }
}

/// Whether a use assigns the name a value or declares it again.
fn sets(node: Node<'_>) -> bool {
    node.is(&["shorthand_property_identifier_pattern"])
        || node.ancestors().take(5).any(|around| {
            let is_part =
                |field: &str| around.field(field).is_some_and(|part| node.is_inside(part));
            match around.kind() {
                "assignment_expression"
                | "augmented_assignment_expression"
                | "for_in_statement" => is_part("left"),
                "update_expression" | "array_pattern" | "object_pattern" | "formal_parameters" => {
                    true
                }
                "variable_declarator" | "function_declaration" | "catch_clause" => {
                    is_part("name") || is_part("parameter")
                }
                "arrow_function" => is_part("parameter"),
                _ => false,
            }
        })
}
