//! A lock that is not released if the code after it throws.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/lock-without-finally",
    languages: &["Java"],
    title: "Lock not released on an exception",
    why: "The lock is released by a plain statement. If the code in between throws, the lock is never released, and every \
          other thread that needs it waits forever.",
    fix: "Start a `try` block directly after `lock()`, and call `unlock()` in its `finally` block.",
    references: &[
        "CWE-667",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/locks/Lock.html",
    ],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
@@ void put(Item item) {
+        lock.lock();
^
+        items.add(item.load());
+        lock.unlock();
     }
"#,
        r#"
+void put(Item item) {
+    lock.writeLock().lock();
^
+    count = count + item.count();
+    lock.writeLock().unlock();
+}
"#,
    ],
    negative: &[
        r#"
@@ void put(Item item) {
+        lock.lock();
+        try {
+            items.add(item.load());
+        } finally {
+            lock.unlock();
+        }
     }
"#,
        r#"
+void put() {
+    lock.lock();
+    count++;
+    lock.unlock();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .named_children()
        .next()
        .and_then(Node::call)
        .filter(|call| call.name == "lock" && call.arguments.is_empty())
    else {
        return;
    };
    let Some(receiver) = call.receiver else {
        return;
    };
    let mut risky = false;
    let mut at = node;
    while let Some(next) = at.next() {
        at = next;
        let unlocks = at.is(&["expression_statement"])
            && at
                .named_children()
                .next()
                .and_then(Node::call)
                .is_some_and(|call| {
                    call.name == "unlock" && call.receiver.is_some_and(|of| of.says_same(receiver))
                });
        if unlocks {
            if risky {
                sink.report(
                    node,
                    format!(
                        "`{}` is not unlocked in a `finally` block: if the code in between throws, it stays locked.",
                        quote(receiver.text())
                    ),
                );
            }
            return;
        }
        if at.text().contains("unlock()") && at.is(&["try_statement"]) {
            return;
        }
        let inside = || std::iter::once(at).chain(at.descendants());
        // `any/lock-not-released` reports the exits.
        if inside().any(|inner| inner.has_role(Role::Return) || inner.has_role(Role::Throw)) {
            return;
        }
        risky = risky
            || inside().any(|inner| {
                inner.has_role(Role::Call) || inner.is(&["array_access", "cast_expression"])
            });
    }
}
