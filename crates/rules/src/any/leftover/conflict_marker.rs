//! Merge conflict markers that were committed.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, LineKind, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/conflict-marker",
    languages: &[],
    title: "Unresolved merge conflict marker",
    why: "A merge with an unresolved conflict was committed. The code does not compile or, in a data file, both \
          versions are present.",
    fix: "Resolve the conflict: keep the right lines and delete the markers.",
    references: &["https://git-scm.com/docs/git-merge"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: src/a.py
 def f():
+<<<<<<< HEAD
^
+    return 1
+=======
+    return 2
+>>>>>>> feature
^
"#,
        r#"
path: a.unknown
+||||||| merged common ancestors
^
+x
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def f():
+    return 1
"#,
        r#"
path: README.rst
+Title
+=======
+text
"#,
        r#"
path: src/a.py
 <<<<<<< HEAD
+x = 1
"#,
        r#"
path: src/a.py
+print("<<<<<<< HEAD")
+# a <<<<<<< b
+>>>>>>>
"#,
    ],
};

/// The line of `=======` alone is not a sign: it underlines titles.
fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let is_marker = |text: &str| {
        let end = |sign: &str| {
            text.strip_prefix(sign)
                .is_some_and(|rest| rest.starts_with(' ') && rest.trim().len() > 1)
        };
        end("<<<<<<<") || end(">>>>>>>") || end("|||||||")
    };
    for line in context
        .lines()
        .iter()
        .filter(|line| line.kind == LineKind::Added && is_marker(line.text))
    {
        sink.report(
            line,
            "The file contains an unresolved merge conflict marker.",
        );
    }
}
