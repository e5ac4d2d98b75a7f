//! Code that ran under a lock and no longer does, or a lock that is now held while the code waits.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::{has_word, locks};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-scope-lost",
    languages: &[],
    title: "Code moved out of its lock",
    why: "The code read or changed shared state while it held a lock. The lock is gone, or is taken only after the code, so \
          two threads can be in it at the same time: updates get lost, and a collection can break. A lock that is taken earlier and \
          held over an `await` makes all others wait for that call.",
    fix: "Take the lock before the first access to the shared state, and release it before waiting for something slow.",
    references: &["CWE-362"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.kt
 fun add(text: String) {
-        synchronized(last) {
^
-            last.add(text)
-            last.trim()
-        }
+        last.add(text)
+        last.trim()
 }
"#,
        r#"
path: src/a.py
 class Store:
     def add(self, item):
-        with self._lock:
^
-            self.items.append(item)
-            self.count += 1
+        self.items.append(item)
+        self.count += 1
"#,
        r#"
path: src/a.go
 func (p *Pool) CheckIn(id string) {
-	p.lock.Lock()
-
 	lock, has := p.pool[id]
^
+
+	p.lock.Lock()
 	if !has {
 		lock = &sync.Mutex{}
 		p.pool[id] = lock
 	}
 	p.lock.Unlock()
 }
"#,
        r#"
path: src/a.rb
 def add(item)
-  @mutex.synchronize do
^
-    @items << item
-    @count += 1
-  end
+  @items << item
+  @count += 1
 end
"#,
        r#"
path: src/a.rs
 async fn token() -> Result<String> {
     drop(read);
+    let mut token = TOKEN.write().await;
^
     let answer = client.post(url).send().await?;
     let text = answer.text().await?;
-    let mut token = TOKEN.write().await;
     token.text = text;
     Ok(token.text.clone())
 }
"#,
        r#"
path: src/a.cc
 void Store::Add(int item) {
-  std::lock_guard<std::mutex> hold(mutex_);
^
   items_.push_back(item);
   count_ += 1;
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.kt
 fun add(text: String) {
         synchronized(last) {
             last.add(text)
-            if (last.size > 100) {
-                last.removeFirst()
-            }
+            while (last.size > 100) last.removeFirst()
         }
 }
"#,
        r#"
path: src/a.py
 class Store:
     def add(self, item):
-        with self._lock:
-            self.items.append(item)
-            self.count += 1
+        with self.mutex:
+            self.items.append(item)
+            self.count += 1
"#,
        r#"
path: src/a.go
 func (p *Pool) CheckIn(id string) {
-	p.lock.Lock()
 	name := clean(id)
+	p.lock.Lock()
 	p.pool[name] = true
 	p.lock.Unlock()
 }
"#,
        r#"
path: src/a.py
 class Store:
     def add(self, path):
-        with open(path) as file:
-            self.items.append(file.read())
-            self.count += 1
+        self.items.append(path.read_text())
+        self.count += 1
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable())
    {
        if let Some((word, body)) = held(old) {
            block(context, old, word, body, sink);
        } else if old.is_statement() {
            moved(context, old, sink);
            guard_object(context, old, sink);
        }
    }
}

/// A block that holds a lock: its keyword and its body.
fn held(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    if node.is(&["with_statement"]) {
        let body = node.field("body")?;
        let item = node.descendants().find(|inner| inner.is(&["with_item"]))?;
        let is_lock = item.names().any(|name| is_lock_name(name.text())) && item.text().len() < 80;
        let word = node.leaves().find(|leaf| leaf.text() == "with")?;
        return is_lock.then_some((word, body));
    }
    let call = node.call().filter(|call| {
        matches!(
            call.name,
            "synchronized" | "withLock" | "synchronize" | "with_lock"
        )
    })?;
    let body = node.descendants().find(|inner| {
        inner.has_role(Role::Lambda) || inner.is(&["lambda_literal", "do_block", "block"])
    })?;
    let word = node
        .leaves()
        .filter(|leaf| leaf.text() == call.name)
        .last()?;
    Some((word, body))
}

fn is_lock_name(name: &str) -> bool {
    has_word(name, &["lock", "rlock", "mutex", "semaphore", "mu"])
}

/// Whether a lock was added.
fn adds_lock(context: &ChangeContext<'_>) -> bool {
    context.added_tokens().any(|leaf| {
        is_lock_name(leaf.text())
            || locks(leaf.text())
            || matches!(leaf.text(), "atomic" | "Atomic" | "withLock")
    })
}

fn block<'a>(
    context: &ChangeContext<'a>,
    old: Node<'a>,
    word: Node<'a>,
    body: Node<'a>,
    sink: &mut Sink<'_>,
) {
    let stays = context.similarity_to_new(body) >= 60 && context.new_of(word).is_none();
    if stays
        && !adds_lock(context)
        && !context.is_in_removed_function(old)
        && context.mostly_takes_away(old)
    {
        let first = body
            .descendants()
            .find(|node| node.is_statement())
            .map_or("", Node::text);
        let first = first.lines().next().unwrap_or_default();
        let head = quote(old.text().lines().next().unwrap_or_default());
        sink.report(
            old,
            format!(
                "`{head}` was removed: `{}` now runs without the lock.",
                quote(first)
            ),
        );
    }
}

