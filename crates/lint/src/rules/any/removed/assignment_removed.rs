//! An assignment that was removed, while the variable is still used.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/assignment-removed",
    languages: &[],
    title: "Assignment to a used variable removed",
    why: "A statement that set a variable, a field or a counter was removed without a replacement. Later reads see the \
          previous value: a flag that is never reset, a counter that no longer advances, a value that is not \
          initialized.",
    fix: "Keep the assignment, or remove the code that reads the variable too.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function next() {\n   const item = queue[pos];\n-  pos += 1;\n^\n   return [item, pos];\n }\n",
        "path: src/a.c\n@@ static void drop(struct conn *c)\n \tfree(c->buf);\n-\tc->buf = NULL;\n^\n \tc->state = DONE;\n",
        "path: src/a.py\n def load(path, name):\n-    path = os.path.abspath(path)\n^\n     return read(path, name)\n",
    ],
    negative: &[
        "path: src/a.js\n function start(door) {\n   let state = 1;\n-  state = 2;\n   state = 3;\n   open(door, state);\n }\n",
        "path: src/a.py\n def start(door, side):\n-    angle = turn(side)\n     open(door, angle=90)\n",
        "path: src/a.py\n def angle(side):\n     if side == 1:\n         found = 90\n-    elif side == 2:\n-        found = 90\n     else:\n         found = 0\n     return found\n",
        "path: src/a.js\n function next() {\n   const item = queue[pos];\n-  pos += 1;\n+  pos = after(pos);\n   return [item, pos];\n }\n",
        "path: src/a.py\n def load(path, name):\n-    size = 3\n     return read(path, name)\n",
        "path: src/a.py\n-def load(path, name):\n-    self.size = 3\n-    return read(path, name)\n def other():\n     return size\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let statement = old.statements().first().copied().unwrap_or(old);
        let steps = statement.is(&["update_expression", "inc_statement", "dec_statement"]);
        let (target, value) = match statement.assignment() {
            Some(assignment) => (assignment.target, Some(assignment.value)),
            None if steps => (statement, None),
            None => continue,
        };
        let name = target.last_name();
        if context.is_set_below(name, old)
            || context.takes_back(name)
            || goes_with_its_branch(context, old, target)
        {
            continue;
        }
        let used = context.used_below(&[name], old);
        // A field may be read in another function, so a plain value for it (a reset, a flag) is enough.
        let is_field = target.names().count() > 1
            || target.has_role(Role::Member)
            || target.has_role(Role::Index);
        let resets = is_field
            && value.is_none_or(|value| {
                value.is_leaf() || value.is_null() || value.has_role(Role::Number)
            });
        if used.is_some() || resets {
            let still = if used.is_some() {
                "is still used below"
            } else {
                "keeps its previous value"
            };
            let (step, name) = (quote(old.text()), quote(target.last_name()));
            sink.report(old, format!("`{step}` was removed: `{name}` {still}."));
        }
    }
}

/// Whether the whole branch went, and another one still sets the same.
fn goes_with_its_branch(context: &ChangeContext<'_>, old: Node<'_>, target: Node<'_>) -> bool {
    let Some(condition) = old.enclosing(Role::If).and_then(Node::condition) else {
        return false;
    };
    let sets = |node: Node<'_>| {
        node.assignment()
            .is_some_and(|set| set.target.says_same(target))
    };
    condition.is_all_changed()
        && context.is_gone(condition)
        && context.new.with_role(Role::Assign).any(sets)
}
