//! Loops with a counter that moves away from the bound.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-in-wrong-direction",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Java", "C", "C++", "C#", "Go", "PHP",
    ],
    title: "Loop counter moving away from its bound",
    why: "The condition expects the counter to grow and the step decreases it, or the reverse. The loop does not run \
          at all, or runs until the number overflows.",
    fix: "Reverse the comparison or the step.",
    references: &["CWE-835"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+for (let i = 0; i < names.length; i--) {
^
+  use(names[i]);
+}
"#,
        r#"
path: src/A.java
@@ void f(int n) {
+        for (int i = n; i >= 0; i++) {
^
+            use(i);
+        }
"#,
        r#"
path: src/a.c
@@ void f(void)
 unsigned long i;
+for (i = 0; i < 64; i--) use(i);
^
"#,
        r#"
path: src/a.go
 func f(n int) {
+	for i := 0; i < n; i-- {
^
+		use(i)
+	}
 }
"#,
        r#"
path: src/A.cs
 void F(string[] names)
 {
+    for (int i = 0; i < names.Length; i--)
^
+    {
+        Use(names[i]);
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+for ($i = 0; $i < count($names); $i--) {
^
+    show($names[$i]);
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+for (let i = 0; i < names.length; i++) {
+  use(names[i]);
+}
+for (let i = 9; i > 0; i -= step) use(i);
+for (let i = 9; i--; ) use(i);
+for (let i = 0; i < n; j--) use(i);
"#,
        r#"
path: src/a.c
@@ void f(void)
 unsigned char i;
+for (i = 63; i < 64; i--) use(i);
"#,
        r#"
path: src/A.java
@@ void f(int n) {
+        for (int i = n; i >= 0; i--) {
+            use(i);
+        }
"#,
        r#"
path: src/A.cs
 void F(string[] names)
 {
+    for (int i = 0; i < names.Length; i++)
+    {
+        Use(names[i]);
+    }
 }
"#,
        r#"
path: src/a.go
 func f(names []string) {
+	for i := 0; i < len(names); i++ {
+		use(names[i])
+	}
 }
"#,
        r#"
path: src/a.php
 <?php
+for ($i = 0; $i < count($names); $i++) {
+    show($names[$i]);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let clause = node.child_of_kind(&["for_clause"]).unwrap_or(node);
    let (Some(condition), Some(step)) =
        (node.condition(), clause.any_field(&["increment", "update"]))
    else {
        return;
    };
    let Some(binary) = condition.comparison() else {
        return;
    };
    // Letting an unsigned counter wrap below zero to a very large value is a known way to end such a loop.
    let header = node.text().split('{').next().unwrap_or_default();
    if ["uint", "unsigned", "size_t", "usize"]
        .iter()
        .any(|kind| header.contains(kind))
    {
        return;
    }
    let Some((name, up)) = direction(step.unparenthesised()) else {
        return;
    };
    if !up && ends_by_wrapping(clause, binary.left) {
        return;
    }
    let needs_increment = match binary.operator {
        "<" | "<=" => true,
        ">" | ">=" => false,
        _ => return,
    };
    let wrong = (binary.left.text() == name && needs_increment != up)
        || (binary.right.text() == name && needs_increment == up);
    if wrong && binary.left.text() != binary.right.text() {
        sink.report(
            condition,
            format!(
                "`{}` expects the counter to move in the other direction than `{}`.",
                quote(condition.text()),
                quote(step.text())
            ),
        );
    }
}

/// The same idiom with a counter that is declared elsewhere. The counter starts between 0 and the bound, or the loop
/// ends immediately.
fn ends_by_wrapping(clause: Node<'_>, counter: Node<'_>) -> bool {
    let begins_at_zero = || {
        let start = clause.field("initializer").and_then(Node::assignment);
        start.is_none_or(|start| c::types::number(start.value) == Some(0))
    };
    let is_c = matches!(clause.tree().grammar().name(), "C" | "C++");
    is_c && c::types::declared(counter).is_none_or(|variable| variable.is_unsigned())
        && !begins_at_zero()
}

/// The counter that a step changes, and whether it grows.
fn direction(step: Node<'_>) -> Option<(&str, bool)> {
    let text = step.text().trim();
    for (sign, up) in [("++", true), ("--", false)] {
        if let Some(name) = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign)) {
            return Some((name.trim(), up));
        }
    }
    let assignment = step.assignment()?;
    let value = assignment.value.text();
    let positive = value
        .parse::<f64>()
        .ok()
        .filter(|number| *number != 0.0)
        .map(|number| number > 0.0)?;
    match assignment.operator {
        "+=" => Some((assignment.target.text(), positive)),
        "-=" => Some((assignment.target.text(), !positive)),
        _ => None,
    }
}
