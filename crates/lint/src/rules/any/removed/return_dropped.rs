//! A `return` that is gone from before a value that is still computed.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/return-dropped",
    languages: &[],
    title: "Return keyword dropped before a value",
    why: "The value was returned and is now only computed. The function continues, or ends without a value.",
    fix: "Return the value, or remove the expression too.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n exports.type = function(ext) {\n-  return types[ext];\n+  types[ext];\n^\n };\n",
        "path: src/a.py\n def area(self):\n-    return self.compute(self.w, self.h)\n+    self.compute(self.w, self.h)\n^\n",
    ],
    negative: &[
        "path: src/a.js\n exports.type = function(ext) {\n-  return types[ext];\n+  const type = types[ext];\n+  return type;\n };\n",
        "path: src/a.rs\n fn area(w: u32) -> u32 {\n-    return w * w;\n+    w * w\n }\n",
        "path: src/a.js\n function go() {\n-  return run(1);\n+  run(1);\n+  return 2;\n }\n",
        "path: src/a.js\n-const f = (x) => { return x.y.z; };\n+const f = (x) => x.y.z;\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .with_role(Role::Return)
        .filter(|node| node.touches_change() && context.similarity_to_new(*node) < 100)
    {
        let keyword = old
            .leaves()
            .next()
            .filter(|leaf| leaf.text() == "return" && context.new_of(*leaf).is_none());
        let Some(value) = keyword
            .and_then(|_| old.named_children().next())
            .filter(|value| context.similarity_to_new(*value) == 100)
        else {
            continue;
        };
        let Some(now) = context.cover(value).filter(|now| now.says_same(value)) else {
            continue;
        };
        let statement = now.statement();
        let alone = statement == now
            || (statement.is(&["expression_statement"])
                && statement.named_children().next() == Some(now));
        let is_last_value = context
            .file
            .grammar
            .is_some_and(|grammar| matches!(grammar.name(), "Rust" | "Ruby" | "Kotlin"));
        let returns_now = context
            .new
            .with_role(Role::Return)
            .any(|node| node.touches_change());
        if alone && now.is_usable() && !is_last_value && !returns_now && !arrow(now) {
            sink.report(
                now,
                format!(
                    "`{}` was returned before, but is now only computed.",
                    quote(now.text())
                ),
            );
        }
    }
}

/// Whether the nearest function is an expression: its value is returned without a keyword.
fn arrow(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.has_role(Role::Lambda))
}
