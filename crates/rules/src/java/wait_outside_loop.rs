//! `wait` without a check of its condition after waking up.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::is_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/wait-outside-loop",
    languages: &["Java"],
    title: "wait outside a loop",
    why: "A waiting thread can wake up without a notification, and another thread can change the state between the \
          notification and the wake-up. Without a loop, the thread continues although its condition is false.",
    fix: "Wait in a loop: `while (!condition) lock.wait();`",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Object.html",
    ],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
+synchronized void take() throws InterruptedException {
+    if (items.isEmpty()) {
+        wait();
^
+    }
+    items.remove(0);
+}
"#,
        r#"
+class A {
+    private final Condition ready = lock.newCondition();
+    void take() throws InterruptedException {
+        ready.await();
^
+    }
+}
"#,
    ],
    negative: &[
        r#"
+synchronized void take() throws InterruptedException {
+    while (items.isEmpty()) {
+        wait();
+    }
+    items.remove(0);
+}
"#,
        r#"
+void take(Process process, CountDownLatch latch) throws InterruptedException {
+    process.waitFor();
+    latch.await();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let waits = match call.name {
        "wait" => {
            call.arguments.len() <= 2
                && call
                    .receiver
                    .is_none_or(|of| !of.text().starts_with(char::is_uppercase))
                && call
                    .arguments
                    .iter()
                    .all(|argument| !argument.has_role(Role::Text))
        }
        "await" | "awaitNanos" | "awaitUninterruptibly" | "awaitUntil" => {
            call.receiver.is_some_and(|of| is_of(of, &["Condition"]))
        }
        _ => false,
    };
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| waits && function.is_within_hunk())
    else {
        return;
    };
    let around = node.ancestors().take_while(|around| *around != function);
    let synchronised = call.name != "wait" || function.text().contains("synchronized");
    let own_wait = call.receiver.is_none()
        && node
            .enclosing(Role::Class)
            .is_some_and(|class| class.text().contains("void wait("));
    if synchronised
        && !own_wait
        && !around
            .into_iter()
            .any(|around| around.has_role(Role::Loop) || around.has_role(Role::Lambda))
    {
        sink.report(
            node,
            format!(
                "`{}` is not in a loop: after waking up, the thread does not check its condition again.",
                quote(node.text())
            ),
        );
    }
}
