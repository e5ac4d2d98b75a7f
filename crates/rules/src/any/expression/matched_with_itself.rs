//! A match on a pair of two identical expressions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/matched-with-itself",
    languages: &["Rust", "Python"],
    title: "Identical expressions in a match tuple",
    why: "Two values are matched together, and both are the same expression. Each case with two different parts is \
          dead, and the intended second value is never tested.",
    fix: "Match the intended second value.",
    references: &["CWE-688"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["match_expression", "match_statement"]),
        run,
    },
    positive: &[
        r#"
path: src/a.rs
 fn markers(range: &Range) -> Tree {
+    match (range.lower(), range.lower()) {
^
+        (Some(low), Some(high)) => Tree::both(low, high),
+        _ => Tree::new(),
+    }
 }
"#,
        r#"
path: src/a.py
@@ def compare(left, right):
+    match (left.kind, left.kind):
^
+        case ("a", "b"):
+            return 1
"#,
    ],
    negative: &[
        r#"
path: src/a.rs
 fn markers(range: &Range) -> Tree {
+    match (range.lower(), range.upper()) {
+        (Some(low), Some(high)) => Tree::both(low, high),
+        _ => Tree::new(),
+    }
+    match (chars.next(), chars.next()) {
+        (Some(a), Some(b)) => Tree::both(a, b),
+        _ => Tree::new(),
+    }
 }
"#,
        r#"
path: src/a.rs
@@ fn compare(a: &Range, b: &Range) -> Order {
     match (a.low, a.low) {
+        (0, _) => Order::Less,
         _ => Order::Same,
     }
"#,
        r#"
path: src/a.py
@@ def compare(left, right):
+    match (left.kind, right.kind):
+        case ("a", "b"):
+            return 1
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node
        .any_field(&["value", "subject"])
        .filter(|value| value.is(&["tuple_expression", "tuple"]))
    else {
        return;
    };
    let parts: Vec<Node<'_>> = value.named_children().collect();
    let [first, second] = parts.as_slice() else {
        return;
    };
    // An expression that returns a different value each time may be evaluated twice on purpose.
    const STEPS: &[&str] = &[
        "next", "pop", "read", "recv", "take", "peek_next", "poll", "random", "shift", "parse",
        "advance",
    ];
    let steps = first
        .leaves()
        .any(|leaf| STEPS.iter().any(|step| leaf.text().starts_with(step)))
        || first.text().contains("await")
        || first.text().ends_with('?');
    if first.says_same(*second) && !steps {
        sink.report(
            value,
            format!(
                "Both parts of the matched tuple are `{}`.",
                quote(first.text())
            ),
        );
    }
}
