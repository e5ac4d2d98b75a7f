//! A lock that is no longer acquired, while the code that it protected remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::{names, vocabulary};

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-removed",
    languages: &[],
    title: "Lock removed around protected code",
    why: "The code ran while a lock was held. The lock was removed and the code is still there, so two threads can now \
          run it at the same time.",
    fix: "Keep the lock, or document why only one thread can reach this code.",
    references: &["CWE-362", "CWE-667"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func (c *Cache) Put(k string, v int) {
-	c.mu.Lock()
^
-	defer c.mu.Unlock()
 	c.items[k] = v
 }
"#,
        r#"
path: src/A.java
@@ void put(String k) {
-        synchronized (lock) {
^
-            items.add(k);
-        }
+        items.add(k);
"#,
        r#"
path: src/B.java
 class B {
-    public synchronized void add(String k) {
+    public void add(String k) {
^
         items.add(k);
     }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func (c *Cache) Put(k string, v int) {
-	c.mu.Lock()
-	defer c.mu.Unlock()
+	c.rw.Lock()
+	defer c.rw.Unlock()
 	c.items[k] = v
 }
"#,
        r#"
path: src/A.java
@@ void put(String k) {
         synchronized (lock) {
-            items.add(k);
+            items.push(k);
         }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    calls(context, sink);
    for old in context
        .old
        .with_role(Role::Lock)
        .filter(|node| node.touches_change())
    {
        let Some(body) = old.field("body").or_else(|| old.named_children().last()) else {
            continue;
        };
        let has_new_lock = context
            .new
            .with_role(Role::Lock)
            .any(|node| node.touches_change());
        if context.similarity_to_new(body) >= 60
            && context.counterpart(old).is_none()
            && !has_new_lock
        {
            sink.report(
                old,
                "The lock around this code was removed, but the code is still there.",
            );
        }
    }
    words(context, sink);
}

/// Removed calls: `mu.Lock()`.
fn calls(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let new_lock = context.new.with_role(Role::Call).any(|node| {
        node.touches_change()
            && context.similarity_to_old(node) < 100
            && node
                .call()
                .is_some_and(|call| vocabulary::locks(call.callee))
    });
    if new_lock {
        return;
    }
    let mut locks = context
        .removed_calls()
        .into_iter()
        .filter(|old| vocabulary::locks(old.call.name));
    if let Some(old) = locks.next() {
        sink.report(
            old.statement,
            format!(
                "`{}` was removed, but the code that it protected is still there.",
                quote(old.call.callee)
            ),
        );
    }
}

/// Keywords removed from a declaration: `synchronized`, `volatile`, `atomic`.
fn words(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    const WORDS: &[&str] = &[
        "synchronized", "volatile", "_Atomic", "thread_local", "__thread",
    ];
    let lines = context.pairs();
    for (old, new) in lines {
        let has = |text: &str, word: &str| names::words(text).any(|part| part == word);
        let Some(word) = WORDS
            .iter()
            .find(|word| has(old.text, word) && !has(new.text, word))
        else {
            continue;
        };
        let is_code = !old.text.trim_start().starts_with(['*', '/', '#']);
        let shorter = old
            .text
            .split_whitespace()
            .filter(|part| part != word)
            .eq(new.text.split_whitespace());
        if is_code && shorter {
            sink.report(
                new,
                format!(
                    "`{word}` was removed: other threads may now see stale or partial changes."
                ),
            );
        }
    }
}
