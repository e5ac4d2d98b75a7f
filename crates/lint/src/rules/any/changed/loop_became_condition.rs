//! A loop that became an `if`.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-became-condition",
    languages: &[],
    title: "Loop replaced by an if",
    why: "Code that was repeated until a condition no longer held now runs at most once. A wait can end too early, or \
          a second element is not handled.",
    fix: "Keep the loop, unless a single run is always enough.",
    references: &["CWE-670"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/A.java\n@@ Item take() {\n-        while (queue.isEmpty()) {\n+        if (queue.isEmpty()) {\n^\n             wait();\n         }\n",
    ],
    negative: &[
        "path: src/A.java\n@@ Item take() {\n-        while (queue.isEmpty()) {\n+        while (queue.size() == 0) {\n             wait();\n         }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.with_role(Role::Loop).filter(|node| node.touches_change()) {
        let Some(condition) = old.condition().filter(|condition| context.similarity_to_new(*condition) >= 80) else {
            continue;
        };
        let keyword = old.leaves().next().filter(|leaf| leaf.text() == "while" && context.new_of(*leaf).is_none());
        let now = keyword
            .and_then(|_| context.cover(condition))
            .and_then(|now| now.ancestors().find(|node| node.condition().is_some()));
        if let Some(now) = now.filter(|now| now.has_role(Role::If) && now.touches_change() && now.line().is_some()) {
            sink.report(
                now,
                format!("This was repeated while `{}` and now runs at most once.", quote(condition.text())),
            );
        }
    }
}
