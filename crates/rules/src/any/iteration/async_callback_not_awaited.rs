//! An asynchronous callback of `forEach` with promises that are never awaited.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/async-callback-not-awaited",
    languages: &["JavaScript", "TypeScript", "TSX", "C#"],
    title: "Asynchronous callback is not awaited",
    why: "`forEach` ignores what its callback returns. The code after it runs before the work of the callbacks is done, \
          and an error in one of them is an unhandled rejection, which ends a Node.js process.",
    fix: "Use `for (const item of items) { await … }`, or `await Promise.all(items.map(async …))`.",
    references: &[
        "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/forEach",
    ],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.ts
 async function save(tags: string[]) {
+  tags.forEach(async (tag) => {
^
+    await db.tag.create({ data: { name: tag } });
+  });
   return find(tags);
 }
"#,
        r#"
path: src/a.js
 async function run(jobs) {
+  jobs.forEach(async function (job) { await job.run(); });
^
 }
"#,
        r#"
path: src/A.cs
 class A {
     async Task Save(List<Order> orders)
     {
+        orders.ForEach(async order => await store.PutAsync(order));
^
         Done();
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
 async function save(tags: string[]) {
+  await Promise.all(tags.map(async (tag) => {
+    await db.tag.create({ data: { name: tag } });
+  }));
 }
"#,
        r#"
path: src/a.ts
 function show(tags: string[]) {
+  tags.forEach((tag) => {
+    draw(tag);
+  });
 }
"#,
        r#"
path: src/a.ts
 async function save(tags: string[]) {
   tags.forEach(async (tag) => {
+    log(tag);
     await db.tag.create({ data: { name: tag } });
   });
 }
"#,
        r#"
path: src/a.js
 function watch(buttons) {
+  buttons.forEach(async (button) => {
+    try {
+      await button.load();
+    } catch (error) {
+      show(error);
+    }
+  });
 }
"#,
        r#"
path: src/A.cs
 async Task Save(List<string> tags)
 {
+    foreach (var tag in tags)
+    {
+        await store.Save(tag);
+    }
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| matches!(call.name, "forEach" | "ForEach"))
    else {
        return;
    };
    let Some(receiver) = call.receiver else {
        return;
    };
    let argument = call
        .arguments
        .first()
        .map(|first| syntax::semantics::names::handed_over(*first));
    let is_function =
        |node: &Node<'_>| node.has_role(Role::Lambda) || node.has_role(Role::Function);
    let Some(callback) = argument.filter(is_function) else {
        return;
    };
    let is_async = callback
        .children()
        .take_while(|child| !child.has_role(Role::Parameters))
        .any(|word| word.text() == "async");
    let awaits = callback.all(Role::Await).next().is_some();
    // A callback that handles its own errors, in a function that awaits nothing, can be intended.
    let catches = callback
        .all(Role::Try)
        .any(|own| own.all(Role::Catch).next().is_some());
    let head = callback.leaves().next();
    let is_new = node.leaves().next().is_some_and(Node::is_all_changed)
        && head.is_some_and(Node::is_all_changed);
    if is_async && awaits && !catches && is_new {
        sink.report(
            node,
            format!(
                "`{}.{}` does not wait for its asynchronous callback.",
                quote(receiver.text()),
                call.name
            ),
        );
    }
}
