//! Work of a thread that runs in the thread that should start it, or a thread that is stopped by force.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/thread-run-directly",
    languages: &["Java"],
    title: "Thread run or stopped with the wrong method",
    why: "`run` executes the work in the calling thread, and no new thread starts. `stop`, `suspend` and `resume` \
          halt a thread at any point, with its locks held or its data half written; since Java 20 they throw \
          `UnsupportedOperationException`.",
    fix: "Call `start()`; to end a thread, interrupt it and let it leave its loop.",
    references: &[
        "CWE-572",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Thread.html",
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
@@ void go(Runnable work) {
-        new Thread(work).start();
+        new Thread(work).run();
^
     }
"#,
        r#"
+    void go(Thread worker) {
+        worker.run();
^
+        worker.stop();
^
+    }
"#,
    ],
    negative: &[
        r#"
+    void go(Thread worker, Runnable work, Player player) {
+        worker.start();
+        work.run();
+        player.stop();
+    }
"#,
        r#"
@@ void go(Runnable work) {
         new Thread(work).run();
+        executor.submit(work).get();
+        Thread.ofVirtual().start(work);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.arguments.is_empty()) else {
        return;
    };
    if !matches!(call.name, "run" | "stop" | "suspend" | "resume") {
        return;
    }
    let Some(receiver) = call.receiver.map(Node::unparenthesised) else {
        return;
    };
    let is_current = receiver
        .call()
        .is_some_and(|call| call.callee == "Thread.currentThread");
    if !is_current && type_of(receiver).is_none_or(|kind| kind != "Thread") {
        return;
    }
    if call.name == "run" {
        sink.report(
            node,
            format!(
                "`{}` runs in the calling thread: no new thread starts.",
                quote(node.text())
            ),
        );
    } else {
        sink.report(
            node,
            format!(
                "`{}` is unsafe: it affects the thread at an arbitrary point, or throws.",
                quote(node.text())
            ),
        )
        .priority(Priority::P2);
    }
}
