//! An `await` that was removed from a call that is still there.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/await-removed",
    languages: &[],
    title: "Await removed",
    why: "The result was awaited and no longer is. The following code works on a promise or runs before the call is \
          done, and an error in the call is lost.",
    fix: "Await the call, or pass the promise on deliberately.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n async function save(doc) {\n-  await store.put(doc);\n+  store.put(doc);\n^\n   done();\n }\n",
        "path: src/a.py\n async def close(self):\n-    await self.pool.close()\n+    self.pool.close()\n^\n",
        "path: src/a.rs\n async fn go(c: Client) {\n-    c.send().await;\n+    c.send();\n^\n }\n",
    ],
    negative: &[
        "path: src/a.js\n-async function save(doc) {\n-  await store.put(doc);\n+function save(doc) {\n+  store.put(doc);\n   done();\n }\n",
        "path: src/a.js\n async function save(doc) {\n-  const x = await store.put(doc);\n-  return x;\n+  return store.put(doc);\n }\n",
        "path: src/a.js\n async function save(doc) {\n-  await store.put(doc);\n+  store.putSync(doc);\n   done();\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.with_role(Role::Await).filter(|node| node.touches_change()) {
        let lost = old
            .leaves()
            .any(|leaf| leaf.text() == "await" && leaf.parent() == Some(old) && context.new_of(leaf).is_none());
        let Some(value) = old.named_children().next().filter(|value| lost && context.similarity_to_new(*value) == 100)
        else {
            continue;
        };
        let Some(now) = context.cover(value).filter(|now| now.is_usable()) else { continue };
        let handed_on = now
            .ancestors()
            .take_while(|node| !node.is_statement())
            .chain([now.statement()])
            .any(|node| node.has_role(Role::Return) || node.has_role(Role::Await) || node.has_role(Role::Lambda));
        let combined = now.ancestors().take_while(|node| !node.is_statement()).any(|node| {
            node.call().is_some_and(|call| context.similarity_to_old(node) < 100 || call.arguments.len() > 5)
        });
        if !handed_on && !combined && !async_is_gone(context) {
            sink.report(now, format!("`{}` is no longer awaited.", quote(now.text())));
        }
    }
}

/// Whether the function is no longer asynchronous.
fn async_is_gone(context: &ChangeContext<'_>) -> bool {
    let mut words =
        context.old.nodes().filter(|node| node.is_leaf() && node.touches_change() && node.text() == "async");
    words.any(|leaf| context.new_of(leaf).is_none())
}
