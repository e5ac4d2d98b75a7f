//! A lock on a field that is reassigned.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::names::is_small;
use crate::semantics::types::declared;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/lock-on-changing-field",
    languages: &["Java"],
    title: "Lock on a reassigned field",
    why: "Threads exclude each other only if they lock the same object. After the field is reassigned, two threads \
          can hold two different locks and enter the block at the same time.",
    fix: "Lock on a private final object.",
    references: &["CWE-667"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["synchronized_statement"]), run },
    positive: &[
        "+class Store {\n+    private Object gate = new Object();\n+    void reset() {\n+        gate = new Object();\n+    }\n+    void add() {\n+        synchronized (gate) {\n^\n+            count++;\n+        }\n+    }\n+}\n",
    ],
    negative: &[
        "+class Store {\n+    private final Object gate = new Object();\n+    private Object other = new Object();\n+    void add() {\n+        synchronized (gate) {\n+            count++;\n+        }\n+        synchronized (other) {\n+            count++;\n+        }\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(what) = node.child_of_kind(&["parenthesized_expression"]).map(Node::unparenthesised) else { return };
    let Some(found) = declared(what).filter(|found| found.is_field()) else { return };
    let outermost = node.ancestors().filter(|around| around.is(&["class_body"])).last();
    let Some(class) = outermost.filter(|class| is_small(*class)) else { return };
    let is_final = found
        .node
        .parent()
        .and_then(|field| field.child_of_kind(&["modifiers"]))
        .is_some_and(|words| words.text().contains("final"));
    if !is_final && class.descendants().any(|inner| sets(inner, what.last_name())) {
        sink.report(
            node,
            format!(
                "`{}` is reassigned elsewhere: after that, two threads can hold different locks.",
                quote(what.text())
            ),
        );
    }
}

/// An assignment to the field outside of a constructor.
fn sets(node: Node<'_>, name: &str) -> bool {
    node.is(&["assignment_expression"])
        && node.field("left").is_some_and(|left| {
            left.last_name() == name && (left.is(&["identifier"]) || left.text().starts_with("this."))
        })
        && !node.ancestors().any(|around| around.is(&["constructor_declaration"]))
}
