//! `&&` that became `||`, or the reverse.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Operation;

pub(crate) const RULE: Rule = Rule {
    id: "any/and-or-swapped",
    languages: &[],
    title: "Logical AND and OR swapped",
    why: "The operands of the condition are the same and only their operator changed. The condition now holds when a \
          single operand does where both were required, or requires both where one was enough.",
    fix: "Check the cases in which only one operand holds.",
    references: &["CWE-480"],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
 function fits(a, b) {
-  if (a.ready && b.ready) {
+  if (a.ready || b.ready) {
^
     go();
   }
 }
"#,
        r#"
path: src/a.py
 def fits(a, b):
-    return a.ready or b.ready
+    return a.ready and b.ready
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function fits(a, b) {
-  if (!(a.ready && b.ready)) {
+  if (!a.ready || !b.ready) {
     go();
   }
 }
"#,
        r#"
path: src/a.js
 function fits(a, b) {
-  if (a.ready && b.ready) {
+  if (a.ready || c.ready) {
     go();
   }
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Binary).chain(context.rejoined()) {
        let (Some(before), Some(after)) = (old.binary(), new.binary()) else {
            continue;
        };
        let swapped = matches!(
            (before.operation(), after.operation()),
            (Operation::And, Operation::Or) | (Operation::Or, Operation::And)
        );
        if swapped
            && context.same(before.left, after.left)
            && context.same(before.right, after.right)
        {
            let (was, now) = (before.operator, after.operator);
            sink.report(
                after.right,
                format!(
                    "`{was}` became `{now}` before `{}`.",
                    quote(after.right.text())
                ),
            );
        }
    }
}
