//! Times in UTC that became local times.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/utc-became-local",
    languages: &[],
    title: "Time in UTC became local time",
    why: "Readers of the value still expect UTC. The time is off by the machine's offset, so the code is right on a server in UTC \
          and wrong on others, and twice a year an hour is missing or comes twice.",
    fix: "Keep the call that returns UTC, or a value with its time zone.",
    references: &["CWE-682"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/a.js
-  const day = moment.utc(text);
+  const day = moment(text);
^
"#,
        r#"
path: src/A.java
-        return form.withZone(ZoneOffset.UTC);
+        return form.withZone(ZoneId.systemDefault());
^
"#,
        r#"
path: src/a.py
-    expire = datetime.utcnow() + delta
+    expire = datetime.now() + delta
^
"#,
        r#"
path: src/a.ts
-  if (date.getUTCDate() !== day) {
+  if (date.getDate() !== day) {
^
"#,
        r#"
path: src/A.cs
-        var utcNow = _clock.GetUtcNow();
+        var utcNow = DateTime.Now;
^
"#,
        r#"
path: src/A.java
-        return LocalDateTime.now(ZoneOffset.UTC);
+        return LocalDateTime.now();
^
"#,
        r#"
path: src/a.rs
-    let now = Utc::now();
+    let now = Local::now();
^
"#,
        r#"
path: src/a.rb
-    stamp = Time.now.utc.strftime(form)
+    stamp = Time.now.strftime(form)
^
"#,
        r#"
path: src/a.php
-$day = gmdate('Y-m-d');
+$day = date('Y-m-d');
^
"#,
        r#"
path: src/a.go
-	day := time.Now().UTC().Format(layout)
+	day := time.Now().Format(layout)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.py
-    expire = datetime.utcnow() + delta
+    expire = datetime.now(timezone.utc) + delta
"#,
        r#"
path: src/a.ts
-  if (date.getDate() !== day) {
+  if (date.getUTCDate() !== day) {
"#,
        r#"
path: src/A.cs
-        var now = DateTime.UtcNow;
+        var now = clock.GetUtcNow();
"#,
        r#"
path: src/a.go
-	start := time.Now().UTC()
+	start := time.Now()
"#,
        r#"
path: src/a.py
-    expire = datetime.utcnow() + delta
+    expire = utc_now() + delta
+    shown = datetime.now()
"#,
    ],
};

/// Calls that return a time in UTC, and calls that return the same in local time.
const FORMS: &[(&str, &str)] = &[
    ("utcnow(", ".now()"),
    (".now(timezone.utc", ".now()"),
    (".now(tz=", ".now()"),
    (".now(datetime.UTC", ".now()"),
    (".now(UTC", ".now()"),
    (".now(pytz.utc", ".now()"),
    (".now(pytz.UTC", ".now()"),
    ("moment.utc(", "moment("),
    ("dayjs.utc(", "dayjs("),
    ("Instant.now(", "LocalDateTime.now()"),
    ("ZoneOffset.UTC", "ZoneId.systemDefault()"),
    ("DateTimeZone.UTC", "DateTimeZone.getDefault()"),
    ("utcfromtimestamp(", ".fromtimestamp("),
    ("gmtime(", "localtime("),
    ("UtcNow", "DateTime.Now"),
    (".getUTCDate(", ".getDate("),
    (".getUTCDay(", ".getDay("),
    (".getUTCMonth(", ".getMonth("),
    (".getUTCFullYear(", ".getFullYear("),
    (".getUTCHours(", ".getHours("),
    (".getUTCMinutes(", ".getMinutes("),
    (".setUTCDate(", ".setDate("),
    (".setUTCMonth(", ".setMonth("),
    (".setUTCFullYear(", ".setFullYear("),
    (".setUTCHours(", ".setHours("),
    ("Date.UTC(", "new Date("),
    (".now(ZoneOffset.UTC", ".now()"),
    ("Clock.systemUTC(", "Clock.systemDefaultZone("),
    ("Utc::now(", "Local::now("),
    ("Utc.", "Local."),
    ("Time.now.utc", "Time.now"),
    ("Time.now.getutc", "Time.now"),
    ("Time.zone.now", "Time.now"),
    ("Time.current", "Time.now"),
    ("Date.current", "Date.today"),
    ("timezone.now(", "datetime.now()"),
    ("gmdate(", "date("),
    ("gmmktime(", "mktime("),
    ("time.Now().UTC().Format(", "time.Now().Format("),
    (".UTC().Format(", ".Format("),
];

/// Words that show that a line is about UTC.
const UTC: &[&str] = &[
    "utc", "gmt", "gmdate", "gmmktime", "time.current", "time.zone", "date.current", "timezone",
    "zoneoffset", "clock", "instant.now",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for edit in context.edits() {
        for (utc, local) in FORMS {
            let count = |lines: &[&review::Line<'_>], form: &str| {
                lines
                    .iter()
                    .map(|line| uses(line.text, form))
                    .sum::<usize>()
            };
            let lost = count(&edit.removed, utc);
            if lost == 0
                || count(&edit.added, utc) >= lost
                || count(&edit.added, local) <= count(&edit.removed, local)
            {
                continue;
            }
            // Another reference to UTC replaced it.
            let mentions = |lines: &[&review::Line<'_>]| {
                lines
                    .iter()
                    .map(|line| mentions_of_utc(line.text))
                    .sum::<usize>()
            };
            if mentions(&edit.added) >= mentions(&edit.removed) {
                continue;
            }
            if let Some(line) = edit.added.iter().find(|line| uses(line.text, local) > 0) {
                let (was, now) = (
                    utc.trim_matches(['.', '(']),
                    local.trim_matches(['.', '(', ')']),
                );
                sink.report(
                    *line,
                    format!(
                        "`{}` returned a time in UTC; `{}` is local time.",
                        quote(was),
                        quote(now)
                    ),
                );
            }
            break;
        }
    }
}

/// How often a line uses a form, other than as a part of a longer name.
fn uses(line: &str, form: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_name = form.starts_with(is_part);
    let whole = |at: usize| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + form.len()..).unwrap_or_default();
        // `GetUtcNow` counts as `UtcNow`, but `utcdate(` does not count as `date(`.
        let starts = !is_name
            || form == "UtcNow"
            || !before.ends_with(|c: char| is_part(c) || c == '>' || c == '$');
        let zone =
            form == "Time.now" && (after.starts_with(".utc") || after.starts_with(".getutc"));
        starts && !zone && (form.ends_with(['(', ')', '.']) || !after.starts_with(is_part))
    };
    line.match_indices(form)
        .filter(|(at, _)| whole(*at))
        .count()
}

/// How often a line calls or names something in UTC, not counting the names that it assigns to.
fn mentions_of_utc(line: &str) -> usize {
    let value = line
        .split_once(" = ")
        .or_else(|| line.split_once(" := "))
        .map_or(line, |(_, value)| value);
    let lower = value.to_ascii_lowercase();
    UTC.iter().map(|word| lower.matches(word).count()).sum()
}
