//! Coroutines of the file that are created and dropped.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::names::python_function;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/coroutine-not-awaited",
    languages: &["Python"],
    title: "Own coroutine called but not awaited",
    why: "Calling an `async def` function executes none of its body. The work silently does not happen; at best Python \
          warns when the coroutine object is discarded.",
    fix: "Put `await` before the call, or start it as a task and keep the task.",
    references: &["https://docs.python.org/3/library/asyncio-task.html"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["expression_statement"]), run },
    positive: &[
        " async def ping():\n     return True\n \n async def check():\n+    ping()\n^\n     return True\n",
        "+class Door:\n+    async def close(self):\n+        await self.lock()\n+\n+    async def leave(self):\n+        self.close()\n^\n",
    ],
    negative: &[
        " async def ping():\n     return True\n \n async def check():\n+    await ping()\n+    task = ping()\n+    start(ping())\n     return task\n",
        " def ping():\n     return True\n \n async def check():\n+    ping()\n     return True\n",
        " @task\n async def ping():\n     return True\n \n def check():\n+    ping()\n     return True\n",
        "+class Door:\n+    async def close(self):\n+        await self.lock()\n+\n+class Gate:\n+    def leave(self):\n+        self.close()\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let only = node.named_children().next();
    let Some(call) = only.and_then(Node::call) else { return };
    let function = match call.receiver {
        None => python_function(node, call.name),
        Some(receiver) if receiver.text() == "self" => own_method(node, call.name),
        Some(_) => None,
    };
    let is_async = |function: &Node<'_>| {
        let is_decorated = function.parent().is_some_and(|around| around.is(&["decorated_definition"]));
        !is_decorated && function.children().next().is_some_and(|first| first.text() == "async")
    };
    if function.is_some_and(|function| is_async(&function)) {
        sink.report(node, format!("`{}` only creates a coroutine here; without `await` it never runs.", call.name));
    }
}

/// The only method of this name in the file, if it is one of the class around.
fn own_method<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    let method = used.only_definition(name).filter(|method| method.is_usable() && method.has_role(Role::Function))?;
    (method.enclosing(Role::Class)? == used.enclosing(Role::Class)?).then_some(method)
}
