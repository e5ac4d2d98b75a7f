//! A `BigDecimal` constructed from a binary floating-point number.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::is_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/big-decimal-from-double",
    languages: &["Java"],
    title: "BigDecimal constructed from a double",
    why: "A double cannot represent most decimal fractions: `new BigDecimal(0.1)` is \
          0.1000000000000000055511151231257827…. Sums of money and comparisons are then wrong by tiny amounts.",
    fix: "Pass the number as a string, `new BigDecimal(\"0.1\")`, or use `BigDecimal.valueOf`.",
    references: &[
        "CWE-704",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/math/BigDecimal.html",
    ],
    priority: Priority::P2,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["object_creation_expression"]),
        run,
    },
    positive: &[
        r#"
@@ BigDecimal tax() {
-        return new BigDecimal("0.19");
+        return new BigDecimal(0.19);
^
     }
"#,
        r#"
+    BigDecimal of(double price) {
+        return new BigDecimal(price);
^
+    }
"#,
    ],
    negative: &[
        r#"
@@ BigDecimal tax() {
+        return new BigDecimal("0.19");
     }
"#,
        r#"
+    BigDecimal of(double price, int count) {
+        use(new BigDecimal(count));
+        return BigDecimal.valueOf(price);
+    }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| call.name == "BigDecimal") else {
        return;
    };
    let Some(value) = call
        .arguments
        .first()
        .filter(|value| is_of(**value, &["double", "float", "Double", "Float"]))
    else {
        return;
    };
    let exact = value.is(&["decimal_floating_point_literal"]) && is_exact(value.text());
    let finding = sink.report(
        node,
        format!(
            "`{}` keeps the rounding error of the double.",
            quote(node.text())
        ),
    );
    if exact {
        finding.priority(Priority::P3);
    }
}

/// Halves and quarters are exact in both systems.
fn is_exact(text: &str) -> bool {
    let number = text.trim_end_matches(['d', 'D', 'f', 'F']);
    number.split_once('.').is_none_or(|(_, fraction)| {
        matches!(fraction.trim_end_matches('0'), "" | "5" | "25" | "75")
    })
}