/// Removed guard objects: `std::lock_guard hold(mutex);` and `let _guard = mutex.lock();`.
fn guard_object<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) {
    const GUARDS: &[&str] = &[
        "lock_guard", "unique_lock", "scoped_lock", "shared_lock", "MutexLock", "MutexGuard",
        "QMutexLocker", "AutoLock",
    ];
    let is_declared =
        old.is(&["declaration"]) && old.leaves().any(|leaf| GUARDS.contains(&leaf.text()));
    let is_rust = old.is(&["let_declaration"])
        && old.assignment().is_some_and(|set| {
            set.target.text().starts_with('_')
                && set
                    .value
                    .all(Role::Call)
                    .any(|call| call.call().is_some_and(|call| call.name == "lock"))
        });
    if !(is_declared || is_rust) || !context.is_gone(old) || context.inserted_in_block(old) > 0 {
        return;
    }
    let rest = old
        .following()
        .any(|below| context.similarity_to_new(below) >= 60);
    if rest
        && !adds_lock(context)
        && context.mostly_takes_away(old)
        && !context.is_in_removed_function(old)
    {
        sink.report(
            old,
            format!(
                "`{}` was removed: the code below now runs without the lock.",
                quote(old.text())
            ),
        );
    }
}

/// A statement that acquires a lock and has moved within its block.
fn moved<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    let takes = old.all(Role::Call).find(|call| {
        call.call().is_some_and(|own| {
            let by_name = matches!(
                own.name,
                "Lock"
                    | "RLock"
                    | "lock"
                    | "acquire"
                    | "pthread_mutex_lock"
                    | "mutex_lock"
                    | "spin_lock"
            );
            let awaited = matches!(own.name, "write" | "read")
                && call
                    .parent()
                    .is_some_and(|around| around.has_role(Role::Await));
            by_name || awaited
        })
    })?;
    if !old.is_all_changed()
        || old.has_role(Role::If)
        || old.text().len() > 120
        || !context.reappears(old)
    {
        return None;
    }
    let same = |node: &Node<'a>| {
        node.is_statement() && node.is_all_changed() && node.is_usable() && node.says_same(old)
    };
    let mut all = context.new.nodes().filter(same);
    let now = all.next()?;
    let only = all.next().is_none();
    // The new position of the statements after the old position.
    let following: Vec<Node<'a>> = old.following().take(12).collect();
    let place = |old: Node<'a>| {
        old.leaves()
            .find_map(|leaf| context.new_of(leaf))
            .map(Node::statement)
    };
    let below = following
        .iter()
        .copied()
        .filter_map(|old| place(old).map(|now| (old, now)));
    let own = takes
        .call()?
        .receiver
        .map(|receiver| receiver.names().next().map_or("", Node::text));
    let protected: Vec<&str> = now
        .following()
        .take(12)
        .flat_map(Node::names)
        .map(Node::text)
        .collect();
    let mut outside =
        below.filter(|(_, place)| place.index() < now.index() && place.parent() == now.parent());
    let root = own.filter(|root| !root.is_empty());
    if let Some((_, first)) = outside.find(|(_, place)| is_shared(*place, root, &protected)) {
        if only {
            let lock = quote(now.text());
            sink.report(
                first,
                format!(
                    "`{}` ran under the lock and now runs before `{lock}`.",
                    quote(first.text())
                ),
            );
        }
        return Some(());
    }
    // If it is acquired earlier: the code that now waits under the lock.
    let above: Vec<Node<'a>> = old.preceding().take(12).collect();
    let mut waits = above
        .iter()
        .copied()
        .filter_map(place)
        .filter(|place| place.index() > now.index() && place.parent() == now.parent());
    let is_wait = |node: &Node<'a>| node.all(Role::Await).next().is_some();
    let first = waits.rfind(is_wait)?;
    let awaited = first.all(Role::Await).next()?;
    if only {
        sink.report(
            now,
            format!(
                "The lock `{}` is now held over `{}`.",
                quote(takes.call()?.callee),
                quote(awaited.text())
            ),
        );
    }
    Some(())
}

/// Whether a statement accesses the state that the lock protects: it goes through the owner of the lock, and the values
/// that it sets or reads are used after the lock.
fn is_shared(statement: Node<'_>, root: Option<&str>, protected: &[&str]) -> bool {
    let names: Vec<&str> = statement.names().map(Node::text).collect();
    let uses_owner = root.is_none_or(|root| names.contains(&root));
    let members = statement
        .all(Role::Member)
        .map(Node::last_name)
        .any(|member| protected.contains(&member));
    uses_owner && (members || root.is_none() && names.iter().any(|name| protected.contains(name)))
}
