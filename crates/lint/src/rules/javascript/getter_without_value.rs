//! Getters that give nothing.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::flow::can_complete;
use crate::semantics::script::types::gives_value;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/getter-without-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Getter that gives nothing",
    why: "A getter is there for its value. Without a return on some way through it, whoever reads the property gets \
          undefined.",
    fix: "Return a value on every way, or make it a method.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["method_definition"]), run },
    positive: &[
        "+class Cart {\n+  get total() {\n^\n+    this.sum();\n+  }\n+  get size() {\n^\n+    if (this.items) {\n+      return 1;\n+    }\n+  }\n+}\n",
    ],
    negative: &[
        "+class Cart {\n+  get total() {\n+    return this.sum();\n+  }\n+  get size() {\n+    throw new Error(\"no size\");\n+  }\n+  get() {}\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else { return };
    let is_getter = node.children().take_while(|child| child.index() < name.index()).any(|child| child.text() == "get");
    if !is_getter || !(can_complete(body) || !gives_value(body) && body.text().contains("return")) {
        return;
    }
    sink.report(name, format!("The getter `{}` gives nothing on some way through it.", name.text()));
}
