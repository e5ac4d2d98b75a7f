//! A comparison with a number outside the range of the type.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/comparison-out-of-range",
    languages: &["Java", "C#", "Go"],
    title: "Comparison with a number out of range",
    why: "The type cannot represent the number that it is compared with, so the result is always the same: a Java \
          `byte` ranges from -128 to 127 and is never 255, an unsigned number is never below 0, and a `char` is never \
          -1.",
    fix: "Convert first, as in `(b & 0xff) == 255`, store the result of `read()` in an `int`, or compare with a number \
          within the range.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["binary_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+boolean isMark(byte b) {
+    return b == 0xff;
^
+}
"#,
        r#"
path: src/a.go
+func ok(n uint) bool {
+	return n >= 0
^
+}
"#,
        r#"
path: src/A.cs
+bool Low(uint n)
+{
+    return n < 0;
^
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
+boolean isMark(byte b, char c, int n) {
+    return (b & 0xff) == 0xff || b == -1 || c == 65535 || n < 0;
+}
"#,
        r#"
path: src/a.go
+func ok(n uint, b byte) bool {
+	return n > 0 && b < 255 && b <= 254
+}
"#,
        r#"
path: src/A.cs
+bool IsMark(byte b)
+{
+    return b == 0xff || b > 0;
+}
"#,
    ],
};

fn range(kind: &str, language: &str) -> Option<(i128, i128)> {
    Some(match (language, kind) {
        ("Java", "byte" | "Byte") | ("C#", "sbyte") | ("Go", "int8") => (-128, 127),
        ("Java" | "C#", "short" | "Short") | ("Go", "int16") => (-32_768, 32_767),
        ("Java", "char" | "Character") | ("C#", "char" | "ushort") | ("Go", "uint16") => {
            (0, 65_535)
        }
        ("C#", "byte") | ("Go", "uint8" | "byte") => (0, 255),
        ("C#", "uint") | ("Go", "uint32") => (0, i128::from(u32::MAX)),
        ("C#", "ulong") | ("Go", "uint64" | "uint" | "uintptr") => (0, i128::from(u64::MAX)),
        ("Go", "int32") | ("Java" | "C#", "int") => (i128::from(i32::MIN), i128::from(i32::MAX)),
        ("Java" | "C#", "long") | ("Go", "int64") => (i128::from(i64::MIN), i128::from(i64::MAX)),
        _ => return None,
    })
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node.comparison() else {
        return;
    };
    let language = node.tree().grammar().name();
    let (value, number, operator) = match (number(binary.left), number(binary.right)) {
        (None, Some(number)) => (binary.left, number, binary.operator),
        (Some(number), None) => (binary.right, number, turned(binary.operator)),
        _ => return,
    };
    let Some(kind) = type_of(value).filter(|_| !value.is(&["character_literal", "rune_literal"]))
    else {
        return;
    };
    let Some((low, high)) = range(&kind, language) else {
        return;
    };
    let always = match operator {
        "==" if number < low || number > high => false,
        "!=" if number < low || number > high => true,
        "<" if number <= low => false,
        "<" if number > high => true,
        "<=" if number < low => false,
        "<=" if number >= high => true,
        ">" if number >= high => false,
        ">" if number < low => true,
        ">=" if number > high => false,
        ">=" if number <= low => true,
        _ => return,
    };
    sink.report(
        node,
        format!(
            "`{}` is always {always}: `{kind}` ranges from {low} to {high}.",
            quote(node.text())
        ),
    );
}

fn turned(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn number(node: Node<'_>) -> Option<i128> {
    let node = node.unparenthesised();
    let text = node.text().replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest.trim()),
        None => (1, text.as_str()),
    };
    let known = match digits {
        "math.MaxUint8" => Some(255),
        "math.MaxInt8" | "Byte.MAX_VALUE" => Some(127),
        "math.MinInt8" | "Byte.MIN_VALUE" => Some(-128),
        "math.MaxInt16" | "Short.MAX_VALUE" => Some(32_767),
        "math.MaxUint16" => Some(65_535),
        "math.MaxInt32" | "Integer.MAX_VALUE" | "int.MaxValue" => Some(i128::from(i32::MAX)),
        "math.MinInt32" | "Integer.MIN_VALUE" | "int.MinValue" => Some(i128::from(i32::MIN)),
        "math.MaxUint32" => Some(i128::from(u32::MAX)),
        "math.MaxUint64" => Some(i128::from(u64::MAX)),
        "math.MaxInt64" | "Long.MAX_VALUE" => Some(i128::from(i64::MAX)),
        "math.MinInt64" | "Long.MIN_VALUE" => Some(i128::from(i64::MIN)),
        _ => None,
    };
    if known.is_some() {
        return known.map(|value| sign * value);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let value = match lower.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex.trim_end_matches('l'), 16).ok()?,
        None => lower.trim_end_matches(['l', 'u']).parse().ok()?,
    };
    // In Java and C#, eight hexadecimal digits may denote a negative `int`.
    (!lower.starts_with("0x") || lower.len() < 10).then_some(sign * value)
}
