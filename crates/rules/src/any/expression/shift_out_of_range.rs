//! A shift by at least as many bits as the type has, or by a negative number.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/shift-out-of-range",
    languages: &["Java", "C#", "Go"],
    title: "Shift distance outside the width of the type",
    why: "Java and C# use only the lowest five bits of the distance, or six for a long: a shift of an int by 32 does \
          nothing, and by 33 it shifts by one. In Go all bits are shifted out. Either a wider type or another \
          distance is intended.",
    fix: "Convert the left operand to a wider type (`long`, `uint64`) first, or shift by less.",
    references: &["CWE-1335"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "binary_expression", "assignment_expression", "assignment_statement",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+long pack(int high, int low) {
+    return (high << 32) | low;
^
+}
"#,
        r#"
path: src/A.cs
+int Clear(int bits)
+{
+    bits <<= 32;
^
+    return bits;
+}
"#,
        r#"
path: src/a.go
+func high(b uint8) uint8 {
+	return b >> 8
^
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
+long pack(int high, int low, long all) {
+    return ((long) high << 32) | low | all << 40 | 1L << 63;
+}
"#,
        r#"
path: src/a.go
+func high(b uint32, n int) uint64 {
+	return uint64(b) << 40 | 1 << 40 | uint64(n << 40)
+}
"#,
        r#"
path: src/A.cs
+long Pack(int high, int low)
+{
+    return ((long)high << 32) | (uint)low;
+}
"#,
    ],
};

/// The number of bits in a shift of this type.
fn width(kind: &str, language: &str) -> Option<i64> {
    Some(match (language, kind) {
        ("Go", "int8" | "uint8" | "byte") => 8,
        ("Go", "int16" | "uint16") => 16,
        ("Go", "int32" | "uint32" | "rune" | "char") => 32,
        ("Go", "int64" | "uint64") => 64,
        ("Go", _) => return None,
        (
            _,
            "int" | "short" | "byte" | "char" | "uint" | "sbyte" | "ushort" | "Integer" | "Short"
            | "Byte" | "Int32" | "UInt32",
        ) => 32,
        (_, "long" | "ulong" | "Long" | "Int64" | "UInt64") => 64,
        _ => return None,
    })
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((left, operator, right)) = parts(node) else {
        return;
    };
    if !matches!(operator.trim_end_matches('='), "<<" | ">>" | ">>>") {
        return;
    }
    let language = node.tree().grammar().name();
    let Some(distance) = number(right) else {
        return;
    };
    let Some(kind) = type_of(left)
        .or_else(|| (left.is(&["int_literal"]) && language != "Go").then(|| "int".to_owned()))
    else {
        return;
    };
    let constant = left.is(&["int_literal"]) && language == "Go";
    let Some(width) = width(&kind, language).filter(|_| !constant) else {
        return;
    };
    if distance >= width || distance < 0 {
        let effect = if language == "Go" {
            "shifts all bits out".to_owned()
        } else {
            format!("shifts by {}", distance.rem_euclid(width))
        };
        sink.report(
            node,
            format!(
                "`{}` {effect}, because `{kind}` is shifted as {width} bits.",
                quote(node.text())
            ),
        );
    }
}

fn parts(node: Node<'_>) -> Option<(Node<'_>, &str, Node<'_>)> {
    if let Some(binary) = node.binary() {
        return Some((binary.left, binary.operator, binary.right));
    }
    let set = node.assignment()?;
    let only = |side: Node<'_>| -> Option<()> {
        (!side.is(&["expression_list"]) || side.named_children().count() == 1).then_some(())
    };
    only(set.target)?;
    Some((unlisted(set.target), set.operator, unlisted(set.value)))
}

/// Go keeps the sides of an assignment in lists.
fn unlisted(node: Node<'_>) -> Node<'_> {
    if node.is(&["expression_list"]) {
        node.named_children().next().unwrap_or(node)
    } else {
        node
    }
}

fn number(node: Node<'_>) -> Option<i64> {
    let node = node.unparenthesised();
    let text = node.text().replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    digits
        .trim()
        .trim_end_matches(['L', 'l', 'u', 'U'])
        .parse::<i64>()
        .ok()
        .map(|value| sign * value)
}
