//! The size of a pointer where the size of its target was intended.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/size-of-pointer",
    languages: &["C", "C++"],
    title: "sizeof applied to a pointer instead of its target",
    why: "The size of a pointer is 4 or 8 bytes, however big the buffer is, and an array parameter is a pointer too. \
          Usually too little is cleared, copied or allocated, and later code uses memory past that.",
    fix: "Use `sizeof(*pointer)` times the number of elements, or pass the size as a parameter.",
    references: &["CWE-467"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["sizeof_expression"]),
        run,
    },
    positive: &[
        r#"
+void reset(struct state *s) {
+    memset(s, 0, sizeof(s));
^
+}
"#,
        r#"
+int sum(int values[10]) {
+    int total = 0;
+    for (int i = 0; i < sizeof(values) / sizeof(values[0]); i++)
^
+        total += values[i];
+    return total;
+}
"#,
        r#"
+struct state *make(void) {
+    struct state *s = malloc(sizeof(s));
^
+    return s;
+}
"#,
    ],
    negative: &[
        r#"
+void reset(struct state *s, void **list) {
+    char name[8];
+    int values[4];
+    char **names = malloc(3 * sizeof(*names));
+    memset(s, 0, sizeof(*s));
+    memset(name, 0, sizeof(name));
+    int n = sizeof(values) / sizeof(values[0]);
+    memcpy(buffer, &s, sizeof(s));
+    write(fd, &s, sizeof(s));
+}
"#,
        r#"
+struct state *make(int n) {
+    struct state *s = malloc(n * sizeof(struct state));
+    struct state **all = malloc(n * sizeof(s));
+    all[0] = s;
+    return s;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(measured) = node
        .any_field(&["value"])
        .or_else(|| node.named_children().next())
        .map(|value| value.unparenthesised())
    else {
        return;
    };
    let Some(name) = name_in(measured) else {
        return;
    };
    let Some(variable) =
        declared(name).filter(|variable| variable.is_pointer() && !variable.is_reference)
    else {
        return;
    };
    let is_text = variable.stars == 1;
    if counts_elements(node, name) && (is_text || variable.array.is_some()) {
        sink.report(
            node,
            format!(
                "`{}` is a pointer here, so this is not the number of elements.",
                quote(name.text())
            ),
        );
    } else if is_passed_with(node, name) {
        sink.report(
            node,
            format!(
                "`{}` is a pointer, so `{}` is the size of the pointer, not of its target.",
                quote(name.text()),
                quote(node.text())
            ),
        );
    }
}

/// The grammar parses `sizeof(x)` as the size of a type if the name could be one.
fn name_in(measured: Node<'_>) -> Option<Node<'_>> {
    measured.is(&["identifier"]).then_some(measured)
}

/// `sizeof(p) / sizeof(p[0])`
fn counts_elements(node: Node<'_>, name: Node<'_>) -> bool {
    let Some(binary) = node
        .parent()
        .and_then(Node::binary)
        .filter(|binary| binary.operator == "/" && binary.left == node)
    else {
        return false;
    };
    let below = binary.right.unparenthesised();
    below.is(&["sizeof_expression"])
        && below.names().any(|part| part.text() == name.text())
        && below.text().contains(['*', '['])
}

/// Whether the pointer is passed together with its size to a function that fills or copies, or is allocated with its
/// own size.
fn is_passed_with(node: Node<'_>, name: Node<'_>) -> bool {
    const FILLERS: &[&str] = &[
        "memset", "memcpy", "memmove", "strncpy", "snprintf", "bzero", "fgets", "strlcpy",
        "strncat", "memcmp", "explicit_bzero", "ZeroMemory", "strncmp",
    ];
    const MAKERS: &[&str] = &[
        "malloc", "calloc", "realloc", "kmalloc", "kzalloc", "xmalloc", "g_malloc", "g_malloc0",
        "alloca",
    ];
    let Some(around) = node.enclosing(Role::Call) else {
        return false;
    };
    let Some(call) = around.call() else {
        return false;
    };
    let called = call.callee.trim_start_matches("std::");
    let is_argument = call
        .arguments
        .iter()
        .any(|argument| argument.unparenthesised().text() == name.text());
    let is_size = node.parent().is_some_and(|parent| {
        parent.is(&["argument_list"])
            || parent
                .binary()
                .is_some_and(|binary| binary.operator == "-" || binary.operator == "*")
    });
    let assigned = around
        .ancestors()
        .take(3)
        .find_map(Node::assignment)
        .map(|assignment| assignment.target);
    let is_own = assigned.is_some_and(|target| {
        target
            .leaves()
            .filter(|leaf| leaf.is(&["identifier"]))
            .last()
            .is_some_and(|leaf| leaf.text() == name.text())
            && !target.is(&["subscript_expression", "field_expression"])
    });
    is_size && ((FILLERS.contains(&called) && is_argument) || (MAKERS.contains(&called) && is_own))
}
