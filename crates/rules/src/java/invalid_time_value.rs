//! A day, month or hour out of range.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/invalid-time-value",
    languages: &["Java"],
    title: "Day, month or hour out of range",
    why: "`java.time` counts months from 1 to 12 and throws `DateTimeException` for any other value. The legacy \
          `Date` and `Calendar` count them from 0 to 11 and silently treat 12 as January of the next year.",
    fix: "Use a value in the range, or a constant of `Month`, `DayOfWeek` or `Calendar`.",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/LocalDate.html",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_invocation", "object_creation_expression"]),
        run,
    },
    positive: &[
        r#"
-LocalDate start = LocalDate.of(2024, 12, 1);
+LocalDate start = LocalDate.of(2024, 13, 1);
^
"#,
        r#"
+    void run(LocalTime time, Calendar calendar, Date date) {
+        use(time.withHour(24));
^
+        calendar.set(Calendar.MONTH, 12);
^
+        date.setMonth(12);
^
+        use(LocalTime.of(-1, 0));
^
+    }
"#,
    ],
    negative: &[
        "+LocalDate start = LocalDate.of(2024, 12, 1);\n",
        r#"
+    void run(LocalTime time, Calendar calendar, Menu menu, int n) {
+        use(time.withHour(23));
+        calendar.set(Calendar.MONTH, 11);
+        menu.setMonth(12);
+        use(LocalDate.of(n, n, n));
+        use(Set.of(1, 13, 40));
+    }
"#,
    ],
};

type Range = (usize, i64, i64);

const MONTH: Range = (1, 1, 12);
const DAY: Range = (2, 1, 31);

/// The ranges of arguments, counted from 0, of factories.
const FACTORIES: &[(&str, &[Range])] = &[
    ("LocalDate.of", &[MONTH, DAY]),
    (
        "LocalDateTime.of",
        &[MONTH, DAY, (3, 0, 23), (4, 0, 59), (5, 0, 59)],
    ),
    (
        "ZonedDateTime.of",
        &[MONTH, DAY, (3, 0, 23), (4, 0, 59), (5, 0, 59)],
    ),
    (
        "OffsetDateTime.of",
        &[MONTH, DAY, (3, 0, 23), (4, 0, 59), (5, 0, 59)],
    ),
    ("LocalTime.of", &[(0, 0, 23), (1, 0, 59), (2, 0, 59)]),
    ("OffsetTime.of", &[(0, 0, 23), (1, 0, 59), (2, 0, 59)]),
    ("LocalDate.ofYearDay", &[(1, 1, 366)]),
    ("YearMonth.of", &[MONTH]),
    ("MonthDay.of", &[(0, 1, 12), (1, 1, 31)]),
    ("Month.of", &[(0, 1, 12)]),
    ("DayOfWeek.of", &[(0, 1, 7)]),
    ("ZoneOffset.ofHours", &[(0, -18, 18)]),
];

/// The same for methods that no other class has.
const METHODS: &[(&str, Range)] = &[
    ("withMonth", (0, 1, 12)),
    ("withDayOfMonth", (0, 1, 31)),
    ("withDayOfYear", (0, 1, 366)),
    ("withHour", (0, 0, 23)),
    ("withMinute", (0, 0, 59)),
    ("withSecond", (0, 0, 59)),
];

/// The same for the legacy `Date`.
const OF_DATE: &[(&str, Range)] = &[
    ("setMonth", (0, 0, 11)),
    ("setDate", (0, 1, 31)),
    ("setHours", (0, 0, 23)),
    ("setMinutes", (0, 0, 59)),
    ("setSeconds", (0, 0, 61)),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| !call.arguments.is_empty()) else {
        return;
    };
    let ranges = if node.is(&["object_creation_expression"]) {
        of_constructor(call.name)
    } else {
        of_method(&call)
    };
    for (place, low, high) in ranges {
        let Some(argument) = call.arguments.get(place) else {
            continue;
        };
        let Some(value) = number(*argument).filter(|value| *value < low || *value > high) else {
            continue;
        };
        sink.report(
            node,
            format!(
                "`{}`: {value} is outside the range from {low} to {high}.",
                quote(node.text())
            ),
        );
        return;
    }
}

fn of_constructor(name: &str) -> Vec<Range> {
    match name {
        "Date" | "GregorianCalendar" => {
            vec![(1, 0, 11), (2, 1, 31), (3, 0, 23), (4, 0, 59), (5, 0, 61)]
        }
        _ => Vec::new(),
    }
}

fn of_method(call: &syntax::tree::Call<'_>) -> Vec<Range> {
    let ends = |callee: &str| {
        call.callee == callee
            || call
                .callee
                .strip_suffix(callee)
                .is_some_and(|r| r.ends_with('.'))
    };
    if let Some((_, ranges)) = FACTORIES.iter().find(|(callee, _)| ends(callee)) {
        return ranges.to_vec();
    }
    if let Some((_, range)) = METHODS.iter().find(|(name, _)| *name == call.name) {
        return vec![*range];
    }
    let Some(receiver) = call.receiver else {
        return Vec::new();
    };
    if let Some((_, range)) = OF_DATE.iter().find(|(name, _)| *name == call.name) {
        return type_of(receiver)
            .filter(|kind| kind == "Date")
            .map_or(Vec::new(), |_| vec![*range]);
    }
    let is_calendar =
        || type_of(receiver).is_some_and(|kind| kind == "Calendar" || kind == "GregorianCalendar");
    match (call.name, call.arguments.as_slice()) {
        ("set", [field, _]) if field.last_name() == "MONTH" => vec![(1, 0, 11)],
        ("set", [_, _, _, ..]) if is_calendar() => vec![(1, 0, 11), (2, 1, 31)],
        _ => Vec::new(),
    }
}

fn number(node: Node<'_>) -> Option<i64> {
    let is_number = node.is(&["decimal_integer_literal"])
        || node.is(&["unary_expression"])
            && node
                .named_children()
                .all(|inner| inner.is(&["decimal_integer_literal"]));
    let text: String = node
        .text()
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '_')
        .collect();
    is_number
        .then(|| text.trim_end_matches(['l', 'L']).parse().ok())
        .flatten()
}
