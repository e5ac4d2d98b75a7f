//! A loop that is gone while what it worked on stays.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-removed",
    languages: &[],
    title: "Loop removed",
    why: "The work of the loop is not done any more and nothing took its place: elements that were visited, \
          filled, closed or counted no longer are.",
    fix: "Say what now does this work, or keep the loop.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.35,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.py\n def show(axes, limits):\n     axes.limits = limits\n-    for other in axes.siblings():\n^\n-        other.stale = False\n     return axes.draw()\n",
    ],
    quiet: &[
        "path: src/a.py\n def show(axes, limits):\n     axes.limits = limits\n-    for other in axes.siblings():\n-        other.stale = False\n+    clear(axes.siblings())\n     return axes.draw()\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        if old.has_role(Role::Loop) {
            let head = old.text().lines().next().unwrap_or_default();
            sink.report(old, format!("The loop `{}` was removed: its work is not done any more.", quote(head)));
        }
    }
}
