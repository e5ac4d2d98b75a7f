//! An `Optional` that is compared with null.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/optional-compared-with-null",
    languages: &["Java"],
    title: "Optional compared with null",
    why: "A correctly used `Optional` is never null; only its value can be missing. The comparison always has the \
          same result, and an empty `Optional`, the case that the code probably intends to handle, is missed.",
    fix: "Call `isPresent()` or `isEmpty()`.",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Optional.html",
    ],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
+void greet(Optional<User> user) {
+    if (user != null) {
^
+        run(user.get());
+    }
+}
"#,
        r#"
+if (Optional.ofNullable(name) == null) {
^
+    run();
+}
"#,
    ],
    negative: &[
        r#"
+void greet(Optional<User> user, User other) {
+    if (user.isPresent() && other != null) {
+        run(user.get());
+    }
+}
"#,
        r#"
+Optional<User> user = find(name);
+String shown = user.map(User::name).orElse(null);
+if (shown == null || user.isEmpty()) {
+    run();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, _)) = node.null_check() else {
        return;
    };
    let made = value.call().is_some_and(|call| {
        call.receiver.is_some_and(|of| of.text() == "Optional")
            && matches!(call.name, "of" | "ofNullable" | "empty")
    });
    if made
        || type_of(value).is_some_and(|kind| {
            matches!(
                kind.as_str(),
                "Optional" | "OptionalInt" | "OptionalLong" | "OptionalDouble"
            )
        })
    {
        sink.report(
            node,
            format!(
                "`{}` checks whether the `Optional` is null, not whether it is empty.",
                quote(node.text())
            ),
        );
    }
}
