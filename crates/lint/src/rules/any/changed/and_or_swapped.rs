//! `&&` that became `||`, or the reverse.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Operation;

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
        "path: src/a.js\n function fits(a, b) {\n-  if (a.ready && b.ready) {\n+  if (a.ready || b.ready) {\n^\n     go();\n   }\n }\n",
        "path: src/a.py\n def fits(a, b):\n-    return a.ready or b.ready\n+    return a.ready and b.ready\n^\n",
    ],
    negative: &[
        "path: src/a.js\n function fits(a, b) {\n-  if (!(a.ready && b.ready)) {\n+  if (!a.ready || !b.ready) {\n     go();\n   }\n }\n",
        "path: src/a.js\n function fits(a, b) {\n-  if (a.ready && b.ready) {\n+  if (a.ready || c.ready) {\n     go();\n   }\n }\n",
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
