//! `wait` or `notify` called without holding the lock.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/wait-without-lock",
    languages: &["Java"],
    title: "wait or notify without holding the lock",
    why: "A thread may call `wait`, `notify` and `notifyAll` only while it holds the lock of that object. Otherwise \
          they throw `IllegalMonitorStateException`, and waiting threads are never woken.",
    fix: "Call it in a `synchronized` block on the same object, or use a `Lock` with a `Condition`.",
    references: &[
        "CWE-667",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Object.html",
    ],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
+    public void wake() {
+        ready = true;
+        notifyAll();
^
+    }
"#,
        r#"
+    public void rest() throws InterruptedException {
+        gate.wait(100);
^
+    }
"#,
    ],
    negative: &[
        r#"
+    public synchronized void wake() {
+        notifyAll();
+    }
+    public void rest() throws InterruptedException {
+        synchronized (gate) {
+            gate.wait(100);
+        }
+    }
"#,
        r#"
+    private void wake() {
+        notifyAll();
+    }
+    public void tell() {
+        listener.notify(this);
+    }
"#,
        r#"
@@ void wake() {
+        notifyAll();
     }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let counts = match call.name {
        "wait" => {
            call.arguments.len() <= 2
                && call
                    .arguments
                    .iter()
                    .all(|one| !one.is(&["string_literal", "lambda_expression"]))
        }
        "notify" | "notifyAll" => call.arguments.is_empty(),
        _ => false,
    };
    // With arguments, it may be another method of the class. Object's own methods without arguments cannot be
    // overridden.
    if !counts
        || call.name == "wait"
            && call
                .arguments
                .iter()
                .any(|one| !one.is(&["decimal_integer_literal"]))
    {
        return;
    }
    let Some(function) = node
        .ancestors()
        .find(|around| around.has_role(Role::Function))
    else {
        return;
    };
    let words = function
        .child_of_kind(&["modifiers"])
        .map_or("", Node::text);
    let holds = ["synchronized", "private", "Guarded", "Holding"]
        .iter()
        .any(|word| words.contains(word));
    let inside = node
        .ancestors()
        .take_while(|around| *around != function)
        .any(|around| around.is(&["synchronized_statement"]));
    let checked = function.text().contains("holdsLock");
    if !function.is(&["method_declaration"])
        || !function.is_within_hunk()
        || holds
        || inside
        || checked
    {
        return;
    }
    sink.report(
        node,
        format!(
            "`{}` throws IllegalMonitorStateException: the thread does not hold the lock here.",
            quote(node.text())
        ),
    );
}
