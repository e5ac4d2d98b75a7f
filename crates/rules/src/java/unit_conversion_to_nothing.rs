//! A conversion of a time unit that does not change the value, or always returns zero.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/unit-conversion-to-nothing",
    languages: &["Java"],
    title: "Time unit conversion without effect",
    why: "`TimeUnit.MILLISECONDS.toSeconds(400)` is 0, because the remainder is cut off, and \
          `TimeUnit.SECONDS.toSeconds(5)` is 5. In both cases another unit was probably intended.",
    fix: "Name the unit of the number before the dot, and the target unit after `to`.",
    references: &[
        "CWE-682",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/TimeUnit.html",
    ],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
-long wait = TimeUnit.SECONDS.toMillis(5);
+long wait = TimeUnit.MILLISECONDS.toMillis(5);
^
"#,
        r#"
+long wait = TimeUnit.MILLISECONDS.toSeconds(400);
^
"#,
    ],
    negative: &[
        r#"
+long wait = TimeUnit.SECONDS.toMillis(5);
+long shown = TimeUnit.MILLISECONDS.toSeconds(4000);
+long other = unit.toMillis(5);
"#,
        r#"
@@ void wait() {
         long old = TimeUnit.MILLISECONDS.toMillis(5);
+        long wait = TimeUnit.MINUTES.toSeconds(1);
+        long days = TimeUnit.HOURS.toDays(count);
"#,
    ],
};

/// Units with their methods and their length in nanoseconds.
const UNITS: &[(&str, &str, i128)] = &[
    ("NANOSECONDS", "toNanos", 1),
    ("MICROSECONDS", "toMicros", 1_000),
    ("MILLISECONDS", "toMillis", 1_000_000),
    ("SECONDS", "toSeconds", 1_000_000_000),
    ("MINUTES", "toMinutes", 60_000_000_000),
    ("HOURS", "toHours", 3_600_000_000_000),
    ("DAYS", "toDays", 86_400_000_000_000),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| call.name.starts_with("to") && call.arguments.len() == 1)
    else {
        return;
    };
    let Some((_, _, to)) = UNITS.iter().find(|(_, method, _)| *method == call.name) else {
        return;
    };
    let Some(receiver) = call
        .receiver
        .filter(|of| of.is(&["identifier", "field_access"]))
    else {
        return;
    };
    let Some((_, _, from)) = UNITS
        .iter()
        .find(|(unit, ..)| *unit == receiver.last_name())
    else {
        return;
    };
    let value: Option<i128> = call.arguments.first().and_then(|one| {
        let text: String = one
            .text()
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '_')
            .collect();
        text.trim_end_matches(['l', 'L']).parse().ok()
    });
    if from == to {
        sink.report(
            node,
            format!(
                "`{}` converts a number to its own unit, which has no effect.",
                quote(node.text())
            ),
        );
    } else if value.is_some_and(|value| value != 0 && (value * from) / to == 0) {
        sink.report(
            node,
            format!(
                "`{}` is always 0: the number is less than one target unit.",
                quote(node.text())
            ),
        );
    }
}
