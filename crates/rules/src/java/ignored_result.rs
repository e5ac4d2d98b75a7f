//! An ignored result of a call without side effects.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/ignored-result",
    languages: &["Java"],
    title: "Ignored result of a call without side effects",
    why: "Methods of strings, big numbers, dates, optionals and streams never modify their receiver; they return a \
          new value. A call whose result is ignored has no effect, so the intended change does not happen.",
    fix: "Use the result: assign it, return it or pass it on; end a stream with an operation such as `forEach` or \
          `collect`.",
    references: &["CWE-252"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement", "lambda_expression"]),
        run,
    },
    positive: &[
        r#"
     String clean(String name) {
-        name = name.trim();
+        name.trim();
^
         return name;
     }
"#,
        r#"
+    BigDecimal sum(BigDecimal a, BigDecimal b) {
+        a.add(b);
^
+        return a;
+    }
"#,
        r#"
+    void run(List<Item> items) {
+        items.stream().map(item -> item.load());
^
+        String.join(",", items);
^
+    }
"#,
        r#"
+    void later(LocalDate day) {
+        day.plusDays(1);
^
+        day.equals(null);
^
+    }
"#,
    ],
    negative: &[
        r#"
@@ Optional<String> name(Kind kind) {
+        return switch (kind) {
+            case A -> Optional.of(first).map(One::name);
+            case B -> name.trim().describeConstable();
+        };
"#,
        r#"
@@ String clean(String name) {
+        name = name.trim();
         return name;
"#,
        r#"
+    void run(List<Item> items, Set<BigDecimal> set, BigDecimal a, StringBuilder text, Map<String, String> map) {
+        items.stream().map(item -> item.load()).forEach(this::go);
+        set.add(a);
+        text.replace(0, 1, "a");
+        map.replace("a", "b");
+    }
"#,
        r#"
+    boolean isNumber(String text) {
+        try {
+            Integer.parseInt(text);
+            new BigDecimal(text);
+            return true;
+        } catch (NumberFormatException e) {
+            return false;
+        }
+    }
"#,
    ],
};

/// Methods without side effects, by the type of their receiver.
const PURE: &[(&[&str], &[&str])] = &[
    (
        &["String"],
        &[
            "trim", "toLowerCase", "toUpperCase", "substring", "replace", "replaceAll",
            "replaceFirst", "concat", "intern", "strip", "split", "length", "charAt", "indexOf",
            "lastIndexOf", "isEmpty", "isBlank", "startsWith", "endsWith", "contains",
            "equalsIgnoreCase", "compareToIgnoreCase", "compareTo", "matches", "toCharArray",
            "getBytes", "repeat", "stripLeading", "stripTrailing", "valueOf", "join",
            "copyValueOf", "subSequence", "lines", "indent", "codePointAt", "chars",
            "regionMatches", "contentEquals",
        ],
    ),
    (
        &["BigDecimal", "BigInteger"],
        &[
            "add", "subtract", "multiply", "divide", "negate", "abs", "setScale", "pow",
            "remainder", "mod", "round", "movePointLeft", "movePointRight", "min", "max",
            "compareTo", "stripTrailingZeros", "valueOf", "shiftLeft", "shiftRight", "and", "or",
            "xor", "not", "signum", "modPow", "modInverse", "gcd", "longValue", "intValue",
            "doubleValue",
        ],
    ),
    (
        &[
            "LocalDate", "LocalDateTime", "LocalTime", "Instant", "Duration", "ZonedDateTime",
            "OffsetDateTime", "Period", "YearMonth", "Year", "OffsetTime", "DayOfWeek", "Month",
            "ZoneId", "ZoneOffset", "MonthDay", "Clock",
        ],
        &[
            "plus", "minus", "plusDays", "plusHours", "plusMinutes", "plusMonths", "plusSeconds",
            "plusWeeks", "plusYears", "plusMillis", "plusNanos", "minusDays", "minusHours",
            "minusMinutes", "minusMonths", "minusSeconds", "minusWeeks", "minusYears",
            "minusMillis", "minusNanos", "with", "withYear", "withMonth", "withDayOfMonth",
            "withHour", "withMinute", "withSecond", "withNano", "truncatedTo", "atZone",
            "atStartOfDay", "isBefore", "isAfter", "isEqual", "toEpochMilli", "now", "of",
            "ofDays", "ofHours", "ofMinutes", "ofSeconds", "ofMillis", "between", "multipliedBy",
            "negated", "toMillis", "toDays", "compareTo", "getYear", "getMonth", "getDayOfMonth",
            "toLocalDate", "atTime", "systemUTC", "ofNanos",
        ],
    ),
    (
        &["Optional", "OptionalInt", "OptionalLong", "OptionalDouble"],
        &[
            "map", "flatMap", "filter", "isPresent", "isEmpty", "of", "ofNullable", "empty", "or",
            "orElse", "stream",
        ],
    ),
    (
        &[
            "List", "ArrayList", "LinkedList", "Set", "HashSet", "TreeSet", "Collection", "Map",
            "HashMap", "TreeMap", "LinkedHashMap", "LinkedHashSet", "Deque", "Queue",
        ],
        &[
            "size", "isEmpty", "contains", "containsAll", "containsKey", "containsValue",
            "indexOf", "lastIndexOf", "stream", "parallelStream", "subList", "keySet", "entrySet",
            "values", "toArray", "of", "copyOf",
        ],
    ),
    (
        &[
            "Integer", "Long", "Double", "Float", "Short", "Byte", "Boolean", "Character",
        ],
        &[
            "toString", "toHexString", "compare", "compareTo", "intValue", "longValue",
            "doubleValue", "byteValue", "shortValue", "floatValue", "booleanValue", "charValue",
            "toBinaryString", "sum", "max", "min", "isDigit", "isLetter", "reverse", "bitCount",
            "signum", "isNaN", "isInfinite", "valueOf",
        ],
    ),
    (
        &["Objects"],
        &["equals", "hash", "isNull", "nonNull", "toString"],
    ),
    (
        &["Math", "StrictMath"],
        &[
            "max", "min", "floor", "ceil", "round", "sqrt", "pow", "random", "floorMod", "log",
            "exp", "sin", "cos", "signum",
        ],
    ),
    (
        &["Arrays"],
        &[
            "asList", "stream", "toString", "equals", "copyOf", "copyOfRange", "binarySearch",
            "deepToString", "deepEquals", "deepHashCode",
        ],
    ),
    (
        &["Collections"],
        &[
            "unmodifiableList", "unmodifiableSet", "unmodifiableMap", "emptyList",
            "synchronizedList", "synchronizedMap", "singletonList", "max", "min", "frequency",
            "nCopies", "unmodifiableCollection",
        ],
    ),
    (
        &["Path", "Paths"],
        &[
            "resolve", "normalize", "toAbsolutePath", "getFileName", "getParent", "relativize",
            "startsWith", "endsWith", "toFile", "get", "of",
        ],
    ),
    (
        &["File"],
        &[
            "exists", "isDirectory", "isFile", "length", "getName", "getPath", "canRead",
            "canWrite", "getAbsolutePath", "getParentFile", "toPath", "isHidden", "lastModified",
        ],
    ),
    (
        &["Throwable", "Exception", "RuntimeException", "IOException"],
        &[
            "getMessage", "getCause", "getStackTrace", "getSuppressed", "getLocalizedMessage",
        ],
    ),
    (
        &["Pattern"],
        &["split", "pattern", "flags", "quote", "asPredicate"],
    ),
    (
        &["StringBuilder", "StringBuffer"],
        &[
            "toString", "length", "charAt", "indexOf", "substring", "capacity", "lastIndexOf",
        ],
    ),
    (
        &[
            "AtomicInteger", "AtomicLong", "AtomicBoolean", "AtomicReference",
        ],
        &["get"],
    ),
    (&["UUID"], &["randomUUID", "toString"]),
    (
        &["Collectors"],
        &["toList", "toSet", "joining", "toMap", "groupingBy"],
    ),
    (
        &["ChronoUnit", "TimeUnit"],
        &[
            "between", "toMillis", "toSeconds", "toDays", "toHours", "toMinutes", "toNanos",
            "toMicros", "convert",
        ],
    ),
];

/// Methods that have no side effect in any type.
const ALWAYS: &[(&str, usize)] = &[
    ("equals", 1),
    ("trim", 0),
    ("toLowerCase", 0),
    ("toUpperCase", 0),
    ("equalsIgnoreCase", 1),
    ("startsWith", 1),
    ("endsWith", 1),
    ("charAt", 1),
    ("replaceAll", 2),
    ("replaceFirst", 2),
    ("isEmpty", 0),
    ("isPresent", 0),
    ("containsKey", 1),
    ("containsValue", 1),
    ("compareTo", 1),
    ("toCharArray", 0),
    ("getClass", 0),
];

/// Intermediate operations of a stream, which return another stream and do nothing by themselves.
const LAZY: &[&str] = &[
    "map", "filter", "flatMap", "peek", "sorted", "distinct", "limit", "skip", "mapToInt",
    "mapToObj", "mapToLong", "boxed", "takeWhile", "dropWhile", "parallel", "sequential",
    "mapToDouble", "stream",
];

/// Terminal operations of a stream that only compute a value.
const ENDS: &[&str] = &[
    "collect", "count", "toList", "sum", "average", "anyMatch", "allMatch", "noneMatch",
    "findFirst", "findAny", "min", "max",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["lambda_expression"]) {
        // Only if the lambda certainly returns no result.
        let runnable = node.parent().is_some_and(|parent| {
            parent.is(&["variable_declarator"])
                && parent.parent().is_some_and(|line| {
                    line.field("type").is_some_and(|kind| {
                        matches!(kind.text(), "Runnable") || kind.text().starts_with("Consumer")
                    })
                })
        });
        if let Some(body) = node.field("body").filter(|_| runnable) {
            look(body, node, sink);
        }
        return;
    }
    // `case A -> value;` is a result of the switch.
    if node
        .parent()
        .is_some_and(|parent| parent.is(&["switch_rule"]))
    {
        return;
    }
    let Some(expression) = node.named_children().next() else {
        return;
    };
    look(expression, node, sink);
}

