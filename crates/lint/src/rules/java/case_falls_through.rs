//! A switch case that falls through to the next one.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::flow::can_complete;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/case-falls-through",
    languages: &["Java"],
    title: "Switch case falling through",
    why: "Without a `break`, the statements of the next case run as well. Usually the `break` was forgotten; if the \
          fall-through is intended, a reader cannot tell.",
    fix: "End the case with `break`, `return` or `throw`, use an arrow case, or state in a comment that it falls \
          through.",
    references: &["CWE-484"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["switch_block_statement_group"]),
        run,
    },
    positive: &[
        "+void run(int kind) {\n+    switch (kind) {\n+        case 1:\n^\n+            start();\n+        case 2:\n+            stop();\n+            break;\n+    }\n+}\n",
        "@@ void run(int kind) {\n     switch (kind) {\n+        case START:\n^\n+            log(kind);\n+            if (ready) {\n+                break;\n+            }\n         default:\n             stop();\n     }\n",
    ],
    negative: &[
        "+void run(int kind) {\n+    switch (kind) {\n+        case 1:\n+            start();\n+            // falls through\n+        case 2:\n+            stop();\n+            break;\n+        case 3:\n+        case 4:\n+            return;\n+        default:\n+            start();\n+    }\n+}\n",
        "@@ void run(int kind) {\n     switch (kind) {\n+        case START: {\n+            start();\n+            return;\n+        }\n+        case STOP -> stop();\n         default:\n             throw new IllegalStateException();\n     }\n",
        "+int read(int kind) {\n+    switch (kind) {\n+        case 1:\n+            if (ready) {\n+                return 1;\n+            } else {\n+                throw new Unread();\n+            }\n+        case 2:\n+            if (ready) return 2; else return 3;\n+        default:\n+            stop();\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(next) = node
        .next()
        .filter(|next| next.is(&["switch_block_statement_group"]))
    else {
        return;
    };
    let is_statement = |one: &Node<'_>| !one.is(&["switch_label"]);
    let own: Vec<Node<'_>> = node.named_children().filter(is_statement).collect();
    let Some(last) = own.last() else { return };
    // A next case that only exits is often intended for both.
    let ends = next
        .named_children()
        .find(is_statement)
        .is_none_or(|first| first.is_exit());
    let loops = last.has_role(Role::Loop)
        || last.is(&[
            "labeled_statement",
            "switch_expression",
            "synchronized_statement",
        ]);
    if ends
        || loops
        || !own.iter().all(|one| can_complete(*one))
        || is_told(node, next)
        || last.is_exit()
    {
        return;
    }
    if let Some(label) = node.child_of_kind(&["switch_label"]) {
        sink.report(
            label,
            "This case falls through: the statements of the next one run as well.",
        );
    }
}

/// Any comment between the two, or at the end of the case, marks the fall-through as intended.
fn is_told(node: Node<'_>, next: Node<'_>) -> bool {
    let Some(block) = node.parent() else {
        return true;
    };
    let between = node
        .children()
        .chain(node.descendants())
        .chain(block.children());
    let Some(last) = node.named_children().last() else {
        return true;
    };
    between
        .filter(|one| one.has_role(Role::Comment))
        .any(|one| {
            one.index() > last.index() && one.index() < next.index()
                || one.text().to_ascii_lowercase().contains("fall") && one.is_inside(node)
        })
}
