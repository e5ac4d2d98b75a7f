//! Functions with two parameters with the same name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/duplicate-parameter",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Duplicate parameter name",
    why: "The name refers to the last parameter, so the first argument cannot be read. In strict mode and in modules \
          it is a syntax error.",
    fix: "Give each parameter its own name.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["formal_parameters"]),
        run,
    },
    positive: &[
        r#"
+function add(a, b, a) {
^
+  return a + b;
+}
"#,
        r#"
@@ class Cart {
+  add = (item, count, item) => this.items.push(item);
^
"#,
    ],
    negative: &[
        r#"
+function add(a, _, _, { b }) {
+  return (a, c) => a + b + c;
+}
"#,
        r#"
@@ function add(a, b, a) {
+  const sum = function (a, b) { return a + b; };
+  return sum(b, b);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for parameter in node.named_children() {
        let name = parameter
            .any_field(&["pattern", "left"])
            .unwrap_or(parameter);
        if !name.is(&["identifier"]) || name.text().chars().all(|c| c == '_') {
            continue;
        }
        if seen.contains(&name.text()) {
            let message = format!(
                "An earlier parameter is also called `{}`: its argument cannot be read.",
                name.text()
            );
            sink.report(name, message);
            return;
        }
        seen.push(name.text());
    }
}
