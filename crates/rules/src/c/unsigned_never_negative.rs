//! An unsigned number tested for a negative value.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::tree::{Binary, Node};

pub(crate) const RULE: Rule = Rule {
    id: "c/unsigned-never-negative",
    languages: &["C", "C++"],
    title: "Unsigned value tested for being negative",
    why: "An unsigned number never goes below zero: it wraps around to a huge value. A countdown with such a test \
          never ends, and an error code of -1 is never detected.",
    fix: "Use a signed type, or compare before subtracting.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
+void clear(void) {
+    for (unsigned int i = 9; i >= 0; i--)
^
+        values[i] = 0;
+}
"#,
        r#"
@@ int load(int fd)
+    size_t n = read(fd, buffer, 10);
+    if (n < 0)
^
+        return -1;
"#,
        r#"
+int compare(unsigned int a, unsigned int b) {
+    return a - b > 0;
^
+}
"#,
    ],
    negative: &[
        r#"
+void clear(int n, unsigned m, unsigned *p) {
+    for (int i = 9; i >= 0; i--)
+        values[i] = 0;
+    if (n < 0 || m == 0 || m > 0 || *p > 0)
+        return;
+}
"#,
        r#"
@@ int load(int fd)
     size_t n = read(fd, buffer, 10);
+    ssize_t more = read(fd, buffer, 10);
     if (n < 0)
         return -1;
+    if (more < 0)
+        return -1;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node.comparison() else {
        return;
    };
    if binary.right.unparenthesised().text() != "0" {
        return;
    }
    let left = binary.left.unparenthesised();
    let is_unsigned = |node: Node<'_>| {
        declared(node.unparenthesised()).is_some_and(|variable| variable.is_unsigned())
    };
    match binary.operator {
        ">=" | "<" if is_unsigned(left) => {
            let counts_down = binary.operator == ">="
                && node.parent().is_some_and(|around| {
                    around.is(&["for_statement"])
                        && around
                            .field("update")
                            .is_some_and(|update| update.text().contains("--"))
                });
            let (message, priority) = if counts_down {
                ("so this loop never ends", Priority::P1)
            } else {
                ("so the result is always the same", Priority::P2)
            };
            sink.report(
                node,
                format!(
                    "`{}` is unsigned and never below zero, {message}.",
                    quote(left.text())
                ),
            )
            .priority(priority);
        }
        ">" | ">=" | "<" => {
            let difference = left.binary().filter(|inner| {
                inner.operator == "-" && is_unsigned(inner.left) && is_unsigned(inner.right)
            });
            if difference.is_some_and(|inner| !was_compared(node, inner)) {
                sink.report(
                    node,
                    format!(
                        "`{}` is unsigned: if the second operand is larger, it wraps around instead of being negative.",
                        quote(left.text())
                    ),
                );
            }
        }
        _ => {}
    }
}

/// Whether the two were compared before, so that the difference is known not to wrap.
fn was_compared(node: Node<'_>, difference: Binary<'_>) -> bool {
    let Some(function) = node
        .enclosing(Role::Function)
        .or_else(|| node.tree().root())
    else {
        return true;
    };
    let names = |side: Node<'_>, of: Node<'_>| side.leaves().any(|leaf| leaf.text() == of.text());
    let before = function
        .descendants()
        .take_while(|other| other.index() <= node.index());
    before.filter_map(Node::comparison).any(|comparison| {
        let (left, right) = (comparison.left, comparison.right);
        let is_both = |one: Node<'_>, other: Node<'_>| {
            names(one, difference.left) && names(other, difference.right)
        };
        is_both(left, right) || is_both(right, left)
    }) || function
        .descendants()
        .take_while(|other| other.index() < node.index())
        .filter_map(Node::assignment)
        .any(|assignment| {
            let (one, other) = (difference.left, difference.right);
            (names(assignment.target, one) && names(assignment.value, other))
                || (names(assignment.target, other)
                    && (names(assignment.value, one)
                        || matches!(assignment.operator, "%=" | ">>=" | "/=")))
        })
}
