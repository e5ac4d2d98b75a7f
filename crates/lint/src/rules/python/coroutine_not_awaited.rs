//! A call of a coroutine function of the same file, as a statement without `await`.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::names::python_function;
use crate::tree::Node;

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
        "path: src/a.py\n route = Router()\n \n \n+async def ping() -> bool:\n+    return await probe()\n+\n+\n async def health() -> bool:\n+    ping()\n^\n     return True\n",
        "path: src/a.py\n class Pool:\n     async def drain(self):\n         await self.queue.join()\n \n     async def close(self):\n+        self.drain()\n^\n         self.open = False\n",
        " async def ping():\n     return True\n \n async def check():\n+    ping()\n^\n     return True\n",
        "+class Door:\n+    async def close(self):\n+        await self.lock()\n+\n+    async def leave(self):\n+        self.close()\n^\n",
    ],
    negative: &[
        "path: src/a.py\n+async def ping() -> bool:\n+    return await probe()\n+\n+\n async def health() -> bool:\n+    await ping()\n+    task = ping()\n     return await task\n",
        "path: src/a.py\n def ping() -> bool:\n     return probe()\n \n \n async def health() -> bool:\n+    ping()\n     return True\n",
        "path: src/a.py\n class Pool:\n     async def drain(self):\n         await self.queue.join()\n \n class Other:\n     def close(self):\n+        self.drain()\n         self.open = False\n",
        " async def ping():\n     return True\n \n async def check():\n+    await ping()\n+    task = ping()\n+    start(ping())\n     return task\n",
        " def ping():\n     return True\n \n async def check():\n+    ping()\n     return True\n",
        " @task\n async def ping():\n     return True\n \n def check():\n+    ping()\n     return True\n",
        "+class Door:\n+    async def close(self):\n+        await self.lock()\n+\n+class Gate:\n+    def leave(self):\n+        self.close()\n",
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
    // A decorator may make something else of it.
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

/// The only method of that name in the class around, if the class is shown and nothing else in sight has that name.
fn method<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let class = node
        .ancestors()
        .find(|around| around.is(&["class_definition"]))?;
    let only = crate::semantics::names::only_function(node, name)?;
    (only.is_inside(class) && only.is_usable()).then_some(only)
}
