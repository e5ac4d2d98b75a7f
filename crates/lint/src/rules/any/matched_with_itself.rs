//! A pair of two equal values, taken apart as if they were two.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/matched-with-itself",
    languages: &["Rust", "Kotlin", "Python"],
    title: "The same value twice in a match",
    why: "Two values are matched together, and both are the same expression. Every case with two different parts is dead, \
          and the second value that was meant is never looked at.",
    fix: "Match the other value.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["match_expression", "match_statement"]), run },
    fires: &[
        "path: src/a.rs\n fn markers(range: &Range) -> Tree {\n+    match (range.lower(), range.lower()) {\n^\n+        (Some(low), Some(high)) => Tree::both(low, high),\n+        _ => Tree::new(),\n+    }\n }\n",
    ],
    quiet: &[
        "path: src/a.rs\n fn markers(range: &Range) -> Tree {\n+    match (range.lower(), range.upper()) {\n+        (Some(low), Some(high)) => Tree::both(low, high),\n+        _ => Tree::new(),\n+    }\n+    match (chars.next(), chars.next()) {\n+        (Some(a), Some(b)) => Tree::both(a, b),\n+        _ => Tree::new(),\n+    }\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.any_field(&["value", "subject"]).filter(|value| value.is(&["tuple_expression", "tuple"]))
    else {
        return;
    };
    let parts: Vec<Node<'_>> = value.named_children().collect();
    let [first, second] = parts.as_slice() else { return };
    // What gives another value each time may well be asked twice.
    const STEPS: &[&str] =
        &["next", "pop", "read", "recv", "take", "peek_next", "poll", "random", "shift", "parse", "advance"];
    let steps = first.leaves().any(|leaf| STEPS.iter().any(|step| leaf.text().starts_with(step)))
        || first.text().contains("await")
        || first.text().ends_with('?');
    if first.says_same(*second) && !steps {
        sink.report(value, format!("Both parts are `{}`.", quote(first.text())));
    }
}