fn look(expression: Node<'_>, at: Node<'_>, sink: &mut Sink<'_>) {
    let Some(call) = expression
        .call()
        .filter(|_| expression.is(&["method_invocation"]))
    else {
        return;
    };
    let Some(receiver) = call.receiver else {
        return;
    };
    if is_called_for_exception(expression) {
        return;
    }
    let lazy = is_stream(expression);
    let summary = if lazy && LAZY.contains(&call.name) {
        "A stream without a terminal operation does nothing: `$` is never executed."
    } else if (lazy && ENDS.contains(&call.name) && !expression.text().contains("->"))
        || is_pure(receiver, call.name, call.arguments.len())
    {
        "The result of `$` is ignored, and the call has no side effect."
    } else {
        return;
    };
    sink.report(at, summary.replace('$', &quote(expression.text())));
}

/// Whether a call may be made only to see whether it throws: in a `try`, or where a test expects an exception.
fn is_called_for_exception(node: Node<'_>) -> bool {
    node.ancestors()
        .take_while(|around| !around.has_role(Role::Function))
        .any(|around| {
            around.is(&["try_statement"])
                && around
                    .field("body")
                    .is_some_and(|body| node.is_inside(body) && body.named_children().count() <= 3)
                || around.is(&["lambda_expression"])
                    && around.parent().is_some_and(|list| {
                        list.parent()
                            .is_some_and(|call| call.text().contains("hrow"))
                    })
        })
}

fn is_stream(call: Node<'_>) -> bool {
    let mut node = call;
    while let Some(receiver) = node.call().and_then(|call| call.receiver) {
        if receiver.call().is_some_and(|call| {
            matches!(call.name, "stream" | "parallelStream") && call.arguments.len() <= 1
        }) || matches!(receiver.text(), "Stream" | "IntStream" | "LongStream")
        {
            return true;
        }
        node = receiver;
    }
    false
}

fn is_pure(receiver: Node<'_>, name: &str, arguments: usize) -> bool {
    let is_type = receiver.is(&["identifier", "field_access"])
        && receiver.last_name().starts_with(char::is_uppercase)
        && !receiver.last_name().chars().all(|c| !c.is_lowercase());
    let kind = if is_type {
        Some(receiver.last_name().to_owned())
    } else {
        type_of(receiver)
    };
    match kind {
        Some(kind) => {
            PURE.iter()
                .any(|(types, names)| types.contains(&kind.as_str()) && names.contains(&name))
                || !is_type
                    && ALWAYS
                        .iter()
                        .take(1)
                        .any(|(own, count)| *own == name && *count == arguments)
        }
        None => !is_type && ALWAYS.contains(&(name, arguments)),
    }
}
