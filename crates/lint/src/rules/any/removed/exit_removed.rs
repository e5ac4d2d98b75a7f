//! A `return`, `break`, `continue` or `throw` that was removed, so that the following code runs too.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/exit-removed",
    languages: &[],
    title: "Early exit removed",
    why: "The code left here: it returned, left the loop, ended the case or failed. That statement was removed and the \
          code around it stays, so execution continues with the following code, or the function returns nothing.",
    fix: "Keep the exit, or confirm that continuing is right.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n switch (kind) {\n   case 1:\n     one();\n-    break;\n^\n   case 2:\n     two();\n }\n",
        "path: src/a.c\n@@ static int take(struct q *q)\n \tif (!q->len) {\n \t\treport(q);\n-\t\treturn -1;\n^\n \t}\n \treturn q->items[--q->len];\n",
    ],
    negative: &[
        "path: src/a.js\n switch (kind) {\n   case 1:\n     one();\n-    break;\n+    return;\n   case 2:\n     two();\n }\n",
        "path: src/a.c\n@@ static int take(struct q *q)\n-\tif (!q->len) {\n-\t\treport(q);\n-\t\treturn -1;\n-\t}\n \treturn q->items[--q->len];\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let statement = old.statements().first().copied().unwrap_or(old);
        let follows = old.enclosing(Role::Block).is_none_or(|block| context.similarity_to_new(block) > 0);
        let is_exit = !statement.has_role(Role::Call) && statement.is_exit();
        if is_exit && follows {
            sink.report(
                old,
                format!("`{}` was removed: the following code now runs in this case too.", quote(old.text())),
            );
        }
    }
}
