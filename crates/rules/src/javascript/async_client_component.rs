//! Async components in client code.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::script::types::is_async;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/async-client-component",
    languages: &["JavaScript", "TSX"],
    title: "Async component in client code",
    why: "Only server components may be async. In a \"use client\" file React receives a promise instead of markup, \
          and throws or renders endlessly.",
    fix: "Load the data in an effect or a hook, or remove \"use client\".",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "function_declaration", "arrow_function", "function_expression",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/a.jsx
+"use client";
+export default async function Cart() {
^
+  return <div>{await total()}</div>;
+}
+const Box = async () => <b />;
^
"#,
        r#"
path: src/b.tsx
+'use client'
+
+export const Profile = async ({ id }: { id: string }) => {
^
+  const user = await load(id);
+  return <p>{user.name}</p>;
+};
"#,
    ],
    negative: &[
        r#"
path: src/a.jsx
+export default async function Cart() {
+  return <div>{await total()}</div>;
+}
"#,
        r#"
path: src/a.jsx
+"use client";
+export function Cart() {
+  const save = async () => { await send(); };
+  return <b onClick={save} />;
+}
+export async function Load() { return fetch("/a"); }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !is_async(node) || !is_for_browser(node) {
        return;
    }
    let Some(name) =
        name_of(node).filter(|name| name.text().starts_with(|c: char| c.is_ascii_uppercase()))
    else {
        return;
    };
    let draws = |one: Node<'_>| one.is(&["jsx_element", "jsx_self_closing_element"]);
    if node
        .field("body")
        .is_some_and(|body| draws(body) || body.descendants().any(draws))
    {
        sink.report(
            name,
            format!(
                "`{}` runs in the browser, where React does not support async components.",
                name.text()
            ),
        );
    }
}

/// Whether the file starts with `"use client"`.
fn is_for_browser(node: Node<'_>) -> bool {
    let first = node
        .ancestors()
        .last()
        .and_then(|top| top.named_children().next());
    first.is_some_and(|first| {
        first.text().trim_end_matches(';').trim_matches(['"', '\'']) == "use client"
    })
}

/// The name of a function, or of the variable or member that it is assigned to.
fn name_of(function: Node<'_>) -> Option<Node<'_>> {
    function.field("name").or_else(|| {
        let holder = function.parent()?;
        holder
            .any_field(&["name", "left", "key"])
            .filter(|name| name.is(&["identifier", "property_identifier"]))
    })
}
