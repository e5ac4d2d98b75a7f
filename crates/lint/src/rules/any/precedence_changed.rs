//! Parentheses that were dropped and held the expression together.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/precedence-changed",
    languages: &[],
    title: "Parentheses dropped, so that the expression means something else",
    why: "The words of the expression are the same, but parentheses that grouped it are gone, and the operators \
          bind in another way now.",
    fix: "Put the parentheses back, or write the steps out.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/A.java\n@@ int size(int n) {\n-        int j = 4 * (n - 1);\n+        int j = 4 * n - 1;\n^\n         return j;\n",
        "path: src/a.js\n function ok(a, b, c) {\n-  return a.x && (b.x || c.x);\n+  return a.x && b.x || c.x;\n^\n }\n",
    ],
    quiet: &[
        "path: src/A.java\n@@ int size(int n) {\n-        int j = (4 * n) - 1;\n+        int j = 4 * n - 1;\n         return j;\n",
        "path: src/a.js\n function ok(a, b, c) {\n-  return a.x || (b.x && c.x);\n+  return a.x || b.x && c.x;\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is(&["parenthesized_expression", "parenthesized_statements"]))
    {
        let Some(inner) = old.unparenthesised().binary().filter(|_| old.is_usable()) else { continue };
        let dropped = old.children().next().is_some_and(|bracket| context.image(bracket).is_none());
        if !dropped || context.kept(old) < 100 {
            continue;
        }
        let operand = |node: Node<'_>| context.cover(node);
        let (Some(left), Some(right)) = (operand(inner.left), operand(inner.right)) else { continue };
        let Some(whole) = context.cover(old) else { continue };
        // The two parts were joined directly; now the smallest node that holds both starts or ends somewhere else.
        let torn = whole.start() != left.start() || whole.end() != right.end();
        let is_operation = whole.binary().is_some();
        if torn && is_operation && whole.is_usable() && same_but_brackets(old.statement(), whole.statement()) {
            sink.report(
                whole,
                format!(
                    "The parentheses around `{}` were dropped; now it is `{}`.",
                    quote(old.text()),
                    quote(whole.text())
                ),
            );
        }
    }
}

/// Whether two statements differ in parentheses only.
fn same_but_brackets(old: Node<'_>, new: Node<'_>) -> bool {
    let tokens = |node: Node<'_>| {
        node.leaves().map(Node::text).filter(|text| !matches!(*text, "(" | ")" | "")).collect::<Vec<_>>().concat()
    };
    tokens(old) == tokens(new)
}
