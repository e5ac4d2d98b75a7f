//! Times in UTC that became local times.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/utc-became-local",
    languages: &[],
    title: "Time in UTC became local time",
    why: "What reads the value still expects UTC. The time is off by the machine's offset, so the code is right on a server in UTC \
          and wrong on others, and twice a year an hour is missing or comes twice.",
    fix: "Keep the call that returns UTC, or a value with its time zone.",
    references: &["CWE-682"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        "path: src/a.js\n-  const day = moment.utc(text);\n+  const day = moment(text);\n^\n",
        "path: src/A.java\n-        return form.withZone(ZoneOffset.UTC);\n+        return form.withZone(ZoneId.systemDefault());\n^\n",
        "path: src/a.py\n-    expire = datetime.utcnow() + delta\n+    expire = datetime.now() + delta\n^\n",
        "path: src/a.ts\n-  if (date.getUTCDate() !== day) {\n+  if (date.getDate() !== day) {\n^\n",
        "path: src/A.cs\n-        var utcNow = _clock.GetUtcNow();\n+        var utcNow = DateTime.Now;\n^\n",
        "path: src/A.java\n-        return LocalDateTime.now(ZoneOffset.UTC);\n+        return LocalDateTime.now();\n^\n",
        "path: src/a.rs\n-    let now = Utc::now();\n+    let now = Local::now();\n^\n",
        "path: src/a.rb\n-    stamp = Time.now.utc.strftime(form)\n+    stamp = Time.now.strftime(form)\n^\n",
        "path: src/a.php\n-$day = gmdate('Y-m-d');\n+$day = date('Y-m-d');\n^\n",
        "path: src/a.go\n-\tday := time.Now().UTC().Format(layout)\n+\tday := time.Now().Format(layout)\n^\n",
    ],
    negative: &[
        "path: src/a.py\n-    expire = datetime.utcnow() + delta\n+    expire = datetime.now(timezone.utc) + delta\n",
        "path: src/a.ts\n-  if (date.getDate() !== day) {\n+  if (date.getUTCDate() !== day) {\n",
        "path: src/A.cs\n-        var now = DateTime.UtcNow;\n+        var now = clock.GetUtcNow();\n",
        "path: src/a.go\n-\tstart := time.Now().UTC()\n+\tstart := time.Now()\n",
        "path: src/a.py\n-    expire = datetime.utcnow() + delta\n+    expire = utc_now() + delta\n+    shown = datetime.now()\n",
    ],
};

/// What returns a time in UTC, and what returns the same in local time.
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

/// What shows that a line means UTC.
const UTC: &[&str] = &[
    "utc",
    "gmt",
    "gmdate",
    "gmmktime",
    "time.current",
    "time.zone",
    "date.current",
    "timezone",
    "zoneoffset",
    "clock",
    "instant.now",
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
            // Another way to say UTC came in its place.
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

/// How often a line uses a form, not as a part of a longer name.
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

/// How often a line calls or names something in UTC, apart from the names that it assigns to.
fn mentions_of_utc(line: &str) -> usize {
    let value = line
        .split_once(" = ")
        .or_else(|| line.split_once(" := "))
        .map_or(line, |(_, value)| value);
    let lower = value.to_ascii_lowercase();
    UTC.iter().map(|word| lower.matches(word).count()).sum()
}
