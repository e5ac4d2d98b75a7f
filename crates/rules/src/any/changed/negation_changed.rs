//! A condition that was negated and no longer is, or the reverse.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};

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
        r#"
path: src/a.js
 function next(job) {
-  if (!job.done) {
+  if (job.done) {
^
     run(job);
   }
 }
"#,
        r#"
path: src/a.py
 def next(job):
-    if not job.done:
+    if job.done:
^
         run(job)
"#,
        r#"
path: src/a.c
@@ static void f(struct s *frame)
-	if (!(frame->redraw || !frame->current))
+	if (frame->redraw || !frame->current)
^
 		draw(frame);
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function next(job) {
-  if (!job.done) {
-    run(job);
-  } else {
-    stop();
-  }
+  if (job.done) {
+    stop();
+  } else {
+    run(job);
+  }
 }
"#,
        r#"
path: src/a.js
 function next(job) {
-  if (!job.done) {
-    run(job);
-  }
+  if (job.done) return;
+  run(job);
 }
"#,
        r#"
path: src/a.js
-  if (!job.done) {
+  if (!job.ready) {
     run(job);
   }
"#,
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
