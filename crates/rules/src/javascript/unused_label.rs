//! Labels that no `break` or `continue` uses.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/unused-label",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Unused label",
    why: "A break or continue inside leaves a different loop than intended, or braces intended as an object literal \
          are a block with a label, and the function returns nothing.",
    fix: "Name the label at break or continue, put parentheses around the object, or delete the label.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["labeled_statement"]),
        run,
    },
    positive: &[
        r#"
+outer: for (const a of list) {
^
+  for (const b of a) {
+    if (b) break;
+  }
+}
"#,
        r#"
@@ function find(rows) {
+  search:
^
+  while (rows.length) {
+    if (rows.pop()) continue;
+  }
"#,
    ],
    negative: &[
        r#"
+outer: for (const a of list) {
+  for (const b of a) {
+    if (b) break outer;
+  }
+}
+$: total = a + b;
"#,
        r#"
@@ function find(rows) {
   outer: for (const row of rows) {
+    for (const cell of row) {
+      if (!cell) continue outer;
+    }
   }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(label) = node.field("label").filter(|label| label.text() != "$") else {
        return;
    };
    // Code that is cut out of a type or an object looks like a label too.
    let body = node.field("body");
    if !body.is_some_and(|body| {
        body.has_role(Role::Loop) || body.is(&["statement_block", "switch_statement"])
    }) {
        return;
    }
    let jumps = |inner: Node<'_>| {
        inner.is(&["break_statement", "continue_statement"])
            && inner
                .field("label")
                .is_some_and(|to| to.text() == label.text())
    };
    if !node.descendants().any(jumps) {
        sink.report(
            label,
            format!(
                "No `break` or `continue` uses the label `{}`.",
                label.text()
            ),
        );
    }
}
