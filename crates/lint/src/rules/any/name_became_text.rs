//! A name that was put into quotes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/name-became-text",
    languages: &[],
    title: "Variable became the text of its name",
    why: "The value of the variable was used here; now it is always the same text, the variable's name. That is what a \
          slip with the quotes looks like.",
    fix: "Take the quotes away, or check that the text is meant.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.55,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.go\n@@ func (e *Engine) add(method string) {\n-\troot := e.trees.get(method)\n+\troot := e.trees.get(\"method\")\n^\n \tuse(method, root)\n",
        "path: src/a.py\n def find(self, kind):\n-    return self.rows.filter(kind)\n+    return self.rows.filter('kind')\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n-use(options.kind);\n+use(options['kind']);\n",
        "path: src/a.py\n def find(self, kind):\n-    return self.rows.filter(kind)\n+    return self.rows.filter('sort')\n",
        "path: src/A.cs\n@@ void Take(string kind)\n-            Throw(nameof(kind));\n+            Throw(\"kind\");\n",
        "path: src/a.js\n-save({ kind: kind });\n+save({ 'kind': kind });\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let names = context.old.with_role(Role::Name).filter(|node| node.is_leaf() && node.touches_change());
    for old in names.filter(|node| is_argument(*node) && node.text().len() > 2) {
        let text = context.image(old).and_then(|leaf| leaf.ancestors().take(2).find(|node| node.has_role(Role::Text)));
        let Some(text) = text.filter(|text| text.is_usable() && text.touches_change() && is_argument(*text)) else {
            continue;
        };
        let same = text.string_value() == Some(old.text());
        // `nameof(kind)` was that text already.
        let nothing_else =
            context.fresh(text.statement()).next().is_none() && context.lost(old.statement()).next().is_none();
        if same && nothing_else {
            sink.report(text, format!("The variable `{}` became the text `{}`.", old.text(), quote(text.text())));
        }
    }
}

fn is_argument(node: Node<'_>) -> bool {
    node.parent().is_some_and(|around| around.has_role(Role::Arguments) || around.is(&["argument", "value_argument"]))
}
