//! A comparison of masked bits with a value that the mask cannot produce.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::{Binary, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/impossible-bit-mask",
    languages: &[],
    title: "Bit mask comparison with an impossible value",
    why: "`x & mask` has only bits of the mask, and `x | mask` has all of them. A comparison with a value outside that \
          set always has the same result, so the condition tests nothing.",
    fix: "Compare with 0, or with a value made of bits of the mask.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
path: src/a.c
+int ready(int flags) {
+    return (flags & 4) == 1;
^
+}
"#,
        r#"
path: src/a.rs
+fn ready(flags: u32) -> bool {
+    flags | 1 == 2 || flags & 0 == 0
^
+}
"#,
        r#"
path: src/A.java
 class A {
     boolean ready(int flags) {
+        return (flags & 3) > 8;
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.c
+int ready(int flags) {
+    return (flags & 4) == 4 || (flags & 6) != 0 || (flags | 1) == 3 || (flags & 7) > 2 || flags & (4 == 1) || (flags & MASK) == 1;
+}
"#,
        r#"
path: src/a.py
+ready = flags & 4 == 4
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(comparison) = node.comparison() else {
        return;
    };
    let (masked, limit, operator) = match (
        masked(comparison.left),
        number(comparison.right),
        masked(comparison.right),
        number(comparison.left),
    ) {
        (Some(masked), Some(limit), _, _) => (masked, limit, comparison.operator),
        (_, _, Some(masked), Some(limit)) => (masked, limit, turned(comparison.operator)),
        _ => return,
    };
    if let Some(answer) = answer(masked.0, masked.1, operator, limit) {
        sink.report(
            node,
            format!(
                "`{}` is always {answer}, regardless of the bits.",
                quote(node.text())
            ),
        );
    }
}

/// The operator and the mask in `x & 4` and `x | 4`.
fn masked(node: Node<'_>) -> Option<(char, u128)> {
    let Binary {
        left,
        operator,
        right,
    } = node.unparenthesised().binary()?;
    let mask = number(right).xor(number(left))?;
    let sign = operator.chars().next().filter(|_| operator.len() == 1)?;
    matches!(sign, '&' | '|').then_some((sign, mask))
}

fn turned(operator: &str) -> &str {
    match operator {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        other => other,
    }
}

/// The result, if it is constant. Order comparisons are evaluated only for masks below the sign bit.
fn answer(sign: char, mask: u128, operator: &str, limit: u128) -> Option<bool> {
    let can_be_equal = if sign == '&' {
        limit & !mask == 0
    } else {
        limit & mask == mask
    };
    match operator {
        "==" | "===" if !can_be_equal => Some(false),
        "!=" | "!==" if !can_be_equal => Some(true),
        "==" | "===" if sign == '&' && mask == 0 && limit == 0 => Some(true),
        _ if mask > 0x7FFF_FFFF || sign == '|' => None,
        "<" if mask < limit => Some(true),
        "<=" if mask <= limit => Some(true),
        ">" if mask <= limit => Some(false),
        ">=" if mask < limit => Some(false),
        _ => None,
    }
}

fn number(node: Node<'_>) -> Option<u128> {
    let node = node.unparenthesised();
    if !node.has_role(Role::Number) {
        return None;
    }
    let text = node.text().replace(['_', '\''], "").to_ascii_lowercase();
    let (digits, base) = match text.get(..2) {
        Some("0x") => (text.get(2..)?, 16),
        Some("0b") => (text.get(2..)?, 2),
        Some("0o") => (text.get(2..)?, 8),
        _ if text.len() > 1
            && text.starts_with('0')
            && text.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            (text.get(1..)?, 8)
        }
        _ => (text.as_str(), 10),
    };
    let end = digits
        .find(|c: char| !c.is_digit(base))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let is_suffix = suffix.is_empty() || suffix.starts_with(['u', 'l', 'i']) && suffix.len() <= 5;
    u128::from_str_radix(digits, base)
        .ok()
        .filter(|_| is_suffix)
}
