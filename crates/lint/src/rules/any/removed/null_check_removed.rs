//! A check for null or emptiness that is gone while the value is still dereferenced.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/null-check-removed",
    languages: &[],
    title: "Null check removed before a use",
    why: "The code checked the value for null before it used it. The check is gone but the use is not, so the case \
          that it handled now fails with a null dereference, a missing attribute or an index error.",
    fix: "Keep the check, or ensure where the value is created that it is never null.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function label(user) {\n-  if (user.address !== null && user.address.city) {\n+  if (user.address.city) {\n^\n     return user.name;\n   }\n",
        "path: src/A.java\n@@ void close() {\n-        if (stream != null) {\n^\n-            stream.close();\n-        }\n+        stream.close();\n",
        "path: src/a.ts\n-  const result = this.parser?.info\n+  const result = this.parser.info\n^\n   done(result)\n",
        "path: src/a.py\n def size(node):\n-    return node.child.size if node.child is not None else 0\n^\n+    return node.child.size\n",
    ],
    negative: &[
        "path: src/a.js\n function label(user) {\n-  if (user.address !== null && user.address.city) {\n+  if (user.address !== undefined && user.address.city) {\n     return user.name;\n   }\n",
        "path: src/A.java\n@@ void close() {\n-        if (stream != null) {\n-            stream.close();\n-        }\n+        if (isOpen()) {\n+            stream.close();\n+        }\n",
        "path: src/a.ts\n-  const result = this.parser?.info\n+  const result = this.reader?.info\n   done(result)\n",
        "path: src/a.ts\n   const result = parser.info\n-  done(result)\n+  finish(result)\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    clauses(context, sink);
    conditions(context, sink);
    for (link, name) in context.lost_safe_links() {
        let summary =
            format!("`{link}{}` became `.{}`, which fails if the receiver is null.", name.text(), name.text());
        sink.report(name, summary);
    }
}

/// `x != null && x.ready` that became `x.ready`.
fn clauses(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.lost_clauses() {
        let Some(value) = lost.opened().filter(|_| context.mostly_takes_away(lost.chain)) else { continue };
        let (clause, value) = (quote(lost.clause.text()), quote(value.text()));
        let summary = format!("The check `{clause}` was dropped, but `{value}` is still used.");
        if lost.left.touches_change() {
            sink.report(lost.left, summary);
        } else {
            sink.report(lost.clause, summary);
        }
    }
}

/// `if (x != null) { x.go(); }` that became `x.go();`.
fn conditions(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.unwrapped() {
        let Some(value) = lost.opened() else { continue };
        let (condition, value) = (quote(lost.condition.text()), quote(value.text()));
        let summary = format!("The check `{condition}` was removed around code that still uses `{value}`.");
        sink.report(lost.whole, summary);
    }
}
