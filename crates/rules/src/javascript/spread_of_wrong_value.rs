//! Spreads of values without own elements or properties.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, is_narrowed, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/spread-of-wrong-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Spread of an unsuitable value",
    why: "An object spread copies own properties only: none of a promise, a function, a map or a set, the indices of \
          an array, and of an instance everything but its methods. No error is thrown.",
    fix: "Await the promise, call the function, use Object.fromEntries for a map, or spread an array into an array.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["spread_element"]),
        run,
    },
    positive: &[
        r#"
+const seen = new Map();
+export const all = { ...seen };
^
"#,
        r#"
+async function load() {}
+function f() {
+  return { ...load(), a: 1 };
^
+}
"#,
        r#"
path: src/a.ts
+function f(names: string[], title: string) {
+  return [{ ...names }, g(...title)];
^
+}
"#,
        r#"
path: src/a.jsx
+const seen = new Map();
+const box = <Box {...seen} />;
^
"#,
        r#"
+class Money {
+  add() {}
+}
+const copy = { ...new Money() };
^
"#,
    ],
    negative: &[
        r#"
+const seen = new Map();
+export const all = [...seen];
+const more = { ...options };
"#,
        r#"
+async function load() {}
+async function f() {
+  return { ...(await load()), a: 1 };
+}
"#,
        r#"
path: src/a.ts
+function f(names: string[], o: { a: number }, x?: object) {
+  return [...names, { ...o, ...x }, g(...names)];
+}
"#,
        r#"
+const letters = [..."abc"];
+const first = [1];
+const both = { ...(first.length ? { first } : {}) };
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(parent), Some(value)) = (node.parent(), node.named_children().next()) else {
        return;
    };
    let value = value.unparenthesised();
    let into_object = parent.is(&["object", "jsx_expression"]);
    let is_literal = value.is(&["string", "template_string"]) && !into_object;
    if is_literal || value.is(&["object"]) {
        return;
    }
    let all = types(value);
    let Some(wrong) = all.iter().find(|one| {
        if into_object {
            loses(**one)
        } else {
            **one == Type::Text
        }
    }) else {
        return;
    };
    if all.len() > 1 && is_narrowed(value) {
        return;
    }
    let text = quote(value.text());
    if into_object {
        sink.report(
            node,
            format!(
                "`{text}` is {}: this spread does not copy its contents.",
                wrong.described()
            ),
        );
    } else {
        // Splitting a string into its characters is sometimes intended.
        let message = format!("`{text}` is a string: this spread splits it into characters.");
        sink.report(node, message).priority(Priority::P3);
    }
}

fn loses(one: Type<'_>) -> bool {
    matches!(
        one,
        Type::Array(_)
            | Type::Promise(_)
            | Type::Function(_)
            | Type::Collection
            | Type::Iterable
            | Type::Class(_)
            | Type::Instance(_)
            | Type::Text
    )
}
