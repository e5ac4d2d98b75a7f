//! A loop that was removed while the data that it worked on stays.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-removed",
    languages: &[],
    title: "Loop removed",
    why: "The work of the loop no longer happens and has no replacement: elements that were visited, filled, closed or \
          counted no longer are.",
    fix: "Make sure that other code does this work now, or keep the loop.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.py\n def show(axes, limits):\n     axes.limits = limits\n-    for other in axes.siblings():\n^\n-        other.stale = False\n     return axes.draw()\n",
        "path: src/a.js\n function close(pool) {\n   pool.closed = true;\n-  for (const connection of pool.connections) {\n^\n-    connection.end();\n-  }\n   return pool;\n }\n",
    ],
    negative: &[
        "path: src/a.py\n def show(axes, limits):\n     axes.limits = limits\n-    for other in axes.siblings():\n-        other.stale = False\n+    clear(axes.siblings())\n     return axes.draw()\n",
        "path: src/a.js\n function close(pool) {\n   pool.closed = true;\n-  for (const connection of pool.connections) {\n-    connection.end();\n-  }\n+  pool.connections.forEach((connection) => connection.end());\n   return pool;\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        if old.has_role(Role::Loop) {
            let head = old.text().lines().next().unwrap_or_default();
            sink.report(
                old,
                format!(
                    "The loop `{}` was removed: its work no longer happens.",
                    quote(head)
                ),
            );
        }
    }
}
