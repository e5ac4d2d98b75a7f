//! A handler that catches an interruption without passing it on.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/interrupt-swallowed",
    languages: &["Java"],
    title: "Swallowed InterruptedException",
    why: "Throwing `InterruptedException` clears the thread's interrupt flag. A handler that neither throws nor sets \
          the flag again hides the request to stop: the loop or pool around it continues, and the program does not \
          shut down.",
    fix: "Call `Thread.currentThread().interrupt()` in the handler, or let the exception propagate.",
    references: &[
        "CWE-391",
        "https://docs.oracle.com/javase/tutorial/essential/concurrency/interrupt.html",
    ],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["catch_clause"]),
        run,
    },
    positive: &[
        r#"
@@ void pause() {
             Thread.sleep(100);
-        } catch (IOException e) {
+        } catch (InterruptedException e) {
^
+            log.warn("interrupted", e);
+        }
"#,
        r#"
+void take() {
+    try {
+        item = queue.take();
+    } catch (InterruptedException e) {
^
+    }
+}
"#,
        r#"
+void pause() {
+    try {
+        Thread.sleep(100);
+    } catch (Exception e) {
^
+    }
+}
"#,
        r#"
+void take() {
+    try {
+        item = queue.take();
+    } catch (InterruptedException e) {
^
+        throw new IllegalStateException(e);
+    }
+}
"#,
    ],
    negative: &[
        r#"
@@ void pause() {
+        try {
+            Thread.sleep(100);
+        } catch (InterruptedException e) {
+            Thread.currentThread().interrupt();
+        }
"#,
        r#"
+void take() {
+    try {
+        item = queue.take();
+    } catch (InterruptedException e) {
+        Thread.currentThread().interrupt();
+        throw new IllegalStateException(e);
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let kind = node
        .child_of_kind(&["catch_formal_parameter"])
        .and_then(|caught| caught.child_of_kind(&["catch_type"]));
    let takes = |kind: Node<'_>| {
        kind.named_children().any(|one| {
            one.last_name() == "InterruptedException"
                || one.text().ends_with("InterruptedException")
                    && !one.text().ends_with("InterruptedIOException")
        })
    };
    // A handler for a superclass catches it too, if no earlier one does.
    let sleeps = || {
        let tried = node.parent().and_then(|tried| tried.field("body"));
        let wide = kind.is_some_and(|kind| matches!(kind.text(), "Exception" | "Throwable"));
        let alone = node
            .previous()
            .is_none_or(|before| !before.is(&["catch_clause"]));
        wide && alone && tried.is_some_and(|tried| tried.text().contains("Thread.sleep("))
    };
    let Some(kind) = kind.filter(|kind| takes(*kind) || sleeps()) else {
        return;
    };
    let Some(body) = node.field("body") else {
        return;
    };
    let name = node
        .child_of_kind(&["catch_formal_parameter"])
        .and_then(|caught| caught.field("name"))
        .map_or("", Node::text);
    let passed_on = |call: Node<'_>| {
        call.call().is_some_and(|call| {
            call.name.to_ascii_lowercase().contains("interrupt")
                || call
                    .arguments
                    .iter()
                    .any(|argument| argument.text() == name)
                    && !is_log(call.callee)
        })
    };
    let own = takes(kind);
    let throws = body
        .descendants()
        .any(|inner| inner.is(&["throw_statement"]));
    let ends = body.descendants().any(|inner| {
        inner.is(&["throw_statement"]) && (!own || passes_on(inner, name))
            || inner.is(&["method_invocation", "object_creation_expression"])
                && passed_on(inner)
                && !(own && is_thrown(inner))
            || inner.is(&["assignment_expression"]) && inner.text().contains(name)
            || inner.is(&["return_statement"]) && inner.text().contains(name)
    });
    if !ends && body.is_within_hunk() && !is_in_main(node) {
        let summary = "InterruptedException is caught here and the thread's interrupt flag stays cleared, \
                    so the request to stop is lost.";
        let found = sink.report(kind, summary);
        if throws {
            // Another exception at least ends the work, and only the flag is lost.
            found.priority(Priority::P3);
        }
    }
}

/// Whether a new exception is created only to be thrown.
fn is_thrown(node: Node<'_>) -> bool {
    node.is(&["object_creation_expression"])
        && node
            .parent()
            .is_some_and(|parent| parent.is(&["throw_statement"]))
}

/// Whether the same exception is rethrown, or another one that also reports the interruption.
fn passes_on(thrown: Node<'_>, name: &str) -> bool {
    thrown
        .named_children()
        .next()
        .is_some_and(|what| what.text() == name || what.text().contains("Interrupted"))
}

fn is_log(callee: &str) -> bool {
    let lower = callee.to_ascii_lowercase();
    ["log", "print", "debug", "warn", "error", "info", "trace"]
        .iter()
        .any(|word| lower.contains(word))
}

fn is_in_main(node: Node<'_>) -> bool {
    node.enclosing(syntax::language::Role::Function)
        .is_some_and(|function| {
            function
                .field("name")
                .is_some_and(|name| name.text() == "main")
        })
}
