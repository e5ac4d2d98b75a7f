//! Spreads of values without own elements or properties.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::script::types::{Type, is_narrowed, types};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/spread-of-wrong-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Spread of an unsuitable value",
    why: "An object spread copies own properties only: none of a promise, a function, a map or a set, the indices of \
          an array, and of an instance everything but its methods. There is no error.",
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
        "+const seen = new Map();\n+export const all = { ...seen };\n^\n",
        "+async function load() {}\n+function f() {\n+  return { ...load(), a: 1 };\n^\n+}\n",
        "path: src/a.ts\n+function f(names: string[], title: string) {\n+  return [{ ...names }, g(...title)];\n^\n+}\n",
        "path: src/a.jsx\n+const seen = new Map();\n+const box = <Box {...seen} />;\n^\n",
        "+class Money {\n+  add() {}\n+}\n+const copy = { ...new Money() };\n^\n",
    ],
    negative: &[
        "+const seen = new Map();\n+export const all = [...seen];\n+const more = { ...options };\n",
        "+async function load() {}\n+async function f() {\n+  return { ...(await load()), a: 1 };\n+}\n",
        "path: src/a.ts\n+function f(names: string[], o: { a: number }, x?: object) {\n+  return [...names, { ...o, ...x }, g(...names)];\n+}\n",
        "+const letters = [...\"abc\"];\n+const first = [1];\n+const both = { ...(first.length ? { first } : {}) };\n",
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
        // Some split a text into its characters on purpose.
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
