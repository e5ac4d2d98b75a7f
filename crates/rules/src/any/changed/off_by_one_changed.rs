//! An expression with a value that is now one more or one less.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;

pub(crate) const RULE: Rule = Rule {
    id: "any/off-by-one-changed",
    languages: &[],
    title: "Off-by-one change in an expression",
    why: "The value is one more or one less than before, and nothing else changed: a length, an index or a bound. \
          Off-by-one errors are among the most common mistakes.",
    fix: "Check the first and the last element, and add a test for them.",
    references: &["CWE-193"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.c
@@ static char *dup(const char *s)
-	char *t = malloc(strlen(s) + 1);
+	char *t = malloc(strlen(s));
^
 	strcpy(t, s);
"#,
        r#"
path: src/A.java
@@ int last(int[] a) {
-        return a[a.length - 1];
+        return a[a.length];
^
"#,
    ],
    negative: &[
        r#"
path: src/a.c
@@ static char *dup(const char *s)
-	char *t = malloc(strlen(s) + 1);
+	char *t = malloc(strlen(s) + PAD);
 	strcpy(t, s);
"#,
        r#"
path: src/a.js
 function next(i) {
-  return go(i + 1);
+  i += 1;
+  return go(i);
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Binary)
        .filter(|node| node.touches_change())
    {
        let Some(binary) = old
            .binary()
            .filter(|binary| matches!(binary.operator, "+" | "-"))
        else {
            continue;
        };
        let is_one = binary.right.text() == "1" && context.lost(binary.right).next().is_some();
        let Some(now) = context
            .cover(binary.left)
            .filter(|_| is_one && context.similarity_to_new(binary.left) == 100)
        else {
            continue;
        };
        let more_lines = context
            .edit_block_of(old)
            .is_none_or(|run| run.added > run.removed);
        let gained = more_lines
            || context.inserted(now.statement()).next().is_some()
            || context.reappears(old);
        if now.is_usable() && now.touches_change() && !gained && context.mostly_takes_away(old) {
            sink.report(
                now,
                format!("`{}` became `{}`.", quote(old.text()), quote(now.text())),
            );
        }
    }
}
