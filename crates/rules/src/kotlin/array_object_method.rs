//! `equals`, `hashCode` and `toString` of an array, which ignore its content.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::{declared, type_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "kotlin/array-object-method",
    languages: &["Kotlin"],
    title: "Array compared, hashed or printed by identity",
    why: "Arrays inherit `equals`, `hashCode` and `toString` from `Any`, which use the identity of the array and not \
          its content. Two arrays with the same elements are not equal, hash differently and print as something like \
          `[I@1b6d3586`.",
    fix: "Use `contentEquals`, `contentHashCode` or `contentToString`, or their `contentDeep…` variants for nested \
          arrays.",
    references: &["CWE-595", "https://kotlinlang.org/docs/arrays.html"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call, Role::Binary]),
        run,
    },
    positive: &[
        r#"
+fun same(a: ByteArray, b: ByteArray): Boolean {
+    return a == b
^
+}
"#,
        r#"
+fun show(names: Array<String>) {
+    println(names.toString() + names.hashCode())
^
+}
"#,
        r#"
+fun show() {
+    val numbers = intArrayOf(1, 2)
+    println(numbers.toString())
^
+}
"#,
    ],
    negative: &[
        r#"
+fun same(a: ByteArray, b: ByteArray?, c: List<Int>): Boolean {
+    println(c.toString())
+    return a.contentEquals(b) && b == null
+}
"#,
        r#"
@@ fun show(names: Array<String>) {
     println(names.toString())
+    println(names.contentToString() + names.toList().hashCode())
+    println(names.size == 3)
"#,
    ],
};

fn is_array(node: Node<'_>) -> bool {
    let typed = type_of(node).is_some_and(|kind| {
        kind == "Array"
            || matches!(
                kind.as_str(),
                "ByteArray"
                    | "IntArray"
                    | "LongArray"
                    | "ShortArray"
                    | "CharArray"
                    | "FloatArray"
                    | "DoubleArray"
                    | "BooleanArray"
                    | "UByteArray"
                    | "UIntArray"
            )
    });
    let made = |value: Node<'_>| {
        value.call().is_some_and(|call| {
            call.name.ends_with("rrayOf")
                || call.name.ends_with("Array") && call.name.starts_with(|c: char| c.is_uppercase())
        })
    };
    typed
        || declared(node).is_some_and(|found| found.kind.is_none() && found.value.is_some_and(made))
        || made(node)
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let array = if let Some(binary) = node.comparison() {
        let plain = matches!(binary.operator, "==" | "!=")
            && !binary.left.is_null()
            && !binary.right.is_null();
        Some(binary.left).filter(|left| plain && is_array(*left) && is_array(binary.right))
    } else {
        let Some(call) = node.call() else { return };
        let shape = matches!(
            (call.name, call.arguments.len()),
            ("toString" | "hashCode", 0) | ("equals", 1)
        );
        call.receiver
            .filter(|receiver| shape && is_array(*receiver))
    };
    if let Some(array) = array {
        sink.report(
            node,
            format!(
                "`{}` uses the identity of the array `{}`, not its content.",
                quote(node.text()),
                quote(array.text())
            ),
        );
    }
}
