//! Calls of a value that is not callable.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::python::types::kind_if;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/call-of-value",
    languages: &["Python"],
    title: "Call of a non-callable value",
    why: "The value is neither a function nor a class and has no `__call__`. Often a local variable shadows a function \
          of the same name, or there is an extra pair of parentheses.",
    fix: "Call the intended function, or remove the parentheses.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call"]),
        run,
    },
    positive: &[
        r#"
+def total(items):
+    count = len(items)
+    return count()
^
"#,
        r#"
+class Job:
+    pass
+
+job = Job()
+job()
^
"#,
        r#"
+rows = [
+    (1, 2)
^
+    (3, 4)
+]
"#,
    ],
    negative: &[
        r#"
+def total(items):
+    count = len
+    return count(items)
"#,
        r#"
+class Job:
+    def __call__(self):
+        pass
+
+job = Job()
+job()
"#,
        r#"
+handler = None
+
+def run():
+    handler()
"#,
        r#"
+def f(make=None):
+    made = None
+    if make:
+        made = make
+    made()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(callee) = node.field("function") else {
        return;
    };
    if callee.is(&["attribute", "subscript", "string", "concatenated_string"]) {
        return;
    }
    if let Some(found) = kind_if(callee, |kind| kind.has("__call__") == Some(false)) {
        let text = quote(callee.text());
        sink.report(
            node,
            format!(
                "`{text}` is {}, which is not callable: TypeError.",
                found.described()
            ),
        );
    }
}
