//! A function that returns a value on some paths but reaches its end on another.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/path-without-return",
    languages: &["C", "C++"],
    title: "Missing return on a path",
    why: "If the function reaches its end without a return, the caller reads an undefined value. In C++ reaching the \
          end is itself undefined behavior, so the compiler may assume that it never happens and drop the test before \
          it.",
    fix: "Return a value on every path.",
    references: &["CWE-758", "https://en.cppreference.com/w/c/language/return"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["function_definition"]),
        run,
    },
    positive: &[
        r#"
+int find(int *all, int size, int wanted) {
+    for (int i = 0; i < size; i++)
^
+        if (all[i] == wanted)
+            return i;
+}
"#,
        r#"
+const char *name(int state) {
+    if (state == 1)
^
+        return "open";
+}
"#,
    ],
    negative: &[
        r#"
+int find(int *all, int size, int wanted) {
+    for (int i = 0; i < size; i++)
+        if (all[i] == wanted)
+            return i;
+    return -1;
+}
"#,
        r#"
+void run(int a) {
+    if (a)
+        return;
+}
+int wait(void) {
+    for (;;) {
+        if (ready()) return 1;
+    }
+}
+int both(int a) {
+    if (a) {
+        return 1;
+    } else {
+        return 2;
+    }
+}
+int main(int c, char **v) {
+    if (c) return 1;
+}
+int loop(void) {
+    while (1) {
+        if (ready()) return 1;
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((function, body)) = node
        .function()
        .and_then(|function| Some((function, function.body?)))
    else {
        return;
    };
    let is_whole = node.is_within_hunk() && body.is(&["compound_statement"]) && body.is_usable();
    if !is_whole || function.name.text() == "main" || !returns_value(node) {
        return;
    }
    let Some(last) = body
        .named_children()
        .filter(|part| !part.kind().starts_with("preproc"))
        .last()
    else {
        return;
    };
    let returns = body
        .descendants()
        .any(|part| part.is(&["return_statement"]) && part.named_children().next().is_some());
    let is_odd = body.descendants().any(|part| {
        part.is(&[
            "goto_statement", "labeled_statement", "gnu_asm_expression", "co_return_statement",
        ]) || part.kind().starts_with("preproc")
    });
    if returns && !is_odd && falls_through(last) {
        sink.report(
            last,
            format!(
                "`{}` reaches its end without returning a value when this statement does not return.",
                quote(function.name.text())
            ),
        );
    }
}

/// Whether its declared type is simple and not `void`.
fn returns_value(node: Node<'_>) -> bool {
    let kind = node.field("type").map_or("", Node::text);
    let is_pointer = node
        .field("declarator")
        .is_some_and(|declarator| declarator.is(&["pointer_declarator"]));
    !kind.is_empty()
        && (is_pointer || !matches!(kind, "void" | "auto"))
        && kind.chars().any(|c| c.is_ascii_lowercase())
}

/// Whether it is an `if` without an `else`, or a loop with a condition that can end it.
fn falls_through(last: Node<'_>) -> bool {
    match last.kind() {
        "if_statement" => last.field("alternative").is_none() && !is_constant(last),
        "for_statement" | "while_statement" => last.condition().is_some() && !is_constant(last),
        "for_range_loop" => true,
        _ => false,
    }
}

fn is_constant(statement: Node<'_>) -> bool {
    let calls_back = |condition: Node<'_>| {
        condition
            .all(Role::Call)
            .any(|call| call.text().starts_with("assert"))
    };
    statement.condition().is_none_or(|condition| {
        condition.is(&["number_literal", "true", "false"])
            || condition
                .text()
                .chars()
                .all(|c| c.is_ascii_uppercase() || c == '_')
            || calls_back(condition)
    }) || statement.text().starts_with("if constexpr")
}
