//! Labels that no `break` or `continue` uses.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

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
        "+outer: for (const a of list) {\n^\n+  for (const b of a) {\n+    if (b) break;\n+  }\n+}\n",
        "@@ function find(rows) {\n+  search:\n^\n+  while (rows.length) {\n+    if (rows.pop()) continue;\n+  }\n",
    ],
    negative: &[
        "+outer: for (const a of list) {\n+  for (const b of a) {\n+    if (b) break outer;\n+  }\n+}\n+$: total = a + b;\n",
        "@@ function find(rows) {\n   outer: for (const row of rows) {\n+    for (const cell of row) {\n+      if (!cell) continue outer;\n+    }\n   }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(label) = node.field("label").filter(|label| label.text() != "$") else {
        return;
    };
    // What is cut out of a type or an object looks like a label too.
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
