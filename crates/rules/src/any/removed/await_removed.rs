//! An `await` that was removed from a call that is still there.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/await-removed",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Python", "C#", "Rust", "C++", "Kotlin",
    ],
    title: "Await removed",
    why: "The result was awaited and no longer is. The following code works on a promise or runs before the call is \
          done, a condition on the promise is always true, and an error in the call is lost.",
    fix: "Await the call, or pass the promise on deliberately.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
 async function save(doc) {
-  await store.put(doc);
+  store.put(doc);
^
   done();
 }
"#,
        r#"
path: src/a.py
 async def close(self):
-    await self.pool.close()
+    self.pool.close()
^
"#,
        r#"
path: src/a.rs
 async fn go(c: Client) {
-    c.send().await;
+    c.send();
^
 }
"#,
        r#"
path: src/a.ts
 async function login(name: string, password: string) {
-  const match = await bcrypt.compare(password, hash);
+  const match = bcrypt.compare(password, hash);
^
   if (match) {
     enter();
   }
 }
"#,
        r#"
path: src/a.py
 async def start_app() -> None:
-    await connect(app, settings)
+    asyncio.create_task(connect(app, settings))
^
"#,
        r#"
path: src/A.cs
 class A {
     public async Task Save(Order order)
     {
-        await store.PutAsync(order);
+        store.PutAsync(order);
^
         Done();
     }
 }
"#,
        r#"
path: src/a.js
 async function all(list) {
-  await Promise.all(list.map(async (item) => { await store.put(item); }));
+  list.map(async (item) => { await store.put(item); });
^
   done();
 }
"#,
        r#"
path: src/a.kt
 suspend fun total(job: Deferred<Int>, other: Int): Int {
-    show(job.await(), other)
+    show(job, other)
^
     return other
 }
"#,
        r#"
path: src/a.cpp
 task<void> save(Store& store, Document document) {
-    co_await store.put(document);
+    store.put(document);
^
     done();
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.js
-async function save(doc) {
-  await store.put(doc);
+function save(doc) {
+  store.put(doc);
   done();
 }
"#,
        r#"
path: src/a.js
 async function save(doc) {
-  const x = await store.put(doc);
-  return x;
+  return store.put(doc);
 }
"#,
        r#"
path: src/a.js
 async function save(doc) {
-  await store.put(doc);
+  store.putSync(doc);
   done();
 }
"#,
        r#"
path: src/a.ts
 async function save(a: Doc, b: Doc) {
-  await store.put(a);
-  await store.put(b);
+  const first = store.put(a);
+  const second = store.put(b);
+  await Promise.all([first, second]);
 }
"#,
        r#"
path: src/a.py
 async def start_app() -> None:
-    await connect(app, settings)
+    await asyncio.gather(connect(app, settings))
"#,
        r#"
path: src/a.py
 async def start_app() -> None:
-    await connect(app, settings)
+    app.state.task = asyncio.create_task(connect(app, settings))
"#,
        r#"
path: src/a.ts
 async function save(doc: Doc) {
-  await store.put(doc);
+  void store.put(doc);
 }
"#,
        r#"
path: src/A.cs
 async Task Save(Document document)
 {
-    await store.Put(document);
+    await store.Put(document, token);
 }
"#,
        r#"
path: src/a.rs
 async fn save(store: &Store, document: Document) {
-    store.put(document).await;
+    store.put(document).await.unwrap();
 }
"#,
        r#"
path: src/a.cpp
 task<void> save(Store& store, Document document) {
-    co_await store.put(document);
+    co_await store.put(document, token);
     done();
 }
"#,
        r#"
path: src/a.kt
 suspend fun load() {
-    val rows = async { fetch() }.await()
+    val rows = fetch()
     show(rows)
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    if async_is_gone(context) {
        return;
    }
    let lost: Vec<(Node<'_>, Node<'_>)> = awaited(context)
        .filter(|(old, _)| is_lost(context, *old))
        .collect();
    // If several were removed, the called function is probably no longer asynchronous.
    if lost.len() > 2 {
        return;
    }
    for (old, value) in lost {
        let Some(now) = still_there(context, value) else {
            continue;
        };
        if started(now).is_some() || !is_passed_on(context, now) {
            report(old, now, sink);
        }
    }
}

/// The `await` and its operand: `await x`, and Kotlin's `x.await()`.
fn awaited<'a>(context: &ChangeContext<'a>) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
    let is_kotlin = context.file.language == "Kotlin";
    let touched = context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable());
    touched.filter_map(move |node| {
        if node.has_role(Role::Await) {
            return Some((node, node.named_children().next()?));
        }
        let call = node
            .call()
            .filter(|call| is_kotlin && matches!(call.name, "await" | "awaitAll"))?;
        Some((node, call.receiver?))
    })
}

