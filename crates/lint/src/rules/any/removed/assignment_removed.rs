//! An assignment that was removed, while the variable is still used.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

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
        let used = context.used_below(&[target.last_name()], old);
        // A field may be read in another function, so a plain value for it (a reset, a flag) is enough.
        let is_field = target.names().count() > 1 || target.has_role(Role::Member) || target.has_role(Role::Index);
        let resets =
            is_field && value.is_none_or(|value| value.is_leaf() || value.is_null() || value.has_role(Role::Number));
        if used.is_some() || resets {
            let still = if used.is_some() { "is still used below" } else { "keeps its previous value" };
            let (step, name) = (quote(old.text()), quote(target.last_name()));
            sink.report(old, format!("`{step}` was removed: `{name}` {still}."));
        }
    }
}
