//! A function gives its result later now, and a call of it does not wait.

use review::{Category, Priority};

use crate::facts::{DiffContext, DiffSink};
use crate::rule::{Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/async-call-not-awaited",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "C#", "Rust"],
    title: "Function became asynchronous, its call does not wait",
    why: "The change makes a function asynchronous. This call of it still takes the result as if it were there: the \
          work may not be done, what it throws is lost, and a condition on the promise is always true.",
    fix: "Await the call, or hand its promise to something that does.",
    priority: Priority::P2,
    category: Category::Concurrency,
    confidence: 0.7,
    tests: Tests::Include,
    check: Check::Diff { run },
    fires: &[
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n function close(order) {\n   save(order);\n^\n   end();\n }\n",
        "path: src/store.py\n-def is_known(order):\n-    return find(order)\n+async def is_known(order):\n+    return await find(order)\npath: src/show.py\n from store import is_known\n+log(1)\n if is_known(order):\n^\n     show(order)\n",
    ],
    quiet: &[
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n async function close(order) {\n-  save(order);\n+  await save(order);\n   end();\n }\n",
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n function close(order) {\n   return Promise.all([save(order), save(order).then(end)]);\n }\n",
    ],
};

fn run(context: &DiffContext<'_>, sink: &mut DiffSink<'_>) {
    for (home, definition) in context.changed() {
        let (Some(before), Some(after)) = (&definition.before, &definition.after) else { continue };
        if before.is_async || !after.is_async {
            continue;
        }
        for (file, call) in context.calls_of(home, definition).filter(|(_, call)| call.at_once) {
            let plain =
                context.meant_by(file, call).any(|(_, other)| other.after.as_ref().is_some_and(|own| !own.is_async));
            if !plain {
                sink.report(
                    file,
                    call.line,
                    format!("`{}` is asynchronous now, and this call does not wait for it.", definition.name),
                );
            }
        }
    }
}