fn is_lost(context: &ChangeContext<'_>, old: Node<'_>) -> bool {
    const WORDS: &[&str] = &["await", "co_await", "awaitAll"];
    let word = if old.has_role(Role::Call) {
        old.leaves()
            .filter(|leaf| WORDS.contains(&leaf.text()))
            .last()
    } else {
        old.children().find(|leaf| WORDS.contains(&leaf.text()))
    };
    word.is_some_and(|word| context.new_of(word).is_none())
}

/// The value in the new tree; for `Promise.all(x)`, its content.
fn still_there<'a>(context: &ChangeContext<'a>, value: Node<'a>) -> Option<Node<'a>> {
    let stays = |value: Node<'a>| {
        let now = context
            .cover(value)
            .filter(|now| now.is_usable() && now.touches_change())?;
        (context.similarity_to_new(value) == 100 && context.inserted(now).next().is_none())
            .then_some(now)
    };
    stays(value).or_else(|| {
        let call = value
            .call()
            .filter(|call| matches!(call.name, "all" | "allSettled" | "gather" | "WhenAll"))?;
        let name = value.leaves().find(|leaf| leaf.text() == call.name)?;
        call.arguments
            .first()
            .copied()
            .filter(|_| context.new_of(name).is_none())
            .and_then(stays)
    })
}

/// The call that starts it as a separate task, if nothing keeps that task.
fn started(now: Node<'_>) -> Option<&str> {
    let call = now.ancestors().find(|node| node.has_role(Role::Call))?;
    let name = call.call()?.name;
    let is_alone = call
        .parent()
        .is_some_and(|around| around.is(&["expression_statement"]));
    (matches!(name, "create_task" | "ensure_future") && is_alone).then_some(name)
}

/// Whether the promise is passed on, or awaited later.
fn is_passed_on(context: &ChangeContext<'_>, now: Node<'_>) -> bool {
    let within = || {
        std::iter::once(now)
            .chain(now.ancestors())
            .take_while(|node| !node.is_statement())
    };
    let statement = now.statement();
    let passes_on = within().chain([statement]).any(|node| {
        node.has_role(Role::Return)
            || node.has_role(Role::Await)
            || node.has_role(Role::Lambda) && !now.has_role(Role::Lambda)
            || node.is(&["unary_expression"]) && node.text().starts_with("void")
    });
    let combined = within().filter(|node| *node != now).any(|node| {
        node.call()
            .is_some_and(|call| context.similarity_to_old(node) < 100 || call.arguments.len() > 5)
    });
    let name = within()
        .chain([statement])
        .find_map(|node| node.assignment())
        .map(|set| set.target.text());
    let is_last_value =
        context.file.language == "Rust" && !statement.text().ends_with(';') && statement == now;
    passes_on
        || combined
        || is_last_value
        || name.is_some_and(|name| is_awaited_below(context, now, name))
}

/// Whether a name is awaited, returned or passed to a call that waits for several.
fn is_awaited_below(context: &ChangeContext<'_>, now: Node<'_>, name: &str) -> bool {
    const WAITS: &[&str] = &[
        "all", "allSettled", "race", "any", "gather", "wait", "wait_for", "WhenAll", "WhenAny",
        "join", "join_all", "try_join", "select", "then", "catch", "finally", "awaitAll", "await",
        "push", "append", "shield", "as_completed",
    ];
    let below = context
        .new
        .nodes()
        .filter(|node| node.index() > now.index());
    let waits = |node: &Node<'_>| {
        node.has_role(Role::Await)
            || node.has_role(Role::Return)
            || node.call().is_some_and(|call| WAITS.contains(&call.name))
    };
    below
        .filter(waits)
        .any(|node| node.names().any(|inner| inner.text() == name))
}

fn report(old: Node<'_>, now: Node<'_>, sink: &mut Sink<'_>) {
    let shown = quote(now.text());
    let summary = match started(now) {
        Some(start) => {
            format!(
                "`{shown}` was awaited; `{start}` now starts it as a task that nothing keeps or awaits."
            )
        }
        None => format!("`{shown}` is no longer awaited."),
    };
    let is_condition = now
        .ancestors()
        .take(4)
        .filter_map(Node::condition)
        .any(|condition| now.is_inside(condition));
    let found = sink.report(now, summary);
    // A promise is always truthy.
    if is_condition && old.has_role(Role::Await) {
        found.priority(Priority::P1);
    }
}

/// Whether the function is no longer asynchronous.
fn async_is_gone(context: &ChangeContext<'_>) -> bool {
    let mut words = context.old.nodes().filter(|node| {
        node.is_leaf() && node.touches_change() && matches!(node.text(), "async" | "suspend")
    });
    words.any(|leaf| context.new_of(leaf).is_none())
}
