//! A check for null or emptiness that is gone while the value is still dereferenced.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

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
        "path: src/a.py\n def show(session, id):\n     item = session.get(Item, id)\n-    if not item:\n^\n-        raise NotFound(id)\n     return item.text\n",
        "path: src/a.c\n@@ static void fill(size_t n)\n \tchar *p = malloc(n);\n-\tif (!p)\n^\n-\t\treturn;\n \tmemset(p, 0, n);\n }\n",
        "path: src/a.c\n@@ static jv home(void)\n \tconst char *drive = getenv(\"HOMEDRIVE\");\n-\tif (!drive) drive = \"\";\n^\n \treturn text(drive);\n }\n",
        "path: src/a.cc\n Handle* Cache::Lookup(const Slice& key) {\n   Handle* e = table_.Lookup(key);\n-  if (e != nullptr) {\n^\n-    Ref(e);\n-  }\n+  Ref(e);\n   return e;\n }\n",
        "path: src/a.py\n def load(id):\n     query = find(id)\n-    if query.source:\n^\n-        result = run(query.last)\n-        return result.data\n-    else:\n-        raise Detached(id)\n+    result = run(query.last)\n+    return result.data\n",
        "path: src/a.py\n def size(node):\n-    return node.child.size if node.child is not None else 0\n^\n+    return node.child.size\n",
    ],
    negative: &[
        "path: src/a.py\n-try:\n-    import contextvars\n-except ImportError:\n-    contextvars = None\n+import contextvars\n \n \n def run(func):\n-    if contextvars is not None:\n-        call = contextvars.copy_context().run\n-    else:\n-        call = plain\n+    call = contextvars.copy_context().run\n     return call(func)\n",
        "path: src/a.js\n function label(user) {\n-  if (user.address !== null && user.address.city) {\n+  if (user.address !== undefined && user.address.city) {\n     return user.name;\n   }\n",
        "path: src/A.java\n@@ void close() {\n-        if (stream != null) {\n-            stream.close();\n-        }\n+        if (isOpen()) {\n+            stream.close();\n+        }\n",
        "path: src/a.ts\n-  const result = this.parser?.info\n+  const result = this.reader?.info\n   done(result)\n",
        "path: src/a.py\n def show(session, id):\n     item = session.get(Item, id)\n-    if not item:\n+    if item is None:\n         raise NotFound(id)\n     return item.text\n",
        "path: src/a.cc\n Handle* Cache::Lookup(const Slice& key) {\n   Handle* e = table_.Lookup(key);\n-  if (e != nullptr) {\n-    Ref(e);\n-  }\n+  if (e == nullptr) return nullptr;\n+  Ref(e);\n   return e;\n }\n",
        "path: src/a.ts\n   const result = parser.info\n-  done(result)\n+  finish(result)\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    clauses(context, sink);
    conditions(context, sink);
    guards(context, sink);
    for (link, name) in context.lost_safe_links() {
        let summary = format!(
            "`{link}{}` became `.{}`, which fails if the receiver is null.",
            name.text(),
            name.text()
        );
        sink.report(name, summary);
    }
}

/// `x != null && x.ready` that became `x.ready`.
fn clauses(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.lost_clauses() {
        let Some(value) = lost
            .opened()
            .filter(|_| context.mostly_takes_away(lost.chain))
        else {
            continue;
        };
        let (clause, value) = (quote(lost.clause.text()), quote(value.text()));
        let summary = format!("The check `{clause}` was dropped, but `{value}` is still used.");
        if lost.left.touches_change() {
            sink.report(lost.left, summary);
        } else {
            sink.report(lost.clause, summary);
        }
    }
}

/// `if (x == null) { return; }` that was removed, where `x` comes from a call in sight.
fn guards(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.lost_null_guards() {
        let Some(call) = lost.source.and_then(Node::call) else {
            continue;
        };
        let (value, callee) = (quote(lost.value.text()), quote(call.callee));
        let summary = format!(
            "The case that `{callee}` gives nothing is no longer handled, and `{value}` is used below."
        );
        sink.report(lost.old, summary).priority(Priority::P1);
    }
}

/// Whether the change takes away the assignment that made a value null: with it went the case that the check was for.
fn is_never_null_now(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let makes_null = |node: &Node<'_>| {
        let set = node.assignment();
        set.is_some_and(|set| set.target.text() == value.text() && set.value.is_null())
    };
    context
        .old
        .nodes()
        .any(|node| node.touches_change() && makes_null(&node))
        && !context.new.nodes().any(|node| makes_null(&node))
}

/// `if (x != null) { x.go(); }` that became `x.go();`.
fn conditions(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.unwrapped() {
        let condition = quote(lost.condition.text());
        if lost
            .opened()
            .is_some_and(|value| is_never_null_now(context, value))
        {
            continue;
        }
        if let Some(value) = lost.opened() {
            let value = quote(value.text());
            let summary = format!(
                "The check `{condition}` was removed around code that still uses `{value}`."
            );
            sink.report(lost.whole, summary);
        } else if let Some((value, call)) = context.passed_on(&lost) {
            let summary = format!(
                "The check `{condition}` was removed: where `{call}` gives nothing, `{value}` is passed on as null."
            );
            sink.report(lost.whole, summary).priority(Priority::P1);
        } else if let Some(exit) = lost.refused_otherwise() {
            let exit = quote(exit.text().lines().next().unwrap_or_default());
            let summary = format!(
                "The check `{condition}` was removed, and with it `{exit}` for the other case."
            );
            sink.report(lost.whole, summary);
        }
    }
}
