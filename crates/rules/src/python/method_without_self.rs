//! Methods without a parameter for the instance.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/method-without-self",
    languages: &["Python"],
    title: "Method without a self parameter",
    why: "A call on an instance passes that instance as the first argument, and the method has no parameter for it: \
          each call raises a TypeError.",
    fix: "Add self, or make it a static method.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["function_definition"]),
        run,
    },
    positive: &[
        r#"
+class A:
+    def area():
^
+        return 1
"#,
        r#"
 class Cart:
     total = 0
+    async def load():
^
+        return await fetch()
"#,
    ],
    negative: &[
        r#"
+class A:
+    def area(self):
+        return 1
+    @staticmethod
+    def make():
+        return A()
+    def all(*args):
+        return args
+class I(Interface):
+    def area():
+        pass
"#,
        r#"
@@ class Cart:
     def area():
+        def inner():
+            return 1
+        return inner()
+    @classmethod
+    def make(cls):
+        return cls()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(list)) = (node.field("name"), node.field("parameters")) else {
        return;
    };
    let Some(class) = node
        .parent()
        .and_then(Node::parent)
        .filter(|class| class.has_role(Role::Class) && class.is_within_hunk())
    else {
        return;
    };
    // Interfaces of zope, and classes used as namespaces, are written like this on purpose.
    let special = class
        .field("superclasses")
        .is_some_and(|list| list.text().contains("Interface") || list.text().contains("Protocol"))
        || matches!(
            name.text(),
            "__new__" | "__init_subclass__" | "__class_getitem__"
        );
    let used_inside = class.names().any(|used| {
        used.text() == name.text()
            && used != name
            && used
                .parent()
                .is_some_and(|parent| !parent.is(&["attribute"]))
    });
    if list.named_children().next().is_none() && !special && !used_inside {
        sink.report(
            name,
            format!(
                "`{}` has no parameter for the instance that it is called on.",
                name.text()
            ),
        );
    }
}
