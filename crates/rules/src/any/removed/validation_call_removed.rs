//! A validating call that was removed while the value is still used.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/validation-call-removed",
    languages: &[],
    title: "Validation removed",
    why: "A call that checks a rule (valid, allowed, in range) was removed without a replacement. Input that it \
          rejected is now accepted.",
    fix: "Keep the check, or name the place that performs it now.",
    references: &["CWE-20"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/A.java
@@ Timer(long millis) {
-        validateInput(millis);
^
         this.millis = millis;
"#,
        r#"
path: src/a.py
 def delete(request, item):
-    check_permission(request.user, item)
^
     item.delete()
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ Timer(long millis) {
-        validateInput(millis);
+        validate(millis);
         this.millis = millis;
"#,
        r#"
path: src/a.py
 def delete(request, item):
-    checkout(item)
     item.delete()
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_calls() {
        if vocabulary::checks(old.call.name)
            && !old.call.name.starts_with("require_")
            && old.call.name != "require"
        {
            let still = old
                .used
                .map(|used| format!(", but `{}` is still used below", quote(used.text())))
                .unwrap_or_default();
            sink.report(
                old.statement,
                format!("The check `{}` was removed{still}.", quote(old.call.callee)),
            );
        }
    }
}
