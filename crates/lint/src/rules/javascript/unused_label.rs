//! Labels that nothing jumps to.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/unused-label",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Label that nothing jumps to",
    why: "A break or continue inside leaves another loop than its author thought, or braces that were meant as an object \
          are a block with a label in it, and the function returns nothing.",
    fix: "Name the label at break or continue, put parentheses around the object, or delete the label.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["labeled_statement"]), run },
    positive: &["+outer: for (const a of list) {\n^\n+  for (const b of a) {\n+    if (b) break;\n+  }\n+}\n"],
    negative: &[
        "+outer: for (const a of list) {\n+  for (const b of a) {\n+    if (b) break outer;\n+  }\n+}\n+$: total = a + b;\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(label) = node.field("label").filter(|label| label.text() != "$") else { return };
    // What is cut out of a type or an object looks like a label too.
    let body = node.field("body");
    if !body.is_some_and(|body| body.has_role(Role::Loop) || body.is(&["statement_block", "switch_statement"])) {
        return;
    }
    let jumps = |inner: Node<'_>| {
        inner.is(&["break_statement", "continue_statement"])
            && inner.field("label").is_some_and(|to| to.text() == label.text())
    };
    if !node.descendants().any(jumps) {
        sink.report(label, format!("Nothing jumps to the label `{}`.", label.text()));
    }
}
