//! Quantities with a changed unit but an unchanged number.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/unit-changed",
    languages: &[],
    title: "Unit of a quantity changed, but not the number",
    why: "The value is a thousand times too large or too small for whatever reads it: a time-out that never comes, or comes immediately, a \
          date in another century.",
    fix: "Keep the unit or the conversion, or change the number with it.",
    references: &["CWE-682"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/a.js
-  setTimeout(retry, delay * 1000);
+  setTimeout(retry, delay);
^
"#,
        r#"
path: src/a.py
-    seconds = elapsed_ms / 1000
+    seconds = elapsed_ms
^
"#,
        r#"
path: src/A.java
-        reply.get(30, TimeUnit.SECONDS);
+        reply.get(30, TimeUnit.MILLISECONDS);
^
"#,
        r#"
path: src/a.go
-	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
+	ctx, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
^
"#,
        r#"
path: src/a.rs
-    let wait = Duration::from_secs(30);
+    let wait = Duration::from_millis(30);
^
"#,
        r#"
path: src/A.cs
-        client.Timeout = TimeSpan.FromSeconds(30);
+        client.Timeout = TimeSpan.FromMilliseconds(30);
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
-  setTimeout(retry, delay * 1000);
+  setTimeout(retry, delayMs);
"#,
        r#"
path: src/A.java
-        reply.get(30, TimeUnit.SECONDS);
+        reply.get(30000, TimeUnit.MILLISECONDS);
"#,
        r#"
path: src/a.py
-    seconds = elapsed / 1000
+    milliseconds = elapsed
"#,
        r#"
path: src/a.js
-  const step = 5 * 1000;
+  const step = 5;
"#,
        r#"
path: src/a.go
-const delay = seconds * 1000
-sleep(delay)
+const delay = seconds
+sleep(delay * 1000)
"#,
    ],
};

/// Conversion factors, without white space.
const FACTORS: &[&str] = &[
    "*1000", "/1000", "*1_000", "/1_000", "*1e3", "/1e3", "/1000.0", "*1000.0", "*1000L", "/1000L",
    "//1000", "*1024", "/1024", "*1000000", "/1000000", "/1e6", "*1e6",
];

/// Names of units that differ by a factor of a thousand or more.
const UNITS: &[&[&str]] = &[
    &[
        "TimeUnit.SECONDS", "TimeUnit.MILLISECONDS", "TimeUnit.MICROSECONDS",
        "TimeUnit.NANOSECONDS",
    ],
    &[
        "time.Second", "time.Millisecond", "time.Microsecond", "time.Nanosecond",
    ],
    &["ofSeconds(", "ofMillis(", "ofNanos("],
    &["from_secs(", "from_millis(", "from_micros(", "from_nanos("],
    &["FromSeconds(", "FromMilliseconds(", "FromMicroseconds("],
    &[".seconds", ".milliseconds"],
    &[
        "timedelta(seconds=", "timedelta(milliseconds=", "timedelta(microseconds=",
    ],
    &[
        "ChronoUnit.SECONDS", "ChronoUnit.MILLIS", "ChronoUnit.NANOS",
    ],
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for edit in context.edits() {
        // More than a few lines are a redesign, in which the conversion may be elsewhere.
        if edit.removed.len() != edit.added.len() || edit.removed.len() > 3 {
            continue;
        }
        let text = |lines: &[&review::Line<'_>]| {
            lines
                .iter()
                .map(|line| squeeze(line.text))
                .collect::<String>()
        };
        let (before, after) = (text(&edit.removed), text(&edit.added));
        for (old, new) in edit.removed.iter().zip(&edit.added) {
            let (was, now) = (squeeze(old.text), squeeze(new.text));
            if let Some(factor) = FACTORS.iter().find(|factor| drops(&was, &now, factor)) {
                // The conversion may have moved to another line.
                if after.matches(factor).count() < before.matches(factor).count() {
                    sink.report(
                        *new,
                        format!(
                            "The conversion `{}` is gone, but nothing else changed.",
                            quote(factor)
                        ),
                    );
                }
            } else if let Some((from, to)) = renamed(&was, &now) {
                let (from, to) = (
                    from.trim_end_matches(['(', '=']),
                    to.trim_end_matches(['(', '=']),
                );
                sink.report(
                    *new,
                    format!(
                        "The unit was `{}` and is now `{}`, with the same number.",
                        quote(from),
                        quote(to)
                    ),
                );
            }
        }
    }
}

fn squeeze(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether a line differs from another only in a missing factor next to a name.
fn drops(was: &str, now: &str, factor: &str) -> bool {
    let Some(length) = was.len().checked_sub(now.len()) else {
        return false;
    };
    // Parentheses around the product may have been removed with it.
    if length < factor.len() || length > factor.len() + 2 {
        return false;
    }
    was.match_indices(factor).take(4).any(|(at, _)| {
        let (Some(before), Some(after)) = (was.get(..at), was.get(at + factor.len()..)) else {
            return false;
        };
        let is_whole =
            !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
        // A changed number is visible; the value of a name is not.
        let word = before
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
            .next()
            .unwrap_or_default();
        let is_name =
            before.ends_with(')') || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let plain = |text: &str| text.replace(['(', ')'], "");
        is_whole && is_name && plain(&format!("{before}{after}")) == plain(now)
    })
}

/// The units that differ between two otherwise equal lines.
fn renamed(was: &str, now: &str) -> Option<(&'static str, &'static str)> {
    UNITS.iter().find_map(|units| {
        let from = units.iter().find(|unit| is_in(was, unit))?;
        let to = units
            .iter()
            .find(|unit| *unit != from && is_in(now, unit))?;
        let has_number = was.bytes().any(|byte| byte.is_ascii_digit());
        (has_number && was.replacen(from, to, 1) == now).then_some((*from, *to))
    })
}

/// Whether a unit is in a text, other than as the start of a longer name.
fn is_in(text: &str, unit: &str) -> bool {
    text.match_indices(unit).any(|(at, _)| {
        let after = text.get(at + unit.len()..).unwrap_or_default();
        unit.ends_with(['(', '='])
            || !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    })
}
