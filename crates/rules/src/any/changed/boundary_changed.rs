//! A comparison that now includes, or excludes, its boundary value.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/boundary-changed",
    languages: &[],
    title: "Boundary of a comparison changed",
    why: "Only the strictness of the comparison changed, so exactly one value is treated differently: the first or \
          last element, an empty range, an exact limit. That is the usual form of an off-by-one error.",
    fix: "Check the boundary value itself, and add a test for it.",
    references: &["CWE-193"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def fits(items, limit):
-    if len(items) <= limit:
+    if len(items) < limit:
^
         return True
"#,
        r#"
path: src/A.java
@@ int sum(int[] a) {
     int s = 0;
-    for (int i = 0; i < a.length; i++) {
+    for (int i = 0; i <= a.length; i++) {
^
         s += a[i];
"#,
        r#"
path: src/a.kt
 fun ok(a: Int): Boolean {
-    return a >= 10 && ready
+    return a > 10 && ready
^
 }
"#,
        r#"
path: src/a.rs
 fn ok(a: usize) -> bool {
-    a > MAX
+    a >= MAX
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def fits(items, limit):
-    if len(items) <= limit:
+    if len(items) <= limit + 1:
         return True
"#,
        r#"
path: src/a.py
 def fits(items, limit):
-    if limit >= size:
+    if size <= limit:
         return True
"#,
        r#"
path: src/a.js
-if (a < b) {
+if (a > b) {
   go();
 }
"#,
        r#"
path: src/a.js
-if (i <= n - 1) {
+if (i < n) {
   go();
 }
"#,
    ],
};

/// Whether two operators differ only in the boundary.
fn moves_boundary(old: &str, new: &str) -> bool {
    matches!(
        (old, new),
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">")
    )
}

/// Whether it is the number of elements, so that an index of that value is out of bounds.
fn is_length(node: Node<'_>) -> bool {
    const LENGTHS: &[&str] = &[
        "length", "len", "size", "count", "Length", "Count", "getLength", "getCount", "strlen",
        "sizeof", "childCount",
    ];
    let name = node
        .call()
        .map_or_else(|| node.last_name(), |call| call.name);
    LENGTHS.contains(&name)
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Binary) {
        let (Some(before), Some(after)) = (old.comparison(), new.comparison()) else {
            continue;
        };
        let same_operands =
            before.left.says_same(after.left) && before.right.says_same(after.right);
        if after.operation() == Operation::Order
            && moves_boundary(before.operator, after.operator)
            && same_operands
        {
            let summary = format!(
                "The comparison was `{}` and is now `{}`: the case where both sides are equal is treated differently.",
                quote(old.text()),
                quote(new.text()),
            );
            let past_the_end =
                before.operator == "<" && after.operator == "<=" && is_length(after.right)
                    || before.operator == ">" && after.operator == ">=" && is_length(after.left);
            let draft = sink.report(new, summary);
            if past_the_end {
                draft.priority(Priority::P2);
            }
        }
    }
}
