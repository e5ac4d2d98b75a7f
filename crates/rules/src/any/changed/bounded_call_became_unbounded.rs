//! A function with a limit, replaced by one without.

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/bounded-call-became-unbounded",
    languages: &["C", "C++"],
    title: "Bounded call replaced by an unbounded one",
    why: "The old function was passed the size of its target. The new one has no limit: it continues to read or write \
          up to a zero byte, past the end of the buffer if necessary.",
    fix: "Keep the bounded function, with the size of the target.",
    references: &["CWE-120"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.c
@@ static void name(char *to, const char *from)
-	snprintf(to, SIZE, "%s", from);
+	sprintf(to, "%s", from);
^
 	done(to);
"#,
        r#"
path: src/a.c
@@ static char *end(char *p, char *last)
-	return memchr(p, '}', last - p);
+	return strchr(p, '}');
^
"#,
    ],
    negative: &[
        r#"
path: src/a.c
@@ static void name(char *to, const char *from)
-	sprintf(to, "%s", from);
+	snprintf(to, SIZE, "%s", from);
 	done(to);
"#,
        r#"
path: src/a.c
@@ static void name(char *to, const char *from)
-	strncpy(to, from, SIZE);
+	strlcpy(to, from, SIZE);
 	strcat(to, from);
"#,
    ],
};

const PAIRS: &[(&str, &[&str])] = &[
    ("snprintf", &["sprintf", "strcpy"]),
    ("vsnprintf", &["vsprintf"]),
    ("strncpy", &["strcpy"]),
    ("strlcpy", &["strcpy"]),
    ("strncat", &["strcat"]),
    ("strlcat", &["strcat"]),
    ("memchr", &["strchr"]),
    ("fgets", &["gets"]),
    ("strnlen", &["strlen"]),
    ("strncmp", &["strcmp"]),
    ("strscpy", &["strcpy"]),
    ("memcpy_s", &["memcpy"]),
    ("strcpy_s", &["strcpy"]),
    ("sprintf_s", &["sprintf"]),
    ("xsnprintf", &["sprintf"]),
    ("g_strlcpy", &["strcpy"]),
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.pairs() {
        for (bounded, unbounded) in PAIRS {
            let Some(after) = unbounded
                .iter()
                .find(|name| calls(new.text, name) && !calls(old.text, name))
            else {
                continue;
            };
            if calls(old.text, bounded) && !calls(new.text, bounded) {
                sink.report(
                    new,
                    format!("`{bounded}` was replaced by `{after}`, which has no size limit."),
                );
            }
        }
    }
}

/// Whether a line calls a function of exactly this name.
fn calls(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line
            .get(at + name.len()..)
            .and_then(|text| text.trim_start().chars().next());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && after == Some('(')
    })
}
