//! A `return`, `break`, `continue` or `throw` that is gone, so that what follows runs too.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/exit-removed",
    languages: &[],
    title: "Exit removed, so that the code below runs too",
    why: "The code left here: it returned, left the loop, ended the case or failed. That statement is gone and the \
          code around it stays, so the run goes on into what follows, or gives back nothing.",
    fix: "Keep the exit, or make sure that going on is right.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.45,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.js\n switch (kind) {\n   case 1:\n     one();\n-    break;\n^\n   case 2:\n     two();\n }\n",
        "path: src/a.c\n@@ static int take(struct q *q)\n \tif (!q->len) {\n \t\treport(q);\n-\t\treturn -1;\n^\n \t}\n \treturn q->items[--q->len];\n",
    ],
    quiet: &[
        "path: src/a.js\n switch (kind) {\n   case 1:\n     one();\n-    break;\n+    return;\n   case 2:\n     two();\n }\n",
        "path: src/a.c\n@@ static int take(struct q *q)\n-\tif (!q->len) {\n-\t\treport(q);\n-\t\treturn -1;\n-\t}\n \treturn q->items[--q->len];\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let statement = old.statements().first().copied().unwrap_or(old);
        let follows = old.enclosing(Role::Block).is_none_or(|block| context.kept(block) > 0);
        let is_exit = !statement.has_role(Role::Call) && statement.is_exit();
        if is_exit && follows {
            sink.report(old, format!("`{}` was removed: what follows now runs in this case too.", quote(old.text())));
        }
    }
}
