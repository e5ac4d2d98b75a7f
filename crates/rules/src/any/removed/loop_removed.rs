//! A loop that was removed while the data that it processed remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;

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
        r#"
path: src/a.py
 def show(axes, limits):
     axes.limits = limits
-    for other in axes.siblings():
^
-        other.stale = False
     return axes.draw()
"#,
        r#"
path: src/a.js
 function close(pool) {
   pool.closed = true;
-  for (const connection of pool.connections) {
^
-    connection.end();
-  }
   return pool;
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def show(axes, limits):
     axes.limits = limits
-    for other in axes.siblings():
-        other.stale = False
+    clear(axes.siblings())
     return axes.draw()
"#,
        r#"
path: src/a.js
 function close(pool) {
   pool.closed = true;
-  for (const connection of pool.connections) {
-    connection.end();
-  }
+  pool.connections.forEach((connection) => connection.end());
   return pool;
 }
"#,
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
