//! An `if` with identical branches.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/same-branches",
    languages: &[
        "Java", "Go", "C#", "Kotlin", "C", "C++", "Rust", "Ruby", "PHP",
    ],
    title: "Identical branches",
    why: "Both branches do the same, so the condition has no effect. Usually a branch was copied and not adapted.",
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
        r#"
path: src/a.go
 func price(item Item) int {
+	if item.New {
^
+		return item.Full()
+	} else {
+		return item.Full()
+	}
 }
"#,
        r#"
path: src/a.c
 int price(struct item *item) {
+    if (item->is_new) {
^
+        return full(item);
+    } else {
+        return full(item);
+    }
 }
"#,
        r#"
path: src/a.rs
 fn price(item: &Item) -> u32 {
+    if item.is_new {
^
+        item.full()
+    } else {
+        item.full()
+    }
 }
"#,
        r#"
path: src/a.rb
 def price(item)
+  if item.new?
^
+    item.full
+  else
+    item.full
+  end
 end
"#,
        r#"
path: src/a.php
 <?php
+if ($item->isNew()) {
^
+    charge($item->full());
+} else {
+    charge($item->full());
+}
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
        r#"
path: src/A.cs
 int Price(Item item)
 {
+    if (item.IsNew)
+    {
+        return item.Full();
+    }
+    else
+    {
+        return item.Half();
+    }
 }
"#,
        r#"
path: src/a.kt
 fun price(item: Item) {
+    if (item.isNew) charge(item.full) else charge(item.half)
 }
"#,
        r#"
path: src/a.c
 int price(struct item *item) {
+    if (item->is_new) {
+        return full(item);
+    } else {
+        return half(item);
+    }
 }
"#,
        r#"
path: src/a.rs
 fn price(item: &Item) -> u32 {
+    if item.is_new {
+        item.full()
+    } else {
+        item.half()
+    }
 }
"#,
        r#"
path: src/a.rb
 def price(item)
+  if item.new?
+    item.full
+  else
+    item.half
+  end
 end
"#,
        r#"
path: src/a.php
 <?php
+if ($item->isNew()) {
+    charge($item->full());
+} else {
+    charge($item->half());
+}
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
    let Some(otherwise) = branch.otherwise else {
        return;
    };
    let (then, other) = (content(branch.then), content(otherwise));
    let in_chain = node.parent().is_some_and(|parent| {
        parent.has_role(Role::If) || parent.is(&["else_clause", "control_structure_body"])
    });
    let is_same =
        then.len() == other.len() && then.iter().zip(&other).all(|(a, b)| a.says_same(*b));
    if is_same
        && !in_chain
        && !branch.then.statements().is_empty()
        && !other.iter().any(|node| node.has_role(Role::If))
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

/// The code of a branch, without the node that some grammars put around it.
fn content(node: Node<'_>) -> Vec<Node<'_>> {
    if node.is(&["else_clause", "control_structure_body", "then", "else"]) {
        node.named_children().collect()
    } else {
        vec![node]
    }
}
