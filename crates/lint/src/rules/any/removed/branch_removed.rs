//! A case, an `else` or an `else if` that was removed while its siblings stay.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::{Branch, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/branch-removed",
    languages: &[],
    title: "Branch removed",
    why: "One branch of a decision was removed and the others remain. The values that took it now reach another \
          branch, or none.",
    fix: "Confirm that the remaining branches handle these values, or restore the branch.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.py\n def parse(kind):\n     if kind == 1:\n         return one()\n-    elif kind == 2:\n^\n-        return two()\n     return other()\n",
        "path: src/a.js\n switch (token.type) {\n   case 'open':\n     depth++;\n     break;\n-  case 'close':\n^\n-    depth--;\n-    break;\n   default:\n     push(token);\n }\n",
        "path: src/A.java\n@@ void load(String name) {\n         if (name.isEmpty()) {\n             skip();\n-        } else {\n^\n-            read(name);\n         }\n",
    ],
    negative: &[
        "path: src/a.py\n def parse(kind):\n     if kind == 1:\n         return one()\n-    elif kind == 2:\n-        return two()\n+    elif kind in (2, 3):\n+        return two()\n     return other()\n",
        "path: src/a.js\n-switch (token.type) {\n-  case 'open':\n-    depth++;\n-    break;\n-}\n push(token);\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context.old.with_role(Role::Case).filter(|node| node.touches_change() && node.is_all_changed()) {
        let Some(switch) = old.enclosing(Role::Switch) else { continue };
        if context.is_gone(old)
            && context.similarity_to_new(switch) >= 30
            && !context.is_in_removed_function(old)
            && context.mostly_takes_away(old)
        {
            let first = old.text().lines().next().unwrap_or_default();
            sink.report(
                old,
                format!("The case `{}` was removed; its values now take another branch or none.", quote(first)),
            );
        }
    }
    for old in context.old.with_role(Role::If).filter(|node| node.touches_change()) {
        let Some(branch) = old.branch().filter(|_| context.mostly_takes_away(old)) else { continue };
        else_if(context, old, branch, sink);
        plain_else(context, branch, sink);
    }
}

/// An `else if` that was removed, while its `if` stays.
fn else_if(context: &ChangeContext<'_>, old: Node<'_>, branch: Branch<'_>, sink: &mut Sink<'_>) {
    let is_part =
        !old.is_statement() && old.parent().is_some_and(|parent| parent.has_role(Role::If) || parent.is(ELSE));
    if is_part
        && context.is_gone(branch.condition)
        && context.is_gone(branch.then)
        && !context.is_in_removed_function(old)
    {
        let condition = quote(branch.condition.text());
        sink.report(
            branch.condition,
            format!("The branch for `{condition}` was removed; that case now takes another branch or none."),
        );
    }
}

/// The last `else`, removed while its `if` stays.
fn plain_else(context: &ChangeContext<'_>, branch: Branch<'_>, sink: &mut Sink<'_>) {
    let Some(otherwise) = branch.otherwise else { return };
    let is_else_if = otherwise.has_role(Role::If) || otherwise.named_children().any(|inner| inner.has_role(Role::If));
    if !is_else_if
        && context.is_gone(otherwise)
        && context.similarity_to_new(branch.condition) >= 80
        && context.similarity_to_new(branch.then) >= 50
    {
        let condition = quote(branch.condition.text());
        sink.report(
            otherwise,
            format!("The `else` of `{condition}` was removed: nothing happens when the condition is false."),
        );
    }
}

const ELSE: &[&str] = &["else_clause", "else"];
