//! A function with a limit, replaced by one without.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};

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
        "path: src/a.c\n@@ static void name(char *to, const char *from)\n-\tsnprintf(to, SIZE, \"%s\", from);\n+\tsprintf(to, \"%s\", from);\n^\n \tdone(to);\n",
        "path: src/a.c\n@@ static char *end(char *p, char *last)\n-\treturn memchr(p, '}', last - p);\n+\treturn strchr(p, '}');\n^\n",
    ],
    negative: &[
        "path: src/a.c\n@@ static void name(char *to, const char *from)\n-\tsprintf(to, \"%s\", from);\n+\tsnprintf(to, SIZE, \"%s\", from);\n \tdone(to);\n",
        "path: src/a.c\n@@ static void name(char *to, const char *from)\n-\tstrncpy(to, from, SIZE);\n+\tstrlcpy(to, from, SIZE);\n \tstrcat(to, from);\n",
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
