//! A function that became asynchronous, and a call to it that does not await the result.

use review::{Category, Priority};

use crate::facts::{Definition, Namesakes, Signature};
use crate::rule::{Check, DiffSink, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/async-call-not-awaited",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "C#", "Rust"],
    title: "Call to a newly asynchronous function not awaited",
    why: "The change makes a function asynchronous, and this call still uses the result as if it were available. The \
          work may not be done yet, an exception in it is lost, and a condition on the promise is always true.",
    fix: "Await the call, or pass its promise to code that does.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Diff { run },
    positive: &[
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n function close(order) {\n   save(order);\n^\n   end();\n }\n",
        "path: src/store.py\n-def is_known(order):\n-    return find(order)\n+async def is_known(order):\n+    return await find(order)\npath: src/show.py\n from store import is_known\n+log(1)\n if is_known(order):\n^\n     show(order)\n",
    ],
    negative: &[
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n async function close(order) {\n-  save(order);\n+  await save(order);\n   end();\n }\n",
        "path: src/a.js\n-function save(order) {\n-  store.put(order);\n+async function save(order) {\n+  await store.put(order);\n }\n function close(order) {\n   return Promise.all([save(order), save(order).then(end)]);\n }\n",
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    let is_plain = |own: &Definition| own.after.as_ref().is_some_and(|after| !after.is_async);
    if names.definitions().iter().any(|(_, definition)| is_plain(definition)) {
        return;
    }
    let is_async = |own: &Option<Signature>| own.as_ref().map(|own| own.is_async);
    let became = |own: &Definition| is_async(&own.before) == Some(false) && is_async(&own.after) == Some(true);
    let mut meant = names.meant(became);
    for (file, call) in names.calls().iter().filter(|(_, call)| call.unawaited) {
        if let Some((_, definition)) = meant.find(file, call, |_, _, _| true) {
            let name = &definition.name;
            sink.report(file, call.line, format!("`{name}` is asynchronous now, but this call does not await it."));
        }
    }
}
