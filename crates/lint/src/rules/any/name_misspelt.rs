//! A name that was changed into a similar one that stands nowhere else.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};
use crate::vocabulary::is_near;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-misspelt",
    languages: &["JavaScript", "TypeScript", "TSX", "Python", "Ruby", "PHP", "Shell"],
    title: "Name changed into one that is used nowhere else here",
    why: "Only this use of the name was changed, into one that differs by a letter or two and stands nowhere else, \
          while the old name is still used around it. That is mostly a slip of the finger; where no compiler \
          looks, it is undefined at run time.",
    fix: "Check the spelling, or rename all uses.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.js\n function check(options) {\n-  if (!options || typeof options === 'string') {\n+  if (!options || typeof option === 'string') {\n^\n     return options;\n   }\n }\n",
    ],
    quiet: &[
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
                format!("`{was}` became `{now}` here only; `{now}` stands nowhere else, and `{was}` is still used."),
            );
        }
    }
}
