//! Amounts of money that are multiplied as fractions and truncated.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Priority};
use syntax::semantics::secrets::LazyPattern;

pub(crate) const RULE: Rule = Rule {
    id: "any/money-truncated",
    languages: &[],
    title: "Amount of money cut off after a multiplication",
    why: "A binary fraction is rarely exact: 1.15 times 100 is 114.99999999999999, and the conversion to an integer drops the \
          fraction. The amount is then a cent too low.",
    fix: "Round before the conversion, or calculate with a decimal type.",
    references: &["CWE-682", "CWE-1339"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        r#"
path: app/Helpers/MoneyHelper.php
-        return (int) $money->getAmount();
+        return (int) ((float) $value * 100);
^
"#,
        r#"
path: src/pay.py
+    cents = int(price * 100)
^
"#,
        r#"
path: src/pay.js
+  const cents = Math.floor(amount * 100);
^
+  const other = parseInt(order.total * 100, 10);
^
"#,
        r#"
path: src/Pay.java
+        long cents = (long) (price * 100);
^
"#,
        r#"
path: src/Pay.kt
+    val cents = (amount * 100).toInt()
^
"#,
        r#"
path: src/pay.rb
+    cents = (price * 100).to_i
^
"#,
        r#"
path: src/pay.rs
+    let cents = (amount * 100.0) as i64;
^
"#,
        r#"
path: src/pay.go
+	cents := int64(price * 100.0)
^
"#,
    ],
    negative: &[
        r#"
path: src/pay.py
+    cents = int(round(price * 100))
+    cents = int(Decimal(price) * 100)
+    percent = int(ratio * 100)
"#,
        r#"
path: src/pay.js
+  const cents = Math.round(amount * 100);
+  const width = Math.floor(progress * 100);
"#,
        r#"
path: src/pay.go
+	cents := int64(dollars * 100)
"#,
        r#"
path: src/Pay.java
+        long percent = (long) (price / total * 100);
"#,
    ],
};

/// A product with 100 that is converted to an integer, with the factor before it.
static CUT: LazyPattern = LazyPattern::new(
    r"(?:\b(?:int|intval|Math\.floor|Math\.trunc|parseInt|floor|int64|int32|i64|trunc)\s*\(\s*|\(\s*(?:int|long|integer|Int32|Int64)\s*\)\s*\(\s*|\()((?:\(\s*(?:float|double)\s*\)\s*|float\(\s*|parseFloat\(\s*|Number\(\s*)?[$\w][\w.$\[\]'>-]*\)?)\s*\*\s*(?:100(?:\.0*)?|1e2)\s*(?:,\s*10\s*)?\)(?:\s*\.?(to_i|toInt|toLong|as [iu]\d+|intValue)\b)?",
);

const MONEY: &[&str] = &[
    "amount", "price", "cost", "money", "monetary", "cents", "balance", "currency", "payment",
    "total", "fee", "salary", "invoice",
];
const OTHERS: &[&str] = &[
    "percent", "ratio", "progress", "pct", "opacity", "score", "confidence", "share", "/", "round",
    "decimal",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let has = |text: &str, list: &[&str]| {
        let lower = text.to_ascii_lowercase();
        list.iter().any(|word| lower.contains(word))
    };
    let is_typed = matches!(context.file.language, "Go" | "Rust" | "C" | "C++");
    let is_about_money = |line: &str| {
        has(line, MONEY)
            || has(
                context.file.path.rsplit('/').next().unwrap_or_default(),
                MONEY,
            )
    };
    for line in context.added().filter(|line| line.text.contains('*')) {
        let Some(found) = CUT
            .get()
            .and_then(|pattern| pattern.captures(line.text.as_bytes()))
        else {
            continue;
        };
        let part = |index: usize| {
            found
                .get(index)
                .and_then(|part| line.text.get(part.range()))
                .unwrap_or_default()
        };
        let (whole, factor) = (part(0), part(1));
        // A product that is only in parentheses is truncated only by the code after it.
        let is_cut = !whole.starts_with('(')
            || !part(2).is_empty()
            || whole.starts_with("(int")
            || whole.starts_with("(long");
        let is_fraction = !is_typed || whole.contains('.') || whole.contains("1e2");
        if is_cut && is_fraction && is_about_money(line.text) && !has(line.text, OTHERS) {
            let factor = factor.trim_end_matches(')');
            sink.report(
                line,
                format!(
                    "The product of `{}` and 100 is cut off, not rounded.",
                    quote(factor)
                ),
            );
        }
    }
}
