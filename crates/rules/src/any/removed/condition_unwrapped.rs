//! A condition that was removed from around code that remains.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;

pub(crate) const RULE: Rule = Rule {
    id: "any/condition-unwrapped",
    languages: &[],
    title: "Condition removed around remaining code",
    why: "The `if` was removed and its body is still there. The body now also runs in the cases that the condition \
          excluded.",
    fix: "Keep the condition, or confirm that the code is correct in the cases that it excluded.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def fetch(self, response, follow):
-    if follow:
^
-        response.read()
+    response.read()
     return self.next(response)
"#,
        r#"
path: src/a.go
@@ func (c *Context) load() {
-	if c.cached {
^
-		c.query = c.old()
-	} else {
-		c.query = c.read()
-	}
+	c.query = c.read()
 }
"#,
        r#"
path: src/A.java
@@ void show(Model m) {
-        if (version.equals(m.version())) {
^
             response.setCached();
-        }
         done();
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def fetch(self, response, follow):
-    if follow:
-        response.read()
+    if self.follows:
+        response.read()
     return self.next(response)
"#,
        r#"
path: src/a.py
 def fetch(self, response, follow):
-    if follow:
-        response.read()
+    for part in response:
+        response.read()
     return self.next(response)
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.unwrapped() {
        // A removed null check is reported by `any/null-check-removed`.
        if lost.opened().is_some()
            || context.passed_on(&lost).is_some()
            || lost.refused_otherwise().is_some()
        {
            continue;
        }
        let what = lost
            .then
            .statements()
            .first()
            .map_or("", |first| first.text());
        let (what, condition) = (quote(what), quote(lost.condition.text()));
        let (was, is) = if lost.whole.has_role(Role::Ternary) {
            ("was the value", "it always is")
        } else {
            ("ran", "it always runs")
        };
        let not = if lost.otherwise { "not " } else { "" };
        sink.report(
            lost.whole,
            format!("`{what}` {was} only if {not}`{condition}`; now {is}."),
        );
    }
}
