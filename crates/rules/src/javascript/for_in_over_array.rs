//! `for … in` over an array.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::names::whole_function;
use syntax::semantics::script::types::{Type, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/for-in-over-array",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "for … in over an array",
    why: "`for … in` iterates over the indices, as strings, and over any added property. Arithmetic on an index \
          concatenates (\"0\" + 1 is \"01\"), and a library that extends Array.prototype adds unexpected \
          iterations.",
    fix: "Use for … of.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["for_in_statement"]),
        run,
    },
    positive: &[
        r#"
+for (const name in names.split(",")) {
^
+  use(name);
+}
"#,
        r#"
path: src/a.ts
+function f(names: string[], more: Array<string> | null) {
+  for (const name in names) use(name);
^
+  for (const name in more) use(name);
^
+}
"#,
        r#"
+function f() {
+  for (const one in arguments) use(one);
^
+}
"#,
        r#"
+const sizes = [1, 2];
+for (const size in sizes) use(size);
^
"#,
    ],
    negative: &[
        r#"
+for (const name of names.split(",")) {
+  use(name);
+}
+for (const key in table) {
+  use(key);
+}
"#,
        r#"
path: src/a.ts
+function f(names: Record<string, string>, more: { [key: string]: string }) {
+  for (const name in names) use(name);
+  for (const name in more) use(name);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node
        .field("operator")
        .is_none_or(|operator| operator.text() != "in")
    {
        return;
    }
    let Some(list) = node.field("right").map(Node::unparenthesised) else {
        return;
    };
    let returns_list = list.call().is_some_and(|call| {
        matches!(
            call.name,
            "split" | "map" | "filter" | "concat" | "slice" | "sort"
        ) || matches!(
            call.callee,
            "Object.keys" | "Object.values" | "Object.entries" | "Array.from"
        )
    });
    let is_list = || {
        types(list)
            .iter()
            .any(|one| matches!(one, Type::Array(_) | Type::Text))
    };
    if returns_list || is_arguments(list) || is_list() {
        let text = quote(list.text());
        sink.report(
            list,
            format!("`for … in` iterates over the indices of `{text}` as strings, not over its elements."),
        );
    }
}

/// Whether it is the `arguments` of the enclosing function.
fn is_arguments(list: Node<'_>) -> bool {
    list.text() == "arguments" && whole_function(list).is_some()
}
