//! A countdown with a last iteration below zero.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/countdown-past-zero",
    languages: &[
        "JavaScript",
        "TypeScript",
        "TSX",
        "Java",
        "C#",
        "C",
        "C++",
        "PHP",
    ],
    title: "Countdown past zero",
    why: "The counter is compared before it is decremented. With `>= 0` the body also runs when it was 0, and sees -1: \
          one iteration too many, and an index before the first element.",
    fix: "Write `counter-- > 0`.",
    references: &["CWE-193"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        "path: src/A.java\n@@ void run(int index) {\n+        while (index-- >= 0 && rows.hasNext()) {\n^\n+            row = rows.next();\n+        }\n",
        "path: src/a.js\n@@ function drain(left) {\n+  while (left-- >= 0) {\n^\n     queue.shift();\n   }\n",
    ],
    negative: &[
        "path: src/A.java\n@@ void run(int index) {\n+        while (index-- > 0 && rows.hasNext()) {\n+            row = rows.next();\n+        }\n+        for (int i = 9; i >= 0; i--) {\n+            row = rows.next();\n+        }\n+        while (--index >= 0) {\n+            row = rows.next();\n+        }\n",
        "path: src/a.js\n@@ function drain(left) {\n   while (left-- >= 0) {\n+    queue.shift();\n+    for (let i = queue.length; i-- > 0;) visit(queue[i]);\n   }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.condition() else {
        return;
    };
    let parts = std::iter::once(condition).chain(condition.descendants());
    let below = parts
        .filter_map(|part| Some((part, part.comparison()?)))
        .find(|(_, own)| {
            own.left.text().ends_with("--")
                && matches!(
                    (own.operator, own.right.text()),
                    (">=", "0") | (">", "-1") | ("!=", "-1")
                )
        });
    if let Some((part, own)) = below.filter(|(_, own)| own.operator != "!=") {
        sink.report(
            part,
            format!(
                "`{}` holds for 0, so the body sees -1 in `{}`.",
                quote(part.text()),
                own.left.text().trim_end_matches("--")
            ),
        );
    }
}
