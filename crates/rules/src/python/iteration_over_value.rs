//! Iteration over values that are not iterable.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::kind_if;
use syntax::tree::Node;

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
            "for_statement", "for_in_clause", "list_splat", "assignment", "yield",
        ]),
        run,
    },
    positive: &[
        r#"
+def f(rows):
+    count = len(rows)
+    for i in count:
^
+        print(i)
"#,
        r#"
+def numbers():
+    yield 1
+
+for n in numbers:
^
+    print(n)
"#,
        r#"
+async def ticks():
+    yield 1
+
+async def run():
+    for tick in ticks():
^
+        print(tick)
"#,
        r#"
+class Box:
+    pass
+
+a, b = Box()
^
"#,
    ],
    negative: &[
        r#"
+def f(rows):
+    count = len(rows)
+    for i in range(count):
+        print(i)
"#,
        r#"
+def numbers():
+    yield 1
+
+for n in numbers():
+    print(n)
"#,
        r#"
+async def ticks():
+    yield 1
+
+async def run():
+    async for tick in ticks():
+        print(tick)
+    a = [x async for x in ticks()]
"#,
        r#"
+class Box:
+    def __iter__(self):
+        return iter(())
+
+a, b = Box()
+c = 1
"#,
        r#"
+from enum import Enum
+class Color(Enum):
+    RED = 1
+for color in Color:
+    print(color)
"#,
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

/// The value that is iterated over.
fn iterated(node: Node<'_>) -> Option<Node<'_>> {
    let starts_with = |word: &str| {
        node.children()
            .next()
            .is_some_and(|first| first.text() == word)
    };
    match node.kind() {
        "for_statement" | "for_in_clause" => node.field("right").filter(|_| !starts_with("async")),
        "assignment" => {
            let unpacks = node
                .field("left")?
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
