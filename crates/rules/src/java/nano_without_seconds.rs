//! The nanosecond part of a time without its seconds.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/nano-without-seconds",
    languages: &["Java"],
    title: "Seconds of a time value ignored",
    why: "`getNano` returns the nanoseconds within the second, from 0 to 999,999,999, not the whole time in \
          nanoseconds. Used alone it loses the seconds: the value for two hours is 0.",
    fix: "Use `toNanos` or `toMillis` for the whole value, or combine the result with the seconds.",
    references: &[
        "CWE-682",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/Duration.html",
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
 long nanos(Duration time) {
-        return time.toNanos();
+        return time.getNano();
^
     }
"#,
        r#"
+    long nanos() {
+        Instant now = Instant.now();
+        return now.getNano();
^
+    }
"#,
    ],
    negative: &[
        r#"
+    long nanos(Duration time) {
+        return time.getSeconds() * 1_000_000_000L + time.getNano();
+    }
"#,
        r#"
+    int fraction(LocalTime time) {
+        return time.getNano();
+    }
"#,
    ],
};

const WHOLE: &[&str] = &[
    "getSeconds", "getEpochSecond", "toSeconds", "toMillis", "toEpochMilli", "getTime(", "toSecond",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| matches!(call.name, "getNano" | "getNanos"))
    else {
        return;
    };
    let Some(receiver) = call.receiver.filter(|_| call.arguments.is_empty()) else {
        return;
    };
    let kind = type_of(receiver).or_else(|| made_by(receiver));
    let fits = match kind.as_deref() {
        Some("Instant") => call.name == "getNano",
        Some("Duration") => true,
        Some("Timestamp") => call.name == "getNanos",
        _ => false,
    };
    if !fits {
        return;
    }
    let scope = node
        .enclosing(Role::Function)
        .or_else(|| node.ancestors().find(|around| around.is(&["class_body"])));
    if scope.is_none_or(|scope| WHOLE.iter().any(|name| scope.text().contains(name))) {
        return;
    }
    sink.report(
        node,
        format!(
            "`{}` returns only the fraction of the second: the seconds are lost.",
            quote(node.text())
        ),
    );
}

fn made_by(node: Node<'_>) -> Option<String> {
    let receiver = if node.is(&["method_invocation"]) {
        node.call()?.receiver?
    } else {
        node.receiver()?
    };
    let name = node.call().map_or(node.last_name(), |call| call.name);
    let makes = matches!(
        name,
        "now" | "EPOCH" | "ZERO" | "getDefaultInstance" | "between"
    ) || name.starts_with("of");
    (makes && receiver.is(&["identifier"])).then(|| receiver.text().to_owned())
}
