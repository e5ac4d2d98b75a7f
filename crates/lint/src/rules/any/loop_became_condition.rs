//! A loop that became an `if`.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-became-condition",
    languages: &[],
    title: "Loop became an if",
    why: "What was repeated until a condition no longer held is now done once at most. A wait can wake up too \
          early, a second element is not handled.",
    fix: "Loop, unless once is always enough.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.7,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/A.java\n@@ Item take() {\n-        while (queue.isEmpty()) {\n+        if (queue.isEmpty()) {\n^\n             wait();\n         }\n",
    ],
    quiet: &[
        "path: src/A.java\n@@ Item take() {\n-        while (queue.isEmpty()) {\n+        while (queue.size() == 0) {\n             wait();\n         }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.old.with_role(Role::Loop).filter(|node| node.touches_change()) {
        let Some(condition) = old.condition().filter(|condition| context.kept(*condition) >= 80) else { continue };
        let keyword = old.leaves().next().filter(|leaf| leaf.text() == "while" && context.image(*leaf).is_none());
        let now = keyword
            .and_then(|_| context.cover(condition))
            .and_then(|now| now.ancestors().find(|node| node.condition().is_some()));
        if let Some(now) = now.filter(|now| now.has_role(Role::If) && now.touches_change() && now.line().is_some()) {
            sink.report(now, format!("This was repeated while `{}` and is now done once.", quote(condition.text())));
        }
    }
}
