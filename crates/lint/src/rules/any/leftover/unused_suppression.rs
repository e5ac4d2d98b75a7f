//! Comments that suppress a finding which is no longer there.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};

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
        "path: src/a.py\n+# hunkwise:ignore python/mutable-default-argument never changed\n^\n+def f(x=None):\n+    return x\n",
        "path: src/a.py\n+def f(x=None):  # hunkwise:ignore python/mutable-default-argument never changed\n^\n+    return x\n",
        "path: src/a.py\n # hunkwise:ignore python/mutable-default-argument never changed\n^\n-def f(x=[]):\n+def f(x=None):\n     return x\n",
        "path: a.unknown\n+# hunkwise:ignore any/conflict-marker it is a title\n^\n+Title\n",
    ],
    negative: &[
        "path: src/a.py\n+# hunkwise:ignore python/mutable-default-argument never changed\n+def f(x=[]):\n+    return x\n",
        "path: src/a.py\n+# hunkwise:ignore python/mutable-default-argument never changed\n def f(x=None):\n+    return x\n",
        "path: src/a.py\n+# hunkwise:ignore our/own-rule a rule that another run knows\n+def f(x=None):\n+    return x\n",
        "path: src/a.py\n+# hunkwise:ignore any/guard-removed the caller checks\n+def f(x=None):\n+    return x\n",
        "path: src/a.py\n+# hunkwise:ignore go/unchecked-error of another language\n+def f(x=None):\n+    return x\n",
        "path: src/a.py\n+# hunkwise:ignore any/unused-suppression needed by the other branch\n+def f(x=None):  # hunkwise:ignore python/mutable-default-argument it was\n+    return x\n",
    ],
};

fn summary(rule: &str) -> String {
    format!("The comment suppresses findings of {rule} here, and there are none.")
}
