//! Comments that suppress a finding that no longer exists.

use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/unused-suppression",
    languages: &[],
    title: "Suppression comment without a finding",
    why: "The rule that the comment names looked at this code and found nothing. The comment explains a defect that is not \
          there, and it will silently hide the next one on this line.",
    fix: "Delete the comment.",
    references: &[],
    priority: Priority::P3,
    category: Category::Maintainability,
    tests: Tests::Include,
    check: Check::Suppression { summary },
    positive: &[
        r#"
path: src/a.py
+# hunkwise:ignore python/mutable-default-argument never changed
^
+def f(x=None):
+    return x
"#,
        r#"
path: src/a.py
+def f(x=None):  # hunkwise:ignore python/mutable-default-argument never changed
^
+    return x
"#,
        r#"
path: src/a.py
 # hunkwise:ignore python/mutable-default-argument never changed
^
-def f(x=[]):
+def f(x=None):
     return x
"#,
        r#"
path: a.unknown
+# hunkwise:ignore any/conflict-marker it is a title
^
+Title
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+# hunkwise:ignore python/mutable-default-argument never changed
+def f(x=[]):
+    return x
"#,
        r#"
path: src/a.py
+# hunkwise:ignore python/mutable-default-argument never changed
 def f(x=None):
+    return x
"#,
        r#"
path: src/a.py
+# hunkwise:ignore our/own-rule a rule that another run knows
+def f(x=None):
+    return x
"#,
        r#"
path: src/a.py
+# hunkwise:ignore any/guard-removed the caller checks
+def f(x=None):
+    return x
"#,
        r#"
path: src/a.py
+# hunkwise:ignore go/unchecked-error of another language
+def f(x=None):
+    return x
"#,
        r#"
path: src/a.py
+# hunkwise:ignore any/unused-suppression needed by the other branch
+def f(x=None):  # hunkwise:ignore python/mutable-default-argument it was
+    return x
"#,
    ],
};

fn summary(rule: &str) -> String {
    format!("The comment suppresses findings of {rule} here, and there are none.")
}
