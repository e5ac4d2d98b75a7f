//! A character read into a `char` and then compared with `EOF`.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::{declared, following};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/end-of-file-in-char",
    languages: &["C", "C++"],
    title: "Result of getchar stored in a char",
    why: "`EOF` is a value outside the range of characters and does not fit a `char`. With a signed `char`, the byte \
          0xFF ends the loop too early; with an unsigned one, `EOF` is never recognized and the loop never ends.",
    fix: "Declare the variable as `int`.",
    references: &["CWE-197", "https://en.cppreference.com/w/c/io/fgetc"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Assign]),
        run,
    },
    positive: &[
        r#"
+void copy(void) {
+    char c;
+    while ((c = getchar()) != EOF)
^
+        putchar(c);
+}
"#,
        r#"
+void copy(FILE *in) {
+    char c = fgetc(in);
^
+    while (c != EOF)
+        c = fgetc(in);
^
+}
"#,
    ],
    negative: &[
        r#"
+void copy(void) {
+    int c;
+    while ((c = getchar()) != EOF)
+        putchar(c);
+}
"#,
        r#"
+char next(void) {
+    char c = getchar();
+    return c;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(assignment) = node.assignment() else {
        return;
    };
    let value = assignment.value.unparenthesised();
    if !value.call().is_some_and(|call| {
        matches!(
            call.callee,
            "getchar" | "fgetc" | "getc" | "getwchar" | "fgetwc" | "std::getchar" | "std::fgetc"
        )
    }) {
        return;
    }
    let target = assignment.target;
    let is_char = match declared(target) {
        Some(variable) => {
            variable.stars == 0
                && variable.array.is_none()
                && matches!(variable.kind, "char" | "unsigned char" | "signed char")
        }
        None => node
            .parent()
            .and_then(|parent| parent.field("type"))
            .is_some_and(|kind| matches!(kind.text(), "char" | "unsigned char" | "signed char")),
    };
    let is_end = |inside: Node<'_>| {
        inside
            .all(Role::Binary)
            .any(|binary| compares(binary, target.text()))
    };
    let around = node.ancestors().find(|around| around.has_role(Role::Loop));
    let statement = node.statement();
    let is_compared = node.ancestors().take(4).any(|around| {
        around.comparison().is_some_and(|comparison| {
            comparison.right.text() == "EOF" || comparison.left.text() == "EOF"
        })
    }) || around.and_then(Node::condition).is_some_and(is_end)
        || following(statement)
            .take(4)
            .any(|later| later.condition().is_some_and(is_end));
    if is_char && is_compared {
        sink.report(
            node,
            format!(
                "`{}` is a `char`, which cannot represent `EOF`.",
                quote(target.text())
            ),
        );
    }
}

fn compares(binary: Node<'_>, name: &str) -> bool {
    binary.comparison().is_some_and(|comparison| {
        (comparison.left.text() == name && comparison.right.text() == "EOF")
            || (comparison.right.text() == name && comparison.left.text() == "EOF")
    })
}
