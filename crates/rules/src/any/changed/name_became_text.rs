//! A variable that was put into quotes.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-became-text",
    languages: &[],
    title: "Variable replaced by its own name in quotes",
    why: "The code used the value of the variable; now it always uses the same string, the variable's name. That is a \
          typical slip with quotes.",
    fix: "Remove the quotes, or confirm that the literal string is intended.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func (e *Engine) add(method string) {
-	root := e.trees.get(method)
+	root := e.trees.get("method")
^
 	use(method, root)
"#,
        r#"
path: src/a.py
 def find(self, kind):
-    return self.rows.filter(kind)
+    return self.rows.filter('kind')
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
-use(options.kind);
+use(options['kind']);
"#,
        r#"
path: src/a.py
 def find(self, kind):
-    return self.rows.filter(kind)
+    return self.rows.filter('sort')
"#,
        r#"
path: src/A.cs
@@ void Take(string kind)
-            Throw(nameof(kind));
+            Throw("kind");
"#,
        r#"
path: src/a.js
-save({ kind: kind });
+save({ 'kind': kind });
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let names = context
        .old
        .with_role(Role::Name)
        .filter(|node| node.is_leaf() && node.touches_change());
    for old in names.filter(|node| is_argument(*node) && node.text().len() > 2) {
        let text = context.new_of(old).and_then(|leaf| {
            leaf.ancestors()
                .take(2)
                .find(|node| node.has_role(Role::Text))
        });
        let Some(text) =
            text.filter(|text| text.is_usable() && text.touches_change() && is_argument(*text))
        else {
            continue;
        };
        let same = text.string_value() == Some(old.text());
        // `nameof(kind)` was that string already.
        let nothing_else = context.inserted(text.statement()).next().is_none()
            && context.lost(old.statement()).next().is_none();
        if same && nothing_else {
            sink.report(
                text,
                format!(
                    "The variable `{}` became the string `{}`.",
                    old.text(),
                    quote(text.text())
                ),
            );
        }
    }
}

fn is_argument(node: Node<'_>) -> bool {
    node.parent().is_some_and(|around| {
        around.has_role(Role::Arguments) || around.is(&["argument", "value_argument"])
    })
}
