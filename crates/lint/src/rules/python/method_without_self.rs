//! Methods without a parameter for the instance.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

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
        "+class A:\n+    def area():\n^\n+        return 1\n",
        " class Cart:\n     total = 0\n+    async def load():\n^\n+        return await fetch()\n",
    ],
    negative: &[
        "+class A:\n+    def area(self):\n+        return 1\n+    @staticmethod\n+    def make():\n+        return A()\n+    def all(*args):\n+        return args\n+class I(Interface):\n+    def area():\n+        pass\n",
        "@@ class Cart:\n     def area():\n+        def inner():\n+            return 1\n+        return inner()\n+    @classmethod\n+    def make(cls):\n+        return cls()\n",
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
    // Interfaces of zope and classes used as name spaces are written so on purpose.
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
