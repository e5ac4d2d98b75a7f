//! Iteration over values that are not iterable.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::python::types::kind_if;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/iteration-over-value",
    languages: &["Python"],
    title: "Iteration over a non-iterable value",
    why: "The loop or the unpacking raises a TypeError. Usually `range`, a call or an `async` is missing.",
    fix: "Iterate over the intended collection; over an asynchronous generator with async for.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "for_statement",
            "for_in_clause",
            "list_splat",
            "assignment",
            "yield",
        ]),
        run,
    },
    positive: &[
        "+def f(rows):\n+    count = len(rows)\n+    for i in count:\n^\n+        print(i)\n",
        "+def numbers():\n+    yield 1\n+\n+for n in numbers:\n^\n+    print(n)\n",
        "+async def ticks():\n+    yield 1\n+\n+async def run():\n+    for tick in ticks():\n^\n+        print(tick)\n",
        "+class Box:\n+    pass\n+\n+a, b = Box()\n^\n",
    ],
    negative: &[
        "+def f(rows):\n+    count = len(rows)\n+    for i in range(count):\n+        print(i)\n",
        "+def numbers():\n+    yield 1\n+\n+for n in numbers():\n+    print(n)\n",
        "+async def ticks():\n+    yield 1\n+\n+async def run():\n+    async for tick in ticks():\n+        print(tick)\n+    a = [x async for x in ticks()]\n",
        "+class Box:\n+    def __iter__(self):\n+        return iter(())\n+\n+a, b = Box()\n+c = 1\n",
        "+from enum import Enum\n+class Color(Enum):\n+    RED = 1\n+for color in Color:\n+    print(color)\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = iterated(node) else { return };
    if let Some(found) = kind_if(value, |kind| kind.has("__iter__") == Some(false)) {
        let text = quote(value.text());
        sink.report(
            node,
            format!(
                "`{text}` is {}, which is not iterable: TypeError.",
                found.described()
            ),
        );
    }
}

/// What is iterated.
fn iterated(node: Node<'_>) -> Option<Node<'_>> {
    let starts_with = |word: &str| {
        node.children()
            .next()
            .is_some_and(|first| first.text() == word)
    };
    match node.kind() {
        "for_statement" | "for_in_clause" => node.field("right").filter(|_| !starts_with("async")),
        "assignment" => {
            let unpacks =
                node.field("left")?
                    .is(&["pattern_list", "tuple_pattern", "list_pattern"]);
            node.field("right").filter(|_| unpacks)
        }
        "yield" => node.named_children().next().filter(|_| {
            node.children()
                .nth(1)
                .is_some_and(|word| word.text() == "from")
        }),
        _ => node.named_children().next(),
    }
}
