//! An Optional that is asked whether it is null.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::type_of;

pub(crate) const RULE: Rule = Rule {
    id: "java/optional-compared-with-null",
    languages: &["Java"],
    title: "Optional compared with null",
    why: "An Optional is never null where it is used rightly; what may be missing is its value. The check always goes one way, and the case that was meant, an empty Optional, is not caught.",
    fix: "Ask isPresent() or isEmpty().",
    priority: Priority::P2,
    category: Category::NullSafety,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Binary]), run },
    fires: &[
        "+void greet(Optional<User> user) {\n+    if (user != null) {\n^\n+        run(user.get());\n+    }\n+}\n",
        "+if (Optional.ofNullable(name) == null) {\n^\n+    run();\n+}\n",
    ],
    quiet: &[
        "+void greet(Optional<User> user, User other) {\n+    if (user.isPresent() && other != null) {\n+        run(user.get());\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, _)) = node.null_check() else { return };
    let made = value.call().is_some_and(|call| {
        call.receiver.is_some_and(|of| of.text() == "Optional") && matches!(call.name, "of" | "ofNullable" | "empty")
    });
    if made
        || type_of(value)
            .is_some_and(|kind| matches!(kind.as_str(), "Optional" | "OptionalInt" | "OptionalLong" | "OptionalDouble"))
    {
        sink.report(
            node,
            format!("`{}` asks whether the Optional is null, not whether it is empty.", quote(node.text())),
        );
    }
}
