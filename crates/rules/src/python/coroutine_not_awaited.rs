//! A call of a coroutine function of the same file, as a statement without `await`.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::names::python_function;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/coroutine-not-awaited",
    languages: &["Python"],
    title: "Coroutine called but not awaited",
    why: "Calling an `async def` function only makes a coroutine. Without `await` its body never runs, and Python warns \
          about it when the object is collected.",
    fix: "Await the call, or start it with `asyncio.create_task` and keep the task.",
    references: &["https://docs.python.org/3/library/asyncio-task.html#coroutines"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
 route = Router()
 
 
+async def ping() -> bool:
+    return await probe()
+
+
 async def health() -> bool:
+    ping()
^
     return True
"#,
        r#"
path: src/a.py
 class Pool:
     async def drain(self):
         await self.queue.join()
 
     async def close(self):
+        self.drain()
^
         self.open = False
"#,
        r#"
 async def ping():
     return True
 
 async def check():
+    ping()
^
     return True
"#,
        r#"
+class Door:
+    async def close(self):
+        await self.lock()
+
+    async def leave(self):
+        self.close()
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+async def ping() -> bool:
+    return await probe()
+
+
 async def health() -> bool:
+    await ping()
+    task = ping()
     return await task
"#,
        r#"
path: src/a.py
 def ping() -> bool:
     return probe()
 
 
 async def health() -> bool:
+    ping()
     return True
"#,
        r#"
path: src/a.py
 class Pool:
     async def drain(self):
         await self.queue.join()
 
 class Other:
     def close(self):
+        self.drain()
         self.open = False
"#,
        r#"
 async def ping():
     return True
 
 async def check():
+    await ping()
+    task = ping()
+    start(ping())
     return task
"#,
        r#"
 def ping():
     return True
 
 async def check():
+    ping()
     return True
"#,
        r#"
 @task
 async def ping():
     return True
 
 def check():
+    ping()
     return True
"#,
        r#"
+class Door:
+    async def close(self):
+        await self.lock()
+
+class Gate:
+    def leave(self):
+        self.close()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.named_children().next().and_then(Node::call) else {
        return;
    };
    let function = match call.receiver {
        None => python_function(node, call.name),
        Some(receiver) if receiver.text() == "self" => method(node, call.name),
        Some(_) => None,
    };
    let Some(function) = function.filter(|own| {
        own.children()
            .next()
            .is_some_and(|word| word.text() == "async")
    }) else {
        return;
    };
    // A decorator may change it.
    if function
        .parent()
        .is_some_and(|around| around.is(&["decorated_definition"]))
    {
        return;
    }
    let name = call.callee;
    sink.report(
        node,
        format!("`{name}` is a coroutine function: without `await` this call does nothing."),
    );
}

/// The only method with that name in the enclosing class, if the class is shown and no other visible definition has
/// that name.
fn method<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let class = node
        .ancestors()
        .find(|around| around.is(&["class_definition"]))?;
    let only = syntax::semantics::names::only_function(node, name)?;
    (only.is_inside(class) && only.is_usable()).then_some(only)
}
