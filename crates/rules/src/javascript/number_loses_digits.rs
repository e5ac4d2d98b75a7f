//! Number literals that cannot be represented exactly.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/number-loses-digits",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Number literal with too many digits",
    why: "A number has 53 bits of precision. The last digits of this literal are rounded, so the program uses a \
          different number than the one written; for an ID that is another record.",
    fix: "Write it as a BigInt (with the suffix n) or as a string.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["number"]),
        run,
    },
    positive: &[
        r#"
+const id = 9007199254740993;
^
"#, r#"
+const mask = 0x20000000000001;
^
"#,
    ],
    negative: &[
        r#"
+const id = 9007199254740992;
+const big = 9007199254740993n;
+const far = 1e21;
+const part = 0.1;
+const year = 2_024;
"#,
        r#"
@@ function id() {
   const old = 9007199254740993;
+  return BigInt("9007199254740993") + 0x1fffffffffffffn;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text().replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (text.get(2..), 16),
        Some("0b") => (text.get(2..), 2),
        Some("0o") => (text.get(2..), 8),
        _ => (Some(text.as_str()), 10),
    };
    if radix == 10 {
        if let Some(kept) = kept_decimal(&text) {
            let draft = sink.report(
                node,
                format!(
                    "`{}` is stored as {kept}: a number cannot hold all its digits.",
                    quote(node.text())
                ),
            );
            if text.contains('.') {
                draft.priority(Priority::P3);
            }
        }
        return;
    }
    let Some(number) = digits
        .and_then(|digits| u128::from_str_radix(digits, radix).ok())
        .filter(|number| *number < 1 << 100)
    else {
        return;
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the loss is what is looked for"
    )]
    let kept = number as f64 as u128;
    if kept != number {
        sink.report(
            node,
            format!(
                "`{}` is stored as {kept}: a number cannot hold all its digits.",
                quote(node.text())
            ),
        );
    }
}

/// The actual value of a decimal literal, if it differs.
fn kept_decimal(text: &str) -> Option<String> {
    let mantissa = text.split('e').next()?;
    let octal = mantissa.len() > 1 && mantissa.starts_with('0') && !mantissa.contains('.');
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_matches('0');
    if digits.is_empty() || octal || text.ends_with('n') {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let shown = format!("{value:.*e}", digits.len() - 1);
    let kept: String = shown
        .split('e')
        .next()?
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    (kept.trim_matches('0') != digits).then(|| format!("{value:e}"))
}
