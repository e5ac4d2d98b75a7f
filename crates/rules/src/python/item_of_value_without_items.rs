//! Subscripts on values without items.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::{Kind, kind_if};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/item-of-value-without-items",
    languages: &["Python"],
    title: "Subscript on a value without items",
    why: "Only objects with the matching special method can be subscripted. On this value the line raises a TypeError. \
          Usually a call is missing, or another variable was intended.",
    fix: "Subscript the intended collection, or convert the value to one first.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["subscript"]),
        run,
    },
    positive: &[
        r#"
+def load():
+    return rows
+
+first = load[0]
^
"#,
        r#"
+def f(rows):
+    unique = {row for row in rows}
+    return unique[0]
^
"#,
        r#"
+pair = (1, 2)
+pair[0] = 3
^
+names = {}
+del names.keys()[0]
^
"#,
        r#"
+class Box:
+    pass
+
+box = Box()
+print(box[0])
^
"#,
    ],
    negative: &[
        r#"
+def load():
+    return rows
+
+first = load()[0]
"#,
        r#"
+def f(rows):
+    best = None
+    for row in rows:
+        best = row
+    return best[0]
"#,
        r#"
+class Box:
+    def __getitem__(self, at):
+        return at
+
+print(Box()[0])
"#,
        r#"
+class Box(Base):
+    pass
+
+print(Box()[0])
+def f(x: Box[int]): ...
"#,
        r#"
+cache = None
+
+def get(key):
+    return cache[key]
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node
        .field("value")
        .filter(|value| !value.is(&["attribute", "subscript"]))
    else {
        return;
    };
    if node
        .ancestors()
        .any(|around| around.is(&["type", "decorator"]))
    {
        return;
    }
    let method = method_of(node);
    let Some(found) = kind_if(value, |kind| kind.has(method) == Some(false)) else {
        return;
    };
    // The name of a type may be in an annotation that is a string elsewhere.
    if matches!(found, Kind::Class(_))
        && method == "__getitem__"
        && node.parent().is_some_and(is_type_place)
    {
        return;
    }
    let does = match method {
        "__getitem__" => "has no items to read",
        "__setitem__" => "does not support item assignment",
        _ => "does not support item deletion",
    };
    sink.report(
        node,
        format!(
            "`{}` is {}, which {does}: TypeError.",
            quote(value.text()),
            found.described()
        ),
    );
}

fn method_of(node: Node<'_>) -> &'static str {
    let mut inner = node;
    for around in node.ancestors().take(3) {
        match around.kind() {
            "delete_statement" => return "__delitem__",
            "assignment" if around.field("left") == Some(inner) => return "__setitem__",
            "expression_list" | "pattern_list" | "tuple_pattern" => inner = around,
            _ => break,
        }
    }
    "__getitem__"
}

fn is_type_place(parent: Node<'_>) -> bool {
    parent.is(&[
        "assignment", "argument_list", "binary_operator", "subscript",
    ])
}
