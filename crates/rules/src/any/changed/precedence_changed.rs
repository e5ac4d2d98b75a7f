//! Parentheses that grouped an expression and were dropped.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/precedence-changed",
    languages: &[],
    title: "Precedence changed by dropped parentheses",
    why: "The operands and operators are the same, but the parentheses that grouped them are gone, so the operators \
          bind differently.",
    fix: "Restore the parentheses, or split the expression into steps.",
    references: &["CWE-783"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.java
@@ int size(int n) {
-        int j = 4 * (n - 1);
+        int j = 4 * n - 1;
^
         return j;
"#,
        r#"
path: src/a.js
 function ok(a, b, c) {
-  return a.x && (b.x || c.x);
+  return a.x && b.x || c.x;
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ int size(int n) {
-        int j = (4 * n) - 1;
+        int j = 4 * n - 1;
         return j;
"#,
        r#"
path: src/a.js
 function ok(a, b, c) {
-  return a.x || (b.x && c.x);
+  return a.x || b.x && c.x;
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.nodes().filter(|node| {
        node.touches_change() && node.is(&["parenthesized_expression", "parenthesized_statements"])
    }) {
        let Some(inner) = old.unparenthesised().binary().filter(|_| old.is_usable()) else {
            continue;
        };
        let dropped = old
            .children()
            .next()
            .is_some_and(|bracket| context.new_of(bracket).is_none());
        if !dropped || context.similarity_to_new(old) < 100 {
            continue;
        }
        let operand = |node: Node<'_>| context.cover(node);
        let (Some(left), Some(right)) = (operand(inner.left), operand(inner.right)) else {
            continue;
        };
        let Some(whole) = context.cover(old) else {
            continue;
        };
        // The two parts were joined directly. Now the smallest node that contains both starts or ends elsewhere.
        let torn = whole.start() != left.start() || whole.end() != right.end();
        let is_operation = whole.binary().is_some();
        if torn
            && is_operation
            && whole.is_usable()
            && same_but_brackets(old.statement(), whole.statement())
        {
            sink.report(
                whole,
                format!(
                    "The parentheses around `{}` were dropped, so it is now `{}`.",
                    quote(old.text()),
                    quote(whole.text())
                ),
            );
        }
    }
}

/// Whether two statements differ only in parentheses.
fn same_but_brackets(old: Node<'_>, new: Node<'_>) -> bool {
    let tokens = |node: Node<'_>| {
        node.leaves()
            .map(Node::text)
            .filter(|text| !matches!(*text, "(" | ")" | ""))
            .collect::<Vec<_>>()
            .concat()
    };
    tokens(old) == tokens(new)
}
