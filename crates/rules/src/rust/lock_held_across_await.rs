//! A guard of a blocking lock that is alive across an `await`.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "rust/lock-held-across-await",
    languages: &["Rust"],
    title: "Blocking lock held across an await",
    why: "The task keeps the lock while it waits. Another task on the same thread that wants the lock blocks the whole \
          thread, and the first one can never continue: a deadlock. Such a future is not `Send` either.",
    fix: "Drop the guard before the await, limit it to a block of its own, or use an async lock.",
    references: &["CWE-667"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["let_declaration", "await_expression"]),
        run,
    },
    positive: &[
        r#"
+async fn push(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {
+    let mut guard = state.lock().unwrap();
+    guard.push(1);
+    tx.send(1).await.unwrap();
^
+    guard.push(2);
+}
"#,
        r#"
@@ async fn total(&self) -> u64 {
         let rows = self.rows.read().expect("poisoned");
+        let price = self.price(rows.len()).await;
^
         price * 2
"#,
    ],
    negative: &[
        r#"
+async fn push(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {
+    let mut guard = state.lock().unwrap();
+    guard.push(1);
+    drop(guard);
+    tx.send(1).await.unwrap();
+}
"#,
        r#"
+async fn push(state: Arc<tokio::sync::Mutex<Vec<u8>>>, tx: Sender<u8>) {
+    let mut guard = state.lock().await;
+    guard.push(1);
+    tx.send(1).await.unwrap();
+}
+async fn size(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {
+    let size = state.lock().unwrap().len();
+    tx.send(size).await.unwrap();
+}
+fn later(state: Arc<Mutex<u8>>) {
+    let guard = state.lock().unwrap();
+    spawn(async move { tick().await; });
+}
"#,
    ],
};

/// Maximum number of statements before an `await` that are examined.
const MOST: usize = 60;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["let_declaration"]) {
        return before_await(node, sink);
    }
    let mut dropped: Vec<&str> = Vec::new();
    let mut looked_at = 0;
    let own = std::iter::once(node)
        .chain(node.ancestors())
        .take_while(|around| !is_task(*around));
    for around in own {
        let mut before = around.previous();
        while let Some(statement) = before.filter(|_| looked_at < MOST) {
            looked_at += 1;
            dropped.extend(passed_names(statement));
            if let Some(guard) = guard(statement).filter(|guard| !dropped.contains(guard)) {
                return report(node, guard, sink);
            }
            before = statement.previous();
        }
    }
}

/// Reports a guard that is acquired on a new line, above an existing `await`.
fn before_await(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(guard) = guard(node) else { return };
    let mut next = node.next();
    for _ in 0..MOST {
        let Some(statement) = next.filter(|statement| !passed_names(*statement).contains(&guard))
        else {
            return;
        };
        let waits =
            |part: &Node<'_>| part.is(&["await_expression"]) && !is_in_other_task(*part, statement);
        if let Some(waiting) = std::iter::once(statement)
            .chain(statement.descendants())
            .find(waits)
        {
            if !waiting.touches_change() {
                report(node, guard, sink);
            }
            return;
        }
        next = statement.next();
    }
}

fn report(at: Node<'_>, guard: &str, sink: &mut Sink<'_>) {
    sink.report(
        at,
        format!(
            "The guard `{}` still holds its lock while the task waits.",
            quote(guard)
        ),
    );
}

/// The name of the guard that a declaration acquires.
fn guard(declaration: Node<'_>) -> Option<&str> {
    let (name, value) = (declaration.field("pattern")?, declaration.field("value")?);
    let takes = declaration.is(&["let_declaration"]) && takes_lock(value) && name.text() != "_";
    takes.then(|| name.last_name())
}

/// `lock().unwrap()` and `read().unwrap()`: an async lock is awaited, whereas a blocking lock returns a result.
fn takes_lock(value: Node<'_>) -> bool {
    let Some(unwrapped) = value
        .call()
        .filter(|call| matches!(call.name, "unwrap" | "expect" | "unwrap_or_else"))
    else {
        return false;
    };
    let taken = unwrapped.receiver.and_then(Node::call);
    taken.is_some_and(|call| {
        matches!(call.name, "lock" | "read" | "write") && call.arguments.is_empty()
    })
}

/// The names that are passed to the calls of a statement: `drop(guard)`.
fn passed_names(statement: Node<'_>) -> Vec<&str> {
    let calls = std::iter::once(statement)
        .chain(statement.descendants())
        .filter_map(Node::call);
    calls
        .flat_map(|call| call.arguments)
        .filter(|argument| argument.has_role(Role::Name))
        .map(Node::text)
        .collect()
}

fn is_in_other_task(waiting: Node<'_>, limit: Node<'_>) -> bool {
    waiting
        .ancestors()
        .take_while(|around| around.index() >= limit.index())
        .any(is_task)
}

/// Whether it runs as a separate task, where the enclosing locks are not held.
fn is_task(node: Node<'_>) -> bool {
    node.is(&["async_block", "closure_expression", "function_item"])
}
