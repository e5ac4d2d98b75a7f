//! A pointer that is set to an address before the start of an array.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::c::flow::{last_set, uncast};
use syntax::semantics::c::types::{declared, number};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/pointer-before-start",
    languages: &["C", "C++"],
    title: "Pointer before the start of a buffer",
    why: "Reading or writing through the pointer accesses other variables or the heap's own data. Even computing such \
          a pointer is undefined behavior.",
    fix: "Start at the beginning of the buffer, and adjust the index instead of the pointer.",
    references: &["CWE-786", "CWE-823"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["binary_expression", "subscript_expression"]),
        run,
    },
    positive: &[
        r#"
+void run(void) {
+    char text[16];
+    char *p = text - 8;
^
+    text[-1] = 0;
^
+}
"#,
        r#"
+void run(void) {
+    char *memory = (char *)malloc(100);
+    char *data = memory - 8;
^
+    use(data);
+}
"#,
    ],
    negative: &[
        r#"
+void run(char *end) {
+    char text[16];
+    char *p = text + 16 - 8;
+    char *q = end - 8;
+    char *r = text;
+    r += 4;
+    r = r - 2;
+    int n = p - text;
+}
"#,
        r#"
+char last(void) {
+    char *memory = malloc(100);
+    char *end = memory + 100;
+    end -= 8;
+    return end[-1];
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let base = match node.kind() {
        "binary_expression" => {
            let Some(binary) = node.binary().filter(|binary| binary.operator == "-") else {
                return;
            };
            number(binary.right)
                .filter(|distance| *distance > 0)
                .map(|_| binary.left)
        }
        _ => {
            let index = node
                .field("indices")
                .or_else(|| node.named_children().nth(1));
            let text = index.map_or("", Node::text).trim_matches(['[', ']', ' ']);
            let is_below = text
                .strip_prefix('-')
                .is_some_and(|digits| digits.parse::<u32>().is_ok_and(|n| n > 0));
            node.field("argument").filter(|_| is_below)
        }
    };
    let Some(base) = base
        .map(Node::unparenthesised)
        .filter(|base| base.is(&["identifier"]) && is_start(*base))
    else {
        return;
    };
    sink.report(
        node,
        format!(
            "`{}` is the start of the buffer, and `{}` points before it.",
            quote(base.text()),
            quote(node.text())
        ),
    );
}

/// Whether it is a local array, or was just set to newly allocated memory or to such an array.
fn is_start(base: Node<'_>) -> bool {
    let is_array = |node: Node<'_>| {
        declared(node).is_some_and(|variable| {
            variable.array.is_some()
                && variable.stars == 0
                && variable.is_local()
                && !variable.is_parameter
        })
    };
    if is_array(base) {
        return true;
    }
    let Some(value) = last_set(base).map(uncast) else {
        return false;
    };
    let is_fresh = value.is(&["call_expression"])
        && value
            .call()
            .is_some_and(|call| matches!(call.callee, "malloc" | "calloc" | "alloca" | "_alloca"));
    is_fresh
        || value.is(&["identifier"]) && is_array(value)
        || value.is(&["new_expression"]) && value.text().ends_with(']')
}
