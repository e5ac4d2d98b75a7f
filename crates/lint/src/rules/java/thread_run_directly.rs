//! The work of a thread run in the thread that wanted to start it.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::type_of;

pub(crate) const RULE: Rule = Rule {
    id: "java/thread-run-directly",
    languages: &["Java"],
    title: "Thread run or stopped by the wrong method",
    why: "run does the work in the thread that calls it, and no new thread is started. stop, suspend and resume halt a thread at any point, with its locks held and its data \
          half written; since Java 20 they only throw.",
    fix: "Call start; end a thread by interrupt and let it leave its loop.",
    priority: Priority::P1,
    category: Category::Concurrency,
    confidence: 0.93,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["method_invocation"]), run },
    fires: &[
        "@@ void go(Runnable work) {\n-        new Thread(work).start();\n+        new Thread(work).run();\n^\n     }\n",
        "+    void go(Thread worker) {\n+        worker.run();\n^\n+        worker.stop();\n^\n+    }\n",
    ],
    quiet: &[
        "+    void go(Thread worker, Runnable work, Player player) {\n+        worker.start();\n+        work.run();\n+        player.stop();\n+    }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.arguments.is_empty()) else { return };
    if !matches!(call.name, "run" | "stop" | "suspend" | "resume") {
        return;
    }
    let Some(receiver) = call.receiver.map(Node::unparenthesised) else { return };
    let is_current = receiver.call().is_some_and(|call| call.callee == "Thread.currentThread");
    if !is_current && type_of(receiver).is_none_or(|kind| kind != "Thread") {
        return;
    }
    if call.name == "run" {
        sink.report(node, format!("`{}` does the work in this thread: no new one is started.", quote(node.text())));
    } else {
        sink.report(node, format!("`{}` halts the thread wherever it is, with its locks held.", quote(node.text())))
            .priority(Priority::P2);
    }
}
