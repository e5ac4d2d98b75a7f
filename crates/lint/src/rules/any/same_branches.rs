//! An `if` whose branches do the same, and a chain that asks the same question again.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/same-branches",
    languages: &["Java", "Go", "C#", "Kotlin", "C", "C++", "Rust", "Ruby", "PHP"],
    title: "Branches that do the same, or ask the same",
    why: "If both branches do the same, the condition decides nothing; if a later branch asks what an earlier one has asked, it is never reached. Both \
          are left when a branch was copied and not adapted.",
    fix: "Adapt the branch that was copied, or take the condition away.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::If, Role::Ternary]), run },
    fires: &[
        "path: src/A.java\n@@ int price(Item item) {\n+        if (item.isNew()) {\n^\n+            return item.full();\n+        } else {\n+            return item.full();\n+        }\n",
        "path: src/a.kt\n@@ fun name(k: Int): String {\n+    if (k == 1) {\n+        return \"a\"\n+    } else if (k == 1) {\n^\n+        return \"b\"\n+    }\n",
        "path: src/A.cs\n+int n = isNew ? full : full;\n^\n",
        "path: src/a.kt\n@@ fun f(k: Int) {\n+    if (k > 1) run(k) else run(k)\n^\n",
    ],
    quiet: &[
        "path: src/A.java\n@@ int price(Item item) {\n+        if (item.isNew()) {\n+            return item.full();\n+        } else {\n+            return item.half();\n+        }\n",
        "path: src/a.go\n@@ func name(k int) string {\n+\tif k == 1 {\n+\t\treturn \"a\"\n+\t} else if k == 2 {\n+\t\treturn \"a\"\n+\t} else {\n+\t\treturn \"a\"\n+\t}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.has_role(Role::Ternary) {
        let parts = (node.any_field(&["consequence"]), node.any_field(&["alternative"]));
        if let (Some(then), Some(other)) = parts
            && then.says_same(other)
        {
            sink.report(
                node,
                format!("Both results of the choice are `{}`: the condition decides nothing.", quote(then.text())),
            );
        }
        return;
    }
    let Some(branch) = node.branch() else { return };
    // The other languages have a rule of their own for this.
    if node.tree().grammar().name() == "Kotlin" {
        asked_before(node, branch.condition, sink);
    }
    let Some(otherwise) = branch.otherwise else { return };
    let other = bare(otherwise);
    let in_chain = node.parent().is_some_and(|parent| parent.has_role(Role::If) || parent.is(&["else_clause"]));
    let empty = branch.then.statements().is_empty();
    if !other.has_role(Role::If) && !in_chain && !empty && bare(branch.then).says_same(other) && node.is_all_changed() {
        sink.report(
            node,
            format!(
                "Both branches of `if ({})` do the same: the condition decides nothing.",
                quote(branch.condition.text())
            ),
        );
    }
}

/// What an `else` holds.
fn bare(node: Node<'_>) -> Node<'_> {
    if node.is(&["else_clause", "control_structure_body"]) {
        node.named_children().last().filter(|_| node.named_children().count() == 1).unwrap_or(node)
    } else {
        node
    }
}

/// Looks up the chain of `else if` for the same condition.
fn asked_before(node: Node<'_>, condition: Node<'_>, sink: &mut Sink<'_>) {
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
        let Some(branch) = outer.branch().filter(|branch| branch.otherwise.is_some_and(|other| bare(other) == inner))
        else {
            return;
        };
        if branch.condition.says_same(condition) {
            sink.report(
                condition,
                format!(
                    "`{}` was asked earlier in this chain, so this branch is never reached.",
                    quote(condition.text())
                ),
            );
            return;
        }
        inner = outer;
    }
}
