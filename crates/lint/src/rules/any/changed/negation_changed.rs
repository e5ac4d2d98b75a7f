//! A condition that was negated and no longer is, or the other way round.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/negation-changed",
    languages: &[],
    title: "Negation added or removed",
    why: "The condition is now the opposite of what it was, and the rest of the statement is unchanged. Either it was \
          wrong before, or it is wrong now.",
    fix: "Check both outcomes of the condition, and cover them with a test.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function next(job) {\n-  if (!job.done) {\n+  if (job.done) {\n^\n     run(job);\n   }\n }\n",
        "path: src/a.py\n def next(job):\n-    if not job.done:\n+    if job.done:\n^\n         run(job)\n",
        "path: src/a.c\n@@ static void f(struct s *frame)\n-\tif (!(frame->redraw || !frame->current))\n+\tif (frame->redraw || !frame->current)\n^\n \t\tdraw(frame);\n",
    ],
    negative: &[
        "path: src/a.js\n function next(job) {\n-  if (!job.done) {\n-    run(job);\n-  } else {\n-    stop();\n-  }\n+  if (job.done) {\n+    stop();\n+  } else {\n+    run(job);\n+  }\n }\n",
        "path: src/a.js\n function next(job) {\n-  if (!job.done) {\n-    run(job);\n-  }\n+  if (job.done) return;\n+  run(job);\n }\n",
        "path: src/a.js\n-  if (!job.done) {\n+  if (!job.ready) {\n     run(job);\n   }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.changed_conditions() {
        let (before, after) = (old.negated(), new.negated());
        let lost = before.is_some_and(|inner| context.same(inner, new.unparenthesised()));
        let gained = after.is_some_and(|inner| context.same(old.unparenthesised(), inner));
        if lost || gained {
            let (was, now) = (quote(old.text()), quote(new.text()));
            sink.report(
                new,
                format!("The condition was `{was}` and is now its opposite, `{now}`."),
            );
        }
    }
}
