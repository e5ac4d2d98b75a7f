//! A name that was changed into a similar one that appears nowhere else.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};
use crate::semantics::vocabulary::is_near;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-misspelt",
    languages: &["JavaScript", "TypeScript", "TSX", "Python", "Ruby", "PHP", "Shell"],
    title: "Probable typo in a changed name",
    why: "Only this use of the name changed, into one that differs by a letter or two and appears nowhere else, while \
          the old name is still used around it. That is usually a typo; in a language without a compiler, the name is \
          undefined at run time.",
    fix: "Check the spelling, or rename all uses.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function check(options) {\n-  if (!options || typeof options === 'string') {\n+  if (!options || typeof option === 'string') {\n^\n     return options;\n   }\n }\n",
        "path: src/a.py\n def total(prices):\n     result = sum(prices)\n-    log(prices)\n+    log(pricess)\n^\n     return result\n",
    ],
    negative: &[
        "path: src/a.js\n function check(options) {\n-  if (!options || typeof options === 'string') {\n+  if (!options || typeof settings === 'string') {\n     return options;\n   }\n }\n",
        "path: src/a.js\n function check(item, items) {\n-  use(item);\n+  use(items);\n   return [item, items];\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let count = |name: &str| context.new.nodes().filter(|node| node.is_leaf() && node.text() == name).count();
    for (old, new) in context.replaced_names() {
        let (was, now) = (old.text(), new.text());
        let known_before = context.old.nodes().any(|node| node.is_leaf() && node.text() == now);
        let is_value = !new
            .parent()
            .is_some_and(|parent| parent.has_role(Role::Member) && parent.named_children().last() == Some(new));
        if is_value && is_near(was, now) && !known_before && count(now) == 1 && count(was) >= 1 {
            sink.report(
                new,
                format!("`{was}` became `{now}` only here; `{now}` appears nowhere else, and `{was}` is still used."),
            );
        }
    }
}
