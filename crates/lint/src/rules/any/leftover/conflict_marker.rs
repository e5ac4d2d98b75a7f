//! Merge conflict markers that were committed.

use review::{Category, LineKind, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext};

pub(crate) const RULE: Rule = Rule {
    id: "any/conflict-marker",
    languages: &[],
    title: "Unresolved merge conflict marker",
    why: "A merge with an unresolved conflict was committed. The code does not compile or, in a data file, both \
          versions are present at once.",
    fix: "Resolve the conflict: keep the right lines and delete the markers.",
    references: &["https://git-scm.com/docs/git-merge"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        "path: src/a.py\n def f():\n+<<<<<<< HEAD\n^\n+    return 1\n+=======\n+    return 2\n+>>>>>>> feature\n^\n",
        "path: a.unknown\n+||||||| merged common ancestors\n^\n+x\n",
    ],
    negative: &[
        "path: src/a.py\n def f():\n+    return 1\n",
        "path: README.rst\n+Title\n+=======\n+text\n",
        "path: src/a.py\n <<<<<<< HEAD\n+x = 1\n",
        "path: src/a.py\n+print(\"<<<<<<< HEAD\")\n+# a <<<<<<< b\n+>>>>>>>\n",
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
