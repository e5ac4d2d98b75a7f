//! Functions and methods overwritten by a later one of the same name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::names::visible_root;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/definition-overwritten",
    languages: &["Python"],
    title: "Definition overwritten by a later one",
    why: "The last definition silently wins, and the first is never used. Often one was copied and its name not \
          changed; of two tests with the same name only one runs.",
    fix: "Rename one of them, or delete it.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["function_definition", "class_definition"]),
        run,
    },
    positive: &[
        r#"
+class Cart:
+    def total(self):
+        return 1
+
+    def count(self):
+        return 2
+
+    def total(self):
^
+        return 3
"#,
        r#"
@@ def first():
+def load(path):
+    return open(path)
+
+def load(path):
^
+    return None
"#,
    ],
    negative: &[
        r#"
+class Cart:
+    @property
+    def total(self):
+        return 1
+
+    @total.setter
+    def total(self, value):
+        pass
"#,
        r#"
+try:
+    from fast import load
+except ImportError:
+    def load(path):
+        return None
+def run():
+    pass
+run = wrap(run)
+def run():
+    pass
+def _(x):
+    pass
+def _(y):
+    pass
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(block), Some(name)) = (node.parent(), node.field("name")) else {
        return;
    };
    if !block.is(&["block", "module"]) || name.text() == "_" || visible_root(node).is_none() {
        return;
    }
    let same = |other: &Node<'_>| {
        other.is(&["function_definition", "class_definition"])
            && other
                .field("name")
                .is_some_and(|own| own.text() == name.text())
    };
    let definitions = node.tree().places(defined).within(
        node.tree(),
        name.text(),
        block.index() + 1..node.index(),
    );
    let is_sibling = |other: &Node<'_>| other.parent() == Some(block) && same(other);
    let Some(first) = definitions.rev().find(is_sibling) else {
        return;
    };
    let end = first
        .descendants()
        .last()
        .map_or(first.index(), Node::index);
    let mut between =
        node.tree()
            .mentions()
            .within(node.tree(), name.text(), end + 1..name.index());
    let is_used = between.any(|other| other.is(&["identifier"]));
    // A body of dots is a declaration that the next definition implements.
    let is_stub = first
        .field("body")
        .is_some_and(|body| matches!(body.text().trim(), "..." | "pass"));
    if !is_used && !is_stub {
        sink.report(
            name,
            format!(
                "`{}` is already defined above: that definition is lost.",
                name.text()
            ),
        );
    }
}

/// The definition with this name.
fn defined(name: Node<'_>) -> Option<Node<'_>> {
    name.parent()
        .filter(|around| around.field("name") == Some(name))
}
