//! A value that is clamped to its limits, except at the limit itself.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/limit-not-clamped",
    languages: &[],
    title: "Limit itself is not clamped",
    why: "A value beyond the limit is set to one less than the limit, so the limit itself is too large. But a value equal to \
          the limit passes the test and is used unchanged: one element past the end.",
    fix: "Compare with `>=`, or with the limit minus one.",
    references: &["CWE-193"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::If]),
        run,
    },
    positive: &[
        r#"
path: src/a.c
@@ static void range(long long end, size_t length)
-	if (end >= (long long)length) end = length-1;
+	if (end > (long long)length) end = length-1;
^
 	send(end);
"#,
        r#"
path: src/a.py
 def page(number, count):
+    if number > count:
^
+        number = count - 1
     return number
"#,
        r#"
path: src/a.js
 function at(index, items) {
+  if (index > items.length) {
^
+    index = items.length - 1;
+  }
   return items[index];
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.c
@@ static void range(long long end, size_t length)
+	if (end > (long long)length - 1) end = length - 1;
+	if (end >= length) end = length - 1;
+	if (end > length) end = length;
 	send(end);
"#,
        r#"
path: src/a.py
 def page(number, count):
+    if number > count:
+        number = other - 1
+    if number > count:
+        total = count - 1
     return number
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(branch) = node.branch().filter(|branch| !branch.negated) else {
        return;
    };
    let Some(test) = branch.condition.comparison() else {
        return;
    };
    let (value, limit) = match test.operator {
        ">" => (test.left, test.right),
        "<" => (test.right, test.left),
        _ => return,
    };
    let statements = branch.then.statements();
    let [only] = statements.as_slice() else {
        return;
    };
    let set = std::iter::once(*only)
        .chain(only.descendants())
        .find_map(Node::assignment);
    let Some(set) = set.filter(|set| set.operator == "=" && set.target.says_same(value)) else {
        return;
    };
    let Some(less) = set
        .value
        .unparenthesised()
        .binary()
        .filter(|less| less.operator == "-")
    else {
        return;
    };
    if less.right.text() == "1" && less.left.says_same(without_cast(limit)) {
        let (value, limit) = (quote(value.text()), quote(less.left.text()));
        let summary = format!(
            "`{value}` may still be `{limit}` after this, which is one more than what it is set to."
        );
        sink.report(branch.condition, summary);
    }
}

/// The operand of a cast: `length` in `(long long)length`.
fn without_cast(node: Node<'_>) -> Node<'_> {
    let node = node.unparenthesised();
    let cast = node.is(&[
        "cast_expression", "type_cast_expression", "as_expression", "type_conversion_expression",
    ]);
    node.field("value")
        .filter(|_| cast)
        .map_or(node, Node::unparenthesised)
}
