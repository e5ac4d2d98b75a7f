//! A guard of a blocking lock that is alive while a task waits.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

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
    check: Check::Node { on: On::Kinds(&["let_declaration"]), run },
    positive: &[
        "+async fn push(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {\n+    let mut guard = state.lock().unwrap();\n+    guard.push(1);\n+    tx.send(1).await.unwrap();\n^\n+    guard.push(2);\n+}\n",
        "@@ async fn total(&self) -> u64 {\n         let rows = self.rows.read().expect(\"poisoned\");\n+        let price = self.price(rows.len()).await;\n^\n         price * 2\n",
    ],
    negative: &[
        "+async fn push(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {\n+    let mut guard = state.lock().unwrap();\n+    guard.push(1);\n+    drop(guard);\n+    tx.send(1).await.unwrap();\n+}\n",
        "+async fn push(state: Arc<tokio::sync::Mutex<Vec<u8>>>, tx: Sender<u8>) {\n+    let mut guard = state.lock().await;\n+    guard.push(1);\n+    tx.send(1).await.unwrap();\n+}\n+async fn size(state: Arc<Mutex<Vec<u8>>>, tx: Sender<u8>) {\n+    let size = state.lock().unwrap().len();\n+    tx.send(size).await.unwrap();\n+}\n+fn later(state: Arc<Mutex<u8>>) {\n+    let guard = state.lock().unwrap();\n+    spawn(async move { tick().await; });\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(value)) = (node.field("pattern"), node.field("value")) else { return };
    if !takes_lock(value) || name.text() == "_" {
        return;
    }
    let name = name.last_name();
    let mut next = node.next();
    while let Some(statement) = next {
        if ends(statement, name) {
            return;
        }
        let waits = |part: &Node<'_>| part.is(&["await_expression"]) && !is_in_other_task(*part, statement);
        if let Some(waiting) = std::iter::once(statement).chain(statement.descendants()).find(waits) {
            if node.touches_change() || waiting.touches_change() {
                let at = if waiting.touches_change() { waiting } else { node };
                sink.report(at, format!("The guard `{}` still holds its lock while the task waits.", quote(name)));
            }
            return;
        }
        next = statement.next();
    }
}

/// `lock().unwrap()` and `read().unwrap()`: an async lock is awaited, and a blocking one yields a result.
fn takes_lock(value: Node<'_>) -> bool {
    let Some(unwrapped) = value.call().filter(|call| matches!(call.name, "unwrap" | "expect")) else { return false };
    let taken = unwrapped.receiver.and_then(Node::call);
    taken.is_some_and(|call| matches!(call.name, "lock" | "read" | "write") && call.arguments.is_empty())
}

/// Whether a statement drops the guard or hands it over.
fn ends(statement: Node<'_>, guard: &str) -> bool {
    let is_guard = |argument: &Node<'_>| argument.text() == guard;
    let moves = |call: Node<'_>| call.call().is_some_and(|call| call.arguments.iter().any(is_guard));
    statement.all(Role::Call).any(moves) || (statement.has_role(Role::Call) && moves(statement))
}

fn is_in_other_task(waiting: Node<'_>, limit: Node<'_>) -> bool {
    let around = waiting.ancestors().take_while(|around| around.index() >= limit.index());
    around.into_iter().any(|around| around.is(&["async_block", "closure_expression", "function_item"]))
}
