//! A validating call that is gone while the value remains in use.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::semantics::vocabulary;

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
        "path: src/A.java\n@@ Timer(long millis) {\n-        validateInput(millis);\n^\n         this.millis = millis;\n",
        "path: src/a.py\n def delete(request, item):\n-    check_permission(request.user, item)\n^\n     item.delete()\n",
    ],
    negative: &[
        "path: src/A.java\n@@ Timer(long millis) {\n-        validateInput(millis);\n+        validate(millis);\n         this.millis = millis;\n",
        "path: src/a.py\n def delete(request, item):\n-    checkout(item)\n     item.delete()\n",
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
