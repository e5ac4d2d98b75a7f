//! A countdown whose last turn is below zero.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/countdown-past-zero",
    languages: &["JavaScript", "TypeScript", "TSX", "Java", "C#", "C", "C++", "PHP"],
    title: "Countdown goes on below zero",
    why: "The counter is compared before it is lowered. With `>= 0` the body also runs when it was 0, and sees -1 then: \
          one turn too many, and an index before the first element.",
    fix: "Write `counter-- > 0`.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.6,
    tests: Tests::Include,
    check: Check::Node { on: On::Roles(&[Role::Loop]), run },
    fires: &[
        "path: src/A.java\n@@ void run(int index) {\n+        while (index-- >= 0 && rows.hasNext()) {\n^\n+            row = rows.next();\n+        }\n",
    ],
    quiet: &[
        "path: src/A.java\n@@ void run(int index) {\n+        while (index-- > 0 && rows.hasNext()) {\n+            row = rows.next();\n+        }\n+        for (int i = 9; i >= 0; i--) {\n+            row = rows.next();\n+        }\n+        while (--index >= 0) {\n+            row = rows.next();\n+        }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.condition() else { return };
    let parts = std::iter::once(condition).chain(condition.descendants());
    let below = parts.filter_map(|part| Some((part, part.comparison()?))).find(|(_, own)| {
        own.left.text().ends_with("--")
            && matches!((own.operator, own.right.text()), (">=", "0") | (">", "-1") | ("!=", "-1"))
    });
    if let Some((part, own)) = below.filter(|(_, own)| own.operator != "!=") {
        sink.report(
            part,
            format!(
                "`{}` holds for 0, and then the body sees -1 in `{}`.",
                quote(part.text()),
                own.left.text().trim_end_matches("--")
            ),
        );
    }
}
