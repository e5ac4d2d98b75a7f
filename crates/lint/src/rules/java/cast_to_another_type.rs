//! A test for one type and a cast to another.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::short;
use crate::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "java/cast-to-another-type",
    languages: &["Java"],
    title: "Cast to a type other than the tested one",
    why: "The branch runs for objects of one class and casts them to another. If the classes are unrelated, every \
          execution throws `ClassCastException`.",
    fix: "Test and cast with the same type, or use a pattern: `x instanceof Order order`.",
    references: &["CWE-704"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["cast_expression"]), run },
    positive: &[
        "+    void run(Object item) {\n+        if (item instanceof Integer) {\n+            use((String) item);\n^\n+        }\n+    }\n",
    ],
    negative: &[
        "+    void run(Object item, Object other) {\n+        if (item instanceof Integer) {\n+            use((Integer) item);\n+            use((String) other);\n+        } else {\n+            use((String) item);\n+        }\n+        if (item instanceof Integer || item instanceof String) {\n+            use((String) item);\n+        }\n+        if (item instanceof Collection) {\n+            use((List<String>) item);\n+        }\n+    }\n",
    ],
};

/// Classes of which no object is an instance of another one in the list.
const FINAL: &[&str] = &[
    "String",
    "Integer",
    "Long",
    "Double",
    "Float",
    "Short",
    "Byte",
    "Boolean",
    "Character",
    "BigDecimal",
    "BigInteger",
    "LocalDate",
    "LocalDateTime",
    "Instant",
    "UUID",
    "Optional",
    "Date",
    "Map",
    "List",
    "Set",
    "StringBuilder",
    "Calendar",
    "File",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(kind), Some(value)) = (node.field("type"), node.field("value").filter(|value| value.is(&["identifier"])))
    else {
        return;
    };
    let wanted = short(kind.text());
    for branch in node.ancestors().filter_map(Node::branch).filter(|branch| node.is_inside(branch.then)) {
        let tested = branch.condition.operands_of(Operation::And).into_iter().find_map(|part| {
            let is_test =
                part.is(&["instanceof_expression"]) && part.field("left").is_some_and(|left| left.says_same(value));
            is_test.then(|| part.field("right").map(|right| short(right.text()))).flatten()
        });
        let Some(tested) = tested else { continue };
        let apart = tested != wanted && FINAL.contains(&tested.as_str()) && FINAL.contains(&wanted.as_str());
        let set = branch.then.descendants().any(|inner| {
            inner.is(&["assignment_expression"]) && inner.field("left").is_some_and(|left| left.says_same(value))
        });
        if apart && !set {
            sink.report(
                node,
                format!(
                    "`{}` is reached only for a `{tested}`, so it always throws ClassCastException.",
                    quote(node.text())
                ),
            );
        }
        return;
    }
}
