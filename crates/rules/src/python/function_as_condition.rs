//! Functions tested instead of their result.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::names::python_function;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "python/function-as-condition",
    languages: &["Python"],
    title: "Function tested instead of its result",
    why: "A function object is always truthy. Without parentheses the condition does not depend on the result, and the \
          branch is always taken.",
    fix: "Add the parentheses.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "if_statement", "elif_clause", "while_statement", "conditional_expression",
            "not_operator", "assert_statement",
        ]),
        run,
    },
    positive: &[
        r#"
+def is_ready():
+    return state == 1
+
+if is_ready:
^
+    go()
"#,
        r#"
+def is_ready():
+    return state == 1
+
+while not is_ready:
^
+    wait()
"#,
    ],
    negative: &[
        r#"
+def is_ready():
+    return state == 1
+
+if is_ready():
+    go()
+call(is_ready)
"#,
        r#"
+try:
+    from a import parse
+except ImportError:
+    parse = None
+if parse:
+    go()
"#,
        r#"
+def f(hook):
+    if hook:
+        hook()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tested = match node.kind() {
        "not_operator" => node.field("argument"),
        "conditional_expression" => node.named_children().nth(1),
        "assert_statement" => node.named_children().next(),
        _ => node.field("condition"),
    };
    let parts = tested
        .map(|tested| {
            [Operation::And, Operation::Or].map(|operation| tested.operands_of(operation))
        })
        .into_iter()
        .flatten()
        .flatten();
    for part in parts.filter(|part| part.is(&["identifier"])) {
        if python_function(part, part.text()).is_some() {
            sink.report(
                part,
                format!(
                    "`{}` is a function and is not called here: the condition is always true.",
                    part.text()
                ),
            );
            return;
        }
    }
}
