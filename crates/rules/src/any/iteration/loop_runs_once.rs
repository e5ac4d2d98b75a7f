//! Loops that always leave in the first iteration.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-runs-once",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "PHP",
    ],
    title: "Loop with at most one iteration",
    why: "The body always leaves at its end, so the loop acts like an `if`. Usually the jump was intended to be inside \
          a condition: now only the first element is processed.",
    fix: "Put the jump under the intended condition; if only the first element is needed, read it without a loop.",
    references: &["CWE-670"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
 def find(rows, key):
+    for row in rows:
^
+        if row.key == key:
+            return row
+        else:
+            return None
"#,
        r#"
path: src/a.js
 function f(q) {
+  while (q.next()) {
^
+    use(q);
+    break;
+  }
 }
"#,
        r#"
path: src/A.java
@@ void show(Rows rows) {
+        while (rows.next()) {
^
+            print(rows.current());
+            break;
+        }
"#,
        r#"
path: src/A.cs
 void Show(Rows rows)
 {
+    while (rows.Next())
^
+    {
+        Print(rows.Current);
+        break;
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+while ($row = $rows->fetch()) {
^
+    show($row);
+    break;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def find(rows, key):
+    for row in rows:
+        if row.key == key:
+            return row
+    return None
+
+def first(rows):
+    for row in rows:
+        return row
"#,
        r#"
path: src/A.java
 class Words {
     void skip(Reader in) {
+        while (in.more()) {
+            char c = in.next();
+            if (c == '\n') {
+                break;
+            } else if (c == '\r') {
+                break;
+            }
+        }
     }
 }
"#,
        r#"
path: src/a.js
 function f(q) {
+  while (q.next()) {
+    if (q.bad) continue;
+    return q;
+  }
+  do { once(); break; } while (0);
 }
"#,
        r#"
path: src/A.java
@@ void show(Rows rows) {
+        while (rows.next()) {
+            print(rows.current());
+        }
"#,
        r#"
path: src/A.cs
 void Show(Rows rows)
 {
+    while (rows.Next())
+    {
+        Print(rows.Current);
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+while ($row = $rows->fetch()) {
+    show($row);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node.field("body").filter(|body| body.has_role(Role::Block)) else {
        return;
    };
    let statements = body.statements();
    let Some(first) = statements.first() else {
        return;
    };
    // Returning or using only the first element is a known idiom, and so is a loop used as a block that can be left.
    let takes_first =
        first.has_role(Role::Return) || first.has_role(Role::Throw) || first.has_role(Role::Break);
    let one_of_many = statements.len() == 2
        && node.is(&[
            "for_statement", "for_in_statement", "foreach_statement", "enhanced_for_statement",
        ])
        && statements.last().is_some_and(|last| last.is_exit());
    let endless = node.condition().is_none_or(|condition| {
        matches!(
            condition.text(),
            "true" | "True" | "1" | "0" | "false" | "False"
        )
    }) && !node.is(&["for_statement", "for_in_statement"]);
    let continues = body
        .descendants()
        .any(|inner| inner.has_role(Role::Continue));
    let passes = body
        .descendants()
        .any(|inner| inner.kind().contains("yield") || inner.kind().contains("label"));
    if !takes_first && !one_of_many && !endless && !continues && !passes && !can_complete(body) {
        sink.report(
            node,
            "The body of this loop always leaves it: there is never a second iteration.",
        );
    }
}
