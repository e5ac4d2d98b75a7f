//! Arithmetic on a variable that was just set to the limit of its type.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::c::flow::{last_set, uncast};
use syntax::semantics::c::types::{declared, number};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/limit-overflowed",
    languages: &["C", "C++"],
    title: "Arithmetic past the limit of a type",
    why: "The variable was just set to the limit of its type. A step further wraps around to the other end for an \
          unsigned type and is undefined for a signed one, so a large number becomes a small or negative one.",
    fix: "Compare with the limit first, or compute in a wider type.",
    references: &["CWE-190"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["binary_expression", "update_expression"]),
        run,
    },
    positive: &[
        r#"
+void run(void) {
+    int size = INT_MAX;
+    int more = size + 1;
^
+    unsigned int left = 0;
+    left--;
^
+}
"#,
        r#"
+long next(void) {
+    long most = LONG_MAX;
+    most++;
^
+    return most;
+}
"#,
    ],
    negative: &[
        r#"
+void run(void) {
+    int size = INT_MAX;
+    int less = size - 1;
+    unsigned int left = 0;
+    left++;
+    int n = 0;
+    n--;
+    unsigned long end = ULONG_MAX;
+    for (unsigned i = 0; i < 3; i++)
+        use(i - 1, size / 2);
+}
"#,
        r#"
+void run(int count) {
+    int size = INT_MAX;
+    size = count;
+    size++;
+    unsigned int left = 0;
+    left = left + 1;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (operand, goes_up) = if node.is(&["update_expression"]) {
        (node.field("argument"), node.text().contains("++"))
    } else {
        let Some(binary) = node.binary() else { return };
        let by = number(binary.right);
        match (binary.operator, by) {
            ("+", Some(by)) if by > 0 => (Some(binary.left), true),
            ("*", Some(by)) if by > 1 => (Some(binary.left), true),
            ("-", Some(by)) if by > 0 => (Some(binary.left), false),
            ("*", None) if binary.left.text() == binary.right.text() => (Some(binary.left), true),
            _ => return,
        }
    };
    let Some(operand) = operand
        .map(Node::unparenthesised)
        .filter(|operand| operand.is(&["identifier"]))
    else {
        return;
    };
    let Some(value) = last_set(operand).map(uncast) else {
        return;
    };
    let Some(variable) =
        declared(operand).filter(|variable| variable.stars == 0 && variable.array.is_none())
    else {
        return;
    };
    let text = value.text();
    let is_limit = if goes_up {
        is_of(variable.kind, text, "MAX")
    } else {
        is_of(variable.kind, text, "MIN") || variable.is_unsigned() && text == "0"
    };
    if is_limit && !(node.is(&["binary_expression"]) && text == "0") {
        sink.report(
            node,
            format!(
                "`{}` is `{}` here, so this exceeds the range of its type.",
                quote(operand.text()),
                quote(text)
            ),
        );
    } else if is_limit
        && node
            .parent()
            .is_some_and(|around| !around.is(&["subscript_expression", "argument_list"]))
    {
        sink.report(
            node,
            format!(
                "`{}` is 0 here and unsigned, so this wraps around.",
                quote(operand.text())
            ),
        );
    }
}

/// Whether the limit is that of this type and not of a smaller one.
fn is_of(kind: &str, limit: &str, end: &str) -> bool {
    let Some(name) = limit
        .strip_suffix(end)
        .and_then(|name| name.strip_suffix('_'))
    else {
        return false;
    };
    let kind = kind.trim_start_matches("const ").trim();
    let is_unsigned = kind.starts_with("unsigned") || kind.starts_with("uint") || kind == "size_t";
    match name {
        "INT" => kind == "int",
        "UINT" => matches!(kind, "unsigned" | "unsigned int" | "uint32_t"),
        "LONG" => matches!(kind, "long" | "long int"),
        "ULONG" => kind == "unsigned long",
        "LLONG" => matches!(kind, "long long" | "int64_t"),
        "ULLONG" => matches!(kind, "unsigned long long" | "uint64_t"),
        "SHRT" => kind == "short",
        "USHRT" => kind == "unsigned short",
        "CHAR" | "SCHAR" => matches!(kind, "char" | "signed char"),
        "UCHAR" => kind == "unsigned char",
        "INT64" => matches!(kind, "int64_t" | "long long"),
        "INT32" => matches!(kind, "int32_t" | "int"),
        "SIZE" => kind == "size_t",
        "UINT64" | "UINT32" => is_unsigned && !kind.contains("16"),
        _ => false,
    }
}
