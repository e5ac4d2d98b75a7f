//! `in` with a right operand that is not a container.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::kind_if;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/membership-in-value",
    languages: &["Python"],
    title: "Membership test on a non-container",
    why: "The right operand of `in` is not a container: the test raises a TypeError instead of being false.",
    fix: "Test the intended collection, or compare with ==.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["comparison_operator"]),
        run,
    },
    positive: &[
        r#"
+def allowed():
+    return ["a"]
+
+def check(name):
+    return name in allowed
^
"#,
        r#"
+def check(code):
+    return code in 200
^
"#,
    ],
    negative: &[
        r#"
+def allowed():
+    return ["a"]
+
+def check(name):
+    return name in allowed()
"#,
        r#"
+def check(code):
+    return code in (200, 201)
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tests = node
        .children()
        .any(|word| matches!(word.text(), "in" | "not in") && !word.is_named());
    let mut operands = node.named_children();
    let (true, Some(_), Some(right), None) =
        (tests, operands.next(), operands.next(), operands.next())
    else {
        return;
    };
    if let Some(found) = kind_if(right, |kind| kind.has("__contains__") == Some(false)) {
        let text = quote(right.text());
        sink.report(
            node,
            format!(
                "`{text}` is {}, which is not a container: TypeError.",
                found.described()
            ),
        );
    }
}
