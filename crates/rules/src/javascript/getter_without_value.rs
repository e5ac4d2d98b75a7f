//! Getters without a return value.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::flow::can_complete;
use syntax::semantics::script::types::gives_value;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/getter-without-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Getter without a return value",
    why: "On a path without a return the property reads as undefined.",
    fix: "Return a value on every path, or make it a method.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_definition"]),
        run,
    },
    positive: &[
        r#"
+class Cart {
+  get total() {
^
+    this.sum();
+  }
+  get size() {
^
+    if (this.items) {
+      return 1;
+    }
+  }
+}
"#,
        r#"
+const cart = {
+  get total() {
^
+    sum(this.items);
+  },
+};
"#,
    ],
    negative: &[
        r#"
+class Cart {
+  get total() {
+    return this.sum();
+  }
+  get size() {
+    throw new Error("no size");
+  }
+  get() {}
+}
"#,
        r#"
+const cart = {
+  get total() {
+    for (const item of this.items) {
+      if (item.last) return item.total;
+    }
+    return 0;
+  },
+  set total(value) {},
+};
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return;
    };
    let is_getter = node
        .children()
        .take_while(|child| child.index() < name.index())
        .any(|child| child.text() == "get");
    if !is_getter || !(can_complete(body) || !gives_value(body) && body.text().contains("return")) {
        return;
    }
    sink.report(
        name,
        format!(
            "The getter `{}` does not return a value on every path.",
            name.text()
        ),
    );
}
