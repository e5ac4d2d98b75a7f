//! A `return` that was removed from before a value that is still computed.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

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
        r#"
path: src/a.js
 exports.type = function(ext) {
-  return types[ext];
+  types[ext];
^
 };
"#,
        r#"
path: src/a.py
 def area(self):
-    return self.compute(self.w, self.h)
+    self.compute(self.w, self.h)
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 exports.type = function(ext) {
-  return types[ext];
+  const type = types[ext];
+  return type;
 };
"#,
        r#"
path: src/a.rs
 fn area(w: u32) -> u32 {
-    return w * w;
+    w * w
 }
"#,
        r#"
path: src/a.js
 function go() {
-  return run(1);
+  run(1);
+  return 2;
 }
"#,
        r#"
path: src/a.js
-const f = (x) => { return x.y.z; };
+const f = (x) => x.y.z;
"#,
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

/// Whether the nearest function is an expression. The value of such a function is returned without a keyword.
fn arrow(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.has_role(Role::Lambda))
}
