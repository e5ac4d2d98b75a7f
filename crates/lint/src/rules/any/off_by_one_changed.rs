//! One more or one less than before.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/off-by-one-changed",
    languages: &[],
    title: "One added or taken away in an expression",
    why: "The value is one more or one less than it was and nothing else changed: a length, an index, a bound. Off \
          by one is the commonest slip there is.",
    fix: "Check the first and the last element, and add a test for them.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.45,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.c\n@@ static char *dup(const char *s)\n-\tchar *t = malloc(strlen(s) + 1);\n+\tchar *t = malloc(strlen(s));\n^\n \tstrcpy(t, s);\n",
        "path: src/A.java\n@@ int last(int[] a) {\n-        return a[a.length - 1];\n+        return a[a.length];\n^\n",
    ],
    quiet: &[
        "path: src/a.c\n@@ static char *dup(const char *s)\n-\tchar *t = malloc(strlen(s) + 1);\n+\tchar *t = malloc(strlen(s) + PAD);\n \tstrcpy(t, s);\n",
        "path: src/a.js\n function next(i) {\n-  return go(i + 1);\n+  i += 1;\n+  return go(i);\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context.old.with_role(Role::Binary).filter(|node| node.touches_change()) {
        let Some(binary) = old.binary().filter(|binary| matches!(binary.operator, "+" | "-")) else { continue };
        let is_one = binary.right.text() == "1" && context.lost(binary.right).next().is_some();
        let Some(now) = context.cover(binary.left).filter(|_| is_one && context.kept(binary.left) == 100) else {
            continue;
        };
        let more_lines = context.run_of(old).is_none_or(|run| run.added > run.removed);
        let gained = more_lines || context.fresh(now.statement()).next().is_some() || context.reappears(old);
        if now.is_usable() && now.touches_change() && !gained && context.mostly_takes_away(old) {
            sink.report(now, format!("`{}` became `{}`.", quote(old.text()), quote(now.text())));
        }
    }
}
