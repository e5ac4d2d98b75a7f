//! A jump out of a `finally` block, which discards a pending exception.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/exit-in-finally",
    languages: &["Python"],
    title: "Jump out of a `finally` block",
    why: "A `finally` block also runs while an exception or a return value is on its way to the caller. Leaving the \
          block with `return`, `break` or `continue` discards both: errors disappear and the caller receives this \
          value instead.",
    fix: "Move the statement after the `try` statement; keep only cleanup in `finally`.",
    references: &["CWE-584", "https://peps.python.org/pep-0765/"],
    priority: Priority::P1,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement", "break_statement", "continue_statement"]),
        run,
    },
    positive: &[
        r#"
+def save(x):
+    try:
+        x.write()
+    finally:
+        x.close()
+        return True
^
"#,
        r#"
@@ def poll(queue):
     while True:
         try:
             handle(queue.get())
         finally:
+            continue
^
"#,
        r#"
+def load(path):
+    try:
+        return read(path)
+    except Exception:
+        log.exception(path)
+    finally:
+        return None
^
"#,
        r#"
+def load(path):
+    try:
+        return read(path)
+    except BaseException:
+        raise Unreadable(path)
+    finally:
+        return None
^
"#,
    ],
    negative: &[
        r#"
+def save(x):
+    try:
+        x.write()
+    finally:
+        x.close()
+    return True
"#,
        r#"
+try:
+    run()
+finally:
+    for x in items:
+        if x.done:
+            break
+        x.stop()
"#,
        r#"
+try:
+    run()
+finally:
+    def stop():
+        return 1
+    stop()
"#,
        r#"
+async def close(self):
+    try:
+        await self.end()
+    except BaseException:
+        self.log.exception("closing")
+    finally:
+        if not self.transport:
+            return
+        self.transport.close()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_definition =
        |around: &Node<'_>| around.is(&["function_definition", "class_definition", "lambda"]);
    let mut around = node.ancestors().take_while(|around| !is_definition(around));
    let is_loop_jump = !node.is(&["return_statement"]);
    let clause = around.find(|around| {
        around.is(&["finally_clause"])
            || is_loop_jump && around.is(&["for_statement", "while_statement"])
    });
    if clause.is_some_and(|clause| clause.is(&["finally_clause"]) && !nothing_is_pending(clause)) {
        let jump = quote(node.text());
        sink.report(
            node,
            format!(
                "`{jump}` in a `finally` block discards the pending exception or return value."
            ),
        );
    }
}

/// Whether a handler before the clause catches everything and neither raises nor returns, so that no exception is
/// pending.
fn nothing_is_pending(clause: Node<'_>) -> bool {
    let Some(whole) = clause.parent() else {
        return false;
    };
    let handlers: Vec<Node<'_>> = whole
        .named_children()
        .filter(|child| child.is(&["except_clause"]))
        .collect();
    let catches_all = |handler: &Node<'_>| {
        let head = handler.text().split(':').next().unwrap_or_default();
        let caught = head
            .trim_start_matches("except")
            .split(" as ")
            .next()
            .unwrap_or_default()
            .trim();
        caught.is_empty() || caught == "BaseException"
    };
    let leaves = |part: &Node<'_>| {
        part.descendants()
            .any(|node| node.is(&["raise_statement", "return_statement"]))
    };
    let returns = |body: Node<'_>| {
        body.descendants()
            .any(|node| node.is(&["return_statement"]))
    };
    handlers.iter().any(catches_all)
        && !handlers.iter().any(leaves)
        && !whole.field("body").is_some_and(returns)
}
