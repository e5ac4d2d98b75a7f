//! A local variable that is read before it is set.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::Symbols;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/used-before-set",
    languages: &["Python"],
    title: "Local variable used before it is set",
    why: "A name that a function sets anywhere is local in all of the function. Before its first assignment it has no value, \
          so the line fails with `UnboundLocalError`.",
    fix: "Set the variable first, or use another name for one of the two.",
    references: &["CWE-457"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module"]),
        run,
    },
    positive: &[
        r#"
path: shop/cart.py (whole file)
 def total(prices):
+    log(result)
^
     result = sum(prices)
     return result
"#,
        r#"
path: shop/cart.py
+import json
+
+def load(path):
+    text = json.loads(read(path))
^
+    import json
+    return text
"#,
    ],
    negative: &[
        r#"
path: shop/cart.py
+result = 0
+
+def total(prices):
+    global result
+    log(result)
+    result = sum(prices)
+
+def each(prices):
+    for price in prices:
+        if price > 1:
+            log(last)
+        last = price
+
"#,
        r#"
path: shop/cart.py
+def later(prices):
+    def show():
+        return text
+    text = str(prices)
+    return show() + [name for name in prices][0]
+
+def careful():
+    try:
+        log(text)
+    except NameError:
+        text = ""
"#,
    ],
};

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    let Some(symbols) = Symbols::of(tree) else {
        return;
    };
    for early in symbols.early_uses(tree) {
        let name = early.used.text();
        let line = |node: Node<'_>| node.line().unwrap_or_default();
        if early.used.touches_change() {
            let set = line(early.set);
            let summary = format!("`{name}` is used here, but is not set before line {set}");
            sink.report(early.used, summary);
        } else {
            let used = line(early.used);
            let summary = format!("line {used} uses `{name}` before it is set here");
            sink.report(early.set, summary);
        }
    }
}
