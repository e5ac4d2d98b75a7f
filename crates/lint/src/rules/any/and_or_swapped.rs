//! `&&` that became `||`, or the other way round.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::syntax::Operation;

pub(crate) const RULE: Rule = Rule {
    id: "any/and-or-swapped",
    languages: &[],
    title: "And and or swapped",
    why: "The parts of the condition are as they were and are joined the other way. It now holds when one part \
          does where both were needed, or needs both where one was enough.",
    fix: "Go through the cases in which only one part holds.",
    priority: Priority::P3,
    category: Category::LogicBug,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.js\n function fits(a, b) {\n-  if (a.ready && b.ready) {\n+  if (a.ready || b.ready) {\n^\n     go();\n   }\n }\n",
        "path: src/a.py\n def fits(a, b):\n-    return a.ready or b.ready\n+    return a.ready and b.ready\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n function fits(a, b) {\n-  if (!(a.ready && b.ready)) {\n+  if (!a.ready || !b.ready) {\n     go();\n   }\n }\n",
        "path: src/a.js\n function fits(a, b) {\n-  if (a.ready && b.ready) {\n+  if (a.ready || c.ready) {\n     go();\n   }\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed(Role::Binary).chain(context.rejoined()) {
        let (Some(before), Some(after)) = (old.binary(), new.binary()) else { continue };
        let swapped = matches!(
            (before.operation(), after.operation()),
            (Operation::And, Operation::Or) | (Operation::Or, Operation::And)
        );
        if swapped && context.same(before.left, after.left) && context.same(before.right, after.right) {
            let (was, now) = (before.operator, after.operator);
            sink.report(after.right, format!("`{was}` became `{now}` before `{}`.", quote(after.right.text())));
        }
    }
}
