//! An `if` with identical branches, and a chain that repeats a condition.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/same-branches",
    languages: &[
        "Java", "Go", "C#", "Kotlin", "C", "C++", "Rust", "Ruby", "PHP",
    ],
    title: "Identical branches or repeated condition",
    why: "If both branches do the same, the condition has no effect; if a later branch repeats an earlier condition, \
          it is never reached. Either is usually left over from a branch that was copied and not adapted.",
    fix: "Adapt the copied branch, or remove the condition.",
    references: &["CWE-561"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::If, Role::Ternary]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ int price(Item item) {
+        if (item.isNew()) {
^
+            return item.full();
+        } else {
+            return item.full();
+        }
"#,
        r#"
path: src/a.kt
@@ fun name(k: Int): String {
+    if (k == 1) {
+        return "a"
+    } else if (k == 1) {
^
+        return "b"
+    }
"#,
        r#"
path: src/A.cs
+int n = isNew ? full : full;
^
"#,
        r#"
path: src/a.kt
@@ fun f(k: Int) {
+    if (k > 1) run(k) else run(k)
^
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ int price(Item item) {
+        if (item.isNew()) {
+            return item.full();
+        } else {
+            return item.half();
+        }
"#,
        r#"
path: src/a.go
@@ func name(k int) string {
+	if k == 1 {
+		return "a"
+	} else if k == 2 {
+		return "a"
+	} else {
+		return "a"
+	}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.has_role(Role::Ternary) {
        let parts = (
            node.any_field(&["consequence"]),
            node.any_field(&["alternative"]),
        );
        if let (Some(then), Some(other)) = parts
            && then.says_same(other)
        {
            sink.report(
                node,
                format!(
                    "Both results of this conditional expression are `{}`, so the condition has no effect.",
                    quote(then.text())
                ),
            );
        }
        return;
    }
    let Some(branch) = node.branch() else { return };
    // Other languages have their own rule for this.
    if node.tree().grammar().name() == "Kotlin" {
        tested_before(node, branch.condition, sink);
    }
    let Some(otherwise) = branch.otherwise else {
        return;
    };
    let other = bare(otherwise);
    let in_chain = node
        .parent()
        .is_some_and(|parent| parent.has_role(Role::If) || parent.is(&["else_clause"]));
    let empty = branch.then.statements().is_empty();
    if !other.has_role(Role::If)
        && !in_chain
        && !empty
        && bare(branch.then).says_same(other)
        && node.is_all_changed()
    {
        sink.report(
            node,
            format!(
                "Both branches of `if ({})` do the same, so the condition has no effect.",
                quote(branch.condition.text())
            ),
        );
    }
}

/// The content of an `else`.
fn bare(node: Node<'_>) -> Node<'_> {
    if node.is(&["else_clause", "control_structure_body"]) {
        node.named_children()
            .last()
            .filter(|_| node.named_children().count() == 1)
            .unwrap_or(node)
    } else {
        node
    }
}

/// Searches the chain of `else if` upwards for the same condition.
fn tested_before(node: Node<'_>, condition: Node<'_>, sink: &mut Sink<'_>) {
    if condition.all(Role::Call).next().is_some()
        || condition.all(Role::Assign).next().is_some()
        || node.field("initializer").is_some()
    {
        return;
    }
    let mut inner = node;
    for outer in node.ancestors() {
        if outer.is(&["else_clause", "control_structure_body", "statements"]) {
            continue;
        }
        let Some(branch) = outer
            .branch()
            .filter(|branch| branch.otherwise.is_some_and(|other| bare(other) == inner))
        else {
            return;
        };
        if branch.condition.says_same(condition) {
            sink.report(
                condition,
                format!(
                    "`{}` was already checked in this chain, so this branch is never reached.",
                    quote(condition.text())
                ),
            );
            return;
        }
        inner = outer;
    }
}
