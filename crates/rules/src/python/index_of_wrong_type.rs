//! Indices and keys of a type that the collection does not accept.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::{Kind, kind_if};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/index-of-wrong-type",
    languages: &["Python"],
    title: "Index or key of the wrong type",
    why: "Lists, tuples and strings accept only integers and slices as an index, and dicts and sets only hashable \
          keys: no list, dict or set. The line raises a TypeError.",
    fix: "Use an integer as the index; as a key use a tuple or a frozenset.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["subscript", "dictionary", "set"]),
        run,
    },
    positive: &[
        r#"
+names = {[1, 2]: "a"}
^
+groups = {{}, {}}
^
"#,
        r#"
+table = {}
+table[[1, 2]] = 3
^
"#,
    ],
    negative: &[
        r#"
+rows = [1, 2, 3]
+middle = rows[len(rows) // 2]
+first = rows[0]
+some = rows[1:2]
+same = rows[True]
"#,
        r#"
+names = {(1, 2): "a"}
+groups = {frozenset()}
+table = {}
+table["0"] = 3
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !node.is(&["subscript"]) {
        let keys = node.named_children().filter_map(|part| {
            if part.is(&["pair"]) {
                part.field("key")
            } else {
                Some(part)
            }
        });
        for key in keys.filter(|key| is_unhashable_literal(*key)) {
            sink.report(
                key,
                format!(
                    "`{}` cannot be a key: it is not hashable.",
                    quote(key.text())
                ),
            );
        }
        return;
    }
    let (Some(value), Some(index)) = (node.field("value"), node.field("subscript")) else {
        return;
    };
    let is_simple = value.is(&["identifier", "list", "string"]) && !index.is(&["slice", "integer"]);
    if !is_simple || node.ancestors().any(|around| around.is(&["type"])) {
        return;
    }
    let Some(at) = kind_if(index, |kind| {
        !matches!(kind, Kind::Int | Kind::Bool | Kind::Instance(_))
    }) else {
        return;
    };
    let unhashable = matches!(at, Kind::List | Kind::Dict | Kind::Set);
    let refuses = |kind: Kind<'_>| match kind {
        Kind::List | Kind::Tuple | Kind::Text | Kind::Bytes | Kind::Range => true,
        Kind::Dict => unhashable,
        _ => false,
    };
    if let Some(of) = kind_if(value, refuses) {
        let (text, wrong) = (quote(node.text()), at.described());
        sink.report(
            node,
            format!(
                "`{text}`: {} does not take {wrong} as an index: TypeError.",
                of.described()
            ),
        );
    }
}

fn is_unhashable_literal(key: Node<'_>) -> bool {
    key.is(&[
        "list", "dictionary", "set", "list_comprehension", "dictionary_comprehension",
        "set_comprehension",
    ])
}
