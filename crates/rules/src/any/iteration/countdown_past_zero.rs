//! A countdown with a last iteration below zero.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/countdown-past-zero",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Java", "C#", "C", "C++", "PHP",
    ],
    title: "Countdown past zero",
    why: "The counter is compared before it is decremented. With `>= 0` the body also runs when it was 0, and sees -1: \
          one iteration too many, and an index before the first element.",
    fix: "Write `counter-- > 0`.",
    references: &["CWE-193"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void run(int index) {
+        while (index-- >= 0 && rows.hasNext()) {
^
+            row = rows.next();
+        }
"#,
        r#"
path: src/a.js
@@ function drain(left) {
+  while (left-- >= 0) {
^
     queue.shift();
   }
"#,
        r#"
path: src/A.cs
 void Drain(int left)
 {
+    while (left-- >= 0)
^
+    {
+        queue.Dequeue();
+    }
 }
"#,
        r#"
path: src/a.c
 void drain(int left) {
+    while (left-- >= 0) {
^
+        take();
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+while ($left-- >= 0) {
^
+    array_shift($queue);
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void run(int index) {
+        while (index-- > 0 && rows.hasNext()) {
+            row = rows.next();
+        }
+        for (int i = 9; i >= 0; i--) {
+            row = rows.next();
+        }
+        while (--index >= 0) {
+            row = rows.next();
+        }
"#,
        r#"
path: src/a.js
@@ function drain(left) {
   while (left-- >= 0) {
+    queue.shift();
+    for (let i = queue.length; i-- > 0;) visit(queue[i]);
   }
"#,
        r#"
path: src/A.cs
 void Drain(int left)
 {
+    while (left-- > 0)
+    {
+        queue.Dequeue();
+    }
 }
"#,
        r#"
path: src/a.c
 void drain(int left) {
+    while (left-- > 0) {
+        take();
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+while ($left-- > 0) {
+    array_shift($queue);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.condition() else {
        return;
    };
    let parts = std::iter::once(condition).chain(condition.descendants());
    let below = parts
        .filter_map(|part| Some((part, part.comparison()?)))
        .find(|(_, own)| {
            own.left.text().ends_with("--")
                && matches!(
                    (own.operator, own.right.text()),
                    (">=", "0") | (">", "-1") | ("!=", "-1")
                )
        });
    if let Some((part, own)) = below.filter(|(_, own)| own.operator != "!=") {
        sink.report(
            part,
            format!(
                "`{}` holds for 0, so the body sees -1 in `{}`.",
                quote(part.text()),
                own.left.text().trim_end_matches("--")
            ),
        );
    }
}
