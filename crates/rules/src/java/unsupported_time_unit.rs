//! A unit that a date or time does not support.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/unsupported-time-unit",
    languages: &["Java"],
    title: "Time unit not supported by the date or time",
    why: "A `LocalDate` has no hours, an `Instant` has no months, and a `Period` has no seconds. The call compiles, \
          because the unit is only an argument, and throws `UnsupportedTemporalTypeException` every time.",
    fix: "Use a unit that the type supports, or a type that supports the unit: `ZonedDateTime` for calendar units, \
          `LocalDateTime` for the time of day.",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/temporal/ChronoUnit.html",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
 Instant later(Instant now) {
-        return now.plus(30, ChronoUnit.DAYS);
+        return now.plus(1, ChronoUnit.MONTHS);
^
     }
"#,
        r#"
+    void run(LocalDate day, Duration time) {
+        day.plus(3, ChronoUnit.HOURS);
^
+        use(day.plus(time));
^
+        use(Period.ZERO.get(ChronoUnit.SECONDS));
^
+    }
"#,
    ],
    negative: &[
        r#"
 Instant later(Instant now) {
+        return now.plus(30, ChronoUnit.DAYS);
     }
"#,
        r#"
+    void run(LocalDate day, Period time, Clock other) {
+        use(day.plus(3, ChronoUnit.WEEKS));
+        use(day.plus(time));
+        use(other.plus(3, ChronoUnit.HOURS));
+    }
"#,
    ],
};

const CALENDAR: &[&str] = &[
    "WEEKS", "MONTHS", "YEARS", "DECADES", "CENTURIES", "MILLENNIA", "ERAS", "FOREVER",
];
const OF_DAY: &[&str] = &[
    "NANOS", "MICROS", "MILLIS", "SECONDS", "MINUTES", "HOURS", "HALF_DAYS",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    if !matches!(
        call.name,
        "plus" | "minus" | "get" | "getLong" | "truncatedTo" | "of"
    ) {
        return;
    }
    let Some(receiver) = call.receiver else {
        return;
    };
    let Some(kind) = time_type(receiver, call.name == "of") else {
        return;
    };
    let Some(argument) = call.arguments.last() else {
        return;
    };
    let unit = argument.last_name();
    let is_unit = argument.is(&["identifier", "field_access"])
        && unit.chars().all(|c| c.is_uppercase() || c == '_');
    let amount =
        call.arguments.len() == 1 && matches!(call.name, "plus" | "minus") && kind == "LocalDate";
    if is_unit && refuses(&kind, call.name, unit) {
        sink.report(
            node,
            format!(
                "`{}` always throws: `{kind}` does not support `{unit}`.",
                quote(node.text())
            ),
        );
    } else if amount && time_type(*argument, false).is_some_and(|other| other == "Duration") {
        sink.report(
            node,
            format!(
                "`{}` throws: a `LocalDate` does not support a `Duration`.",
                quote(node.text())
            ),
        );
    }
}

fn refuses(kind: &str, method: &str, unit: &str) -> bool {
    match (kind, method) {
        ("Instant", "truncatedTo") | ("LocalTime", "plus" | "minus" | "truncatedTo") => {
            CALENDAR.contains(&unit)
        }
        ("Instant", "plus" | "minus") | ("Duration", "plus" | "minus" | "of") => {
            CALENDAR.contains(&unit)
        }
        ("Duration", "get") => unit != "SECONDS" && unit != "NANOS" && is_known(unit),
        ("Period", "get") => OF_DAY.contains(&unit) || unit == "WEEKS",
        ("LocalDate", "plus" | "minus") => OF_DAY.contains(&unit),
        _ => false,
    }
}

fn is_known(unit: &str) -> bool {
    CALENDAR.contains(&unit) || OF_DAY.contains(&unit) || unit == "DAYS"
}

/// The class of `java.time` that an expression certainly has.
fn time_type(node: Node<'_>, is_class: bool) -> Option<String> {
    let known = ["Instant", "Duration", "Period", "LocalDate", "LocalTime"];
    let name = if is_class && node.is(&["identifier"]) {
        node.text().to_owned()
    } else {
        type_of(node).or_else(|| made_by(node))?
    };
    known.contains(&name.as_str()).then_some(name)
}

/// `Instant.now()` and `Duration.ZERO` are instances of the class before the dot.
fn made_by(node: Node<'_>) -> Option<String> {
    let receiver = if node.is(&["method_invocation"]) {
        node.call()?.receiver?
    } else {
        node.receiver()?
    };
    let name = node.call().map_or(node.last_name(), |call| call.name);
    let makes = matches!(
        name,
        "now" | "EPOCH" | "ZERO" | "MIN" | "MAX" | "parse" | "of" | "from"
    ) || name.starts_with("of");
    (makes && receiver.is(&["identifier"])).then(|| receiver.text().to_owned())
}
