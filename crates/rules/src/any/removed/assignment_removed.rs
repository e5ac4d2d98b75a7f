//! An assignment that was removed although the variable is still used.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

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
        r#"
path: src/a.js
 function next() {
   const item = queue[pos];
-  pos += 1;
^
   return [item, pos];
 }
"#,
        r#"
path: src/a.c
@@ static void drop(struct conn *c)
 	free(c->buf);
-	c->buf = NULL;
^
 	c->state = DONE;
"#,
        r#"
path: src/a.py
 def load(path, name):
-    path = os.path.abspath(path)
^
     return read(path, name)
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 function start(door) {
   let state = 1;
-  state = 2;
   state = 3;
   open(door, state);
 }
"#,
        r#"
path: src/a.py
 def start(door, side):
-    angle = turn(side)
     open(door, angle=90)
"#,
        r#"
path: src/a.py
 def angle(side):
     if side == 1:
         found = 90
-    elif side == 2:
-        found = 90
     else:
         found = 0
     return found
"#,
        r#"
path: src/a.js
 function next() {
   const item = queue[pos];
-  pos += 1;
+  pos = after(pos);
   return [item, pos];
 }
"#,
        r#"
path: src/a.py
 def load(path, name):
-    size = 3
     return read(path, name)
"#,
        r#"
path: src/a.py
-def load(path, name):
-    self.size = 3
-    return read(path, name)
 def other():
     return size
"#,
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

/// Whether the whole branch was removed, and another one still sets the same variable.
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
