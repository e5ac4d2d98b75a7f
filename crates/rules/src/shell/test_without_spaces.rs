//! Tests that the shell interprets as the name of a command.

use std::sync::LazyLock;

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use regex::bytes::Regex;
use review::{Category, Priority};
use syntax::semantics::secrets::compiled;

pub(crate) const RULE: Rule = Rule {
    id: "shell/test-without-spaces",
    languages: &["Shell"],
    title: "Test without a space at its bracket",
    why: "`[` is a command, and its arguments are separated by spaces. Without them the shell looks for a command named `[x`, or \
          misses the closing `]`: the condition is always false.",
    fix: "Write a space after `[` and before `]`.",
    references: &["https://www.shellcheck.net/wiki/SC1035"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: start.sh
+if [$1 == "skip"]; then
^
+  exit 0
+fi
"#,
        r#"
path: start.sh
+if [ "$1" = "skip"]; then
^
+  exit 0
+fi
"#,
        r#"
path: start.sh
+[[-n $name ]] && echo "$name"
^
"#,
        r#"
path: start.sh
+while ["$count" -lt 3 ]; do
^
"#,
    ],
    negative: &[
        r#"
path: start.sh
+perl -e '
+  map {
+    [$1 => $2];
+  } @lines'
"#,
        r#"
path: start.sh
+if [ $1 == "skip" ]; then
+if [[ $a =~ ^[a-z]+$ ]]; then
+if [ "${a[1]}" = "${b[2]}" ]; then
"#,
        r#"
path: start.sh
+python - <<'EOF'
+if [x for x in y]:
+    pass
+EOF
"#,
        r#"
path: start.sh
+if [[ $name == *[0-9] ]] || [ -z "$a" ]; then
+grep '[^ ]' file
"#,
    ],
};

/// A bracket in the place of a command, and the text directly after it. At the start of a line it may be code of
/// another language in a quoted text, so the text after it must be shell code.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?x)
        (?: \b(?:if|elif|while|until)\s+!?\s* | &&\s* | \|\|\s* ) \[\[? (?: -[a-z]\s | "?\$[\w{@*\#?] | ["']\S*["']\s+[!=] ) .* \]
        | ^\s* \[\[? (?: -[a-z]\s | "?\$[\w{@*\#?] | ["']\S*["']\s+[!=] ) .* \] \s* (?: && | \|\| )"#,
    )
});
/// A closing bracket without a space before it, at the end of a test with one after `[`.
static CLOSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"\b(?:if|elif|while|until)\s+!?\s*\[\[?\s[^\[\]]*[$][^\[\]]*[^\s\[\]]\]\]?\s*(?:;|$|&&|\|\|)"#,
    )
});

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for line in context.added().filter(|line| line.text.contains('[')) {
        let text = line.text.trim_end();
        let matches = |pattern: &LazyLock<Option<Regex>>| {
            pattern
                .as_ref()
                .is_some_and(|own| own.is_match(text.as_bytes()))
        };
        if text.ends_with([':', ',', '\\']) || text.trim_start().starts_with('#') {
            continue;
        }
        let shown = quote(text.trim());
        if matches(&OPEN) {
            sink.report(line, format!("A space is missing after `[` in `{shown}`."));
        } else if matches(&CLOSE) {
            sink.report(line, format!("A space is missing before `]` in `{shown}`."));
        }
    }
}
