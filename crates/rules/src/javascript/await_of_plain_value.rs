//! `await` of a value other than a promise.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/await-of-plain-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Await of a value other than a promise",
    why: "The value is available immediately. Often the call is missing, as in `await save`, or the promises are the \
          elements of an awaited array, which await does not wait for.",
    fix: "Await the promise itself (Promise.all for an array), or drop the await.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["await_expression"]),
        run,
    },
    positive: &[
        r#"
+async function f(list) {
+  await [save(1), save(2)];
^
+  const n = await list.length * 2 || await 3;
^
+  return await { n };
^
+}
"#,
        r#"
path: src/a.ts
+async function f(name: string, done: () => Promise<void>) {
+  await done;
^
+  return await name;
^
+}
"#,
    ],
    negative: &[
        r#"
+async function f(list) {
+  await Promise.all([save(1), save(2)]);
+  return await list.length;
+}
+async function g() {
+  return await { then(done) { done(1); } };
+}
"#,
        r#"
path: src/a.ts
+async function f(name: string | Promise<string>, done: () => Promise<void>) {
+  await done();
+  return await name;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next().map(Node::unparenthesised) else {
        return;
    };
    let all = types(value);
    let plain =
        |one: &Type<'_>| one.is_plain() || matches!(one, Type::Class(_)) || is_literal(*one);
    if all.is_empty() || !all.iter().all(plain) {
        return;
    }
    let what = all.first().map_or("", |one| one.described());
    sink.report(
        node,
        format!(
            "`{}` is {what}, not a promise: there is nothing to await.",
            quote(value.text())
        ),
    );
}

/// Whether it is an object literal without a `then`.
fn is_literal(one: Type<'_>) -> bool {
    matches!(one, Type::Object(Some(of)) if of.is(&["object"]) && !of.text().contains("then") && !of.text().contains("..."))
}
