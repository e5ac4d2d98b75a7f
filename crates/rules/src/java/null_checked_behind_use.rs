//! A condition that dereferences a value before it checks it for null.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "java/null-checked-behind-use",
    languages: &["Java"],
    title: "Null check after dereference",
    why: "The operands of a condition are evaluated from left to right. The operand that calls a method on the value \
          throws if the value is null, so the null check after it is never reached.",
    fix: "Put the null check first.",
    references: &["CWE-476"],
    priority: Priority::P1,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
@@ boolean isOwn(User user) {
-        return user != null && user.isActive();
+        return user.isActive() && user != null;
^
     }
"#,
        r#"
+    boolean isOther(String name) {
+        return name.equals("x") || name == null;
^
+    }
"#,
        r#"
+    boolean has(Node node) {
+        if (list.contains(node.name()) && size > 0 && null != node) {
^
+            return true;
+        }
+    }
"#,
    ],
    negative: &[
        r#"
@@ boolean isOwn(User user) {
+        return user != null && user.isActive();
     }
"#,
        r#"
+    boolean isOwn(User user, String name) {
+        return user.isActive() || user != null || name.isEmpty() && (name = next()) != null;
+    }
"#,
        r#"
+    boolean isOwn(User user) {
+        return list.stream().anyMatch(user -> user.isActive()) && user != null;
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let operation = node
        .binary()
        .map_or(Operation::Other, |binary| binary.operation());
    let inner = node
        .parent()
        .and_then(Node::binary)
        .is_some_and(|around| around.operation() == operation);
    if inner || !matches!(operation, Operation::And | Operation::Or) {
        return;
    }
    let parts = node.operands_of(operation);
    for (place, part) in parts.iter().enumerate() {
        // The check that decides the condition for a null value: `!= null` in an `&&`, `== null` in an `||`.
        let checked = part.null_check().filter(|(value, for_null)| {
            is_plain(*value) && *for_null == (operation == Operation::Or)
        });
        let Some((value, _)) = checked else { continue };
        let before = parts.iter().take(place);
        if let Some(used) = before
            .filter(|part| !sets(**part, value))
            .find_map(|part| use_of(*part, value))
        {
            let (used, name) = (quote(used.text()), quote(value.text()));
            sink.report(
                *part,
                format!("`{used}` throws if `{name}` is null, before this check is reached."),
            );
            return;
        }
    }
}

fn is_plain(value: Node<'_>) -> bool {
    value.has_role(Role::Name)
}

/// A call or an access on the value that certainly happens.
fn use_of<'t>(part: Node<'t>, value: Node<'t>) -> Option<Node<'t>> {
    std::iter::once(part)
        .chain(part.descendants())
        .find(|node| {
            let object = node
                .field("object")
                .filter(|_| node.is(&["method_invocation", "field_access"]));
            object.is_some_and(|object| object.says_same(value)) && is_surely_done(*node, part)
        })
}

fn is_surely_done(node: Node<'_>, part: Node<'_>) -> bool {
    let is_choice = |around: Node<'_>| {
        let operation = around
            .binary()
            .map_or(Operation::Other, |binary| binary.operation());
        around.has_role(Role::Ternary)
            || around.has_role(Role::Lambda)
            || matches!(operation, Operation::And | Operation::Or)
    };
    let around = std::iter::once(node)
        .chain(node.ancestors())
        .take_while(|around| around.is_inside(part));
    !around.into_iter().any(is_choice)
}

fn sets(part: Node<'_>, value: Node<'_>) -> bool {
    part.descendants().any(|node| {
        node.assignment()
            .is_some_and(|set| set.target.says_same(value))
    })
}
