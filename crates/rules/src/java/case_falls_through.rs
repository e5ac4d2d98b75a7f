//! A switch case that falls through to the next one.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

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
        r#"
+void run(int kind) {
+    switch (kind) {
+        case 1:
^
+            start();
+        case 2:
+            stop();
+            break;
+    }
+}
"#,
        r#"
@@ void run(int kind) {
     switch (kind) {
+        case START:
^
+            log(kind);
+            if (ready) {
+                break;
+            }
         default:
             stop();
     }
"#,
    ],
    negative: &[
        r#"
+void run(int kind) {
+    switch (kind) {
+        case 1:
+            start();
+            // falls through
+        case 2:
+            stop();
+            break;
+        case 3:
+        case 4:
+            return;
+        default:
+            start();
+    }
+}
"#,
        r#"
@@ void run(int kind) {
     switch (kind) {
+        case START: {
+            start();
+            return;
+        }
+        case STOP -> stop();
         default:
             throw new IllegalStateException();
     }
"#,
        r#"
+int read(int kind) {
+    switch (kind) {
+        case 1:
+            if (ready) {
+                return 1;
+            } else {
+                throw new Unread();
+            }
+        case 2:
+            if (ready) return 2; else return 3;
+        default:
+            stop();
+    }
+}
"#,
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
    // A case that is followed by one that only exits is often intended to fall through.
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
        || has_comment(node, next)
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
fn has_comment(node: Node<'_>, next: Node<'_>) -> bool {
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
