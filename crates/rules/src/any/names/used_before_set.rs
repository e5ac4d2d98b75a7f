//! A local variable that is read before anything sets it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::Symbols;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/used-before-set",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Local variable used before it is set",
    why: "A name that a function sets anywhere is local in all of the function. Before its first assignment it has no value, \
          so the line fails with `UnboundLocalError` in Python and with a `ReferenceError` in JavaScript.",
    fix: "Set the variable first, or use another name for one of the two.",
    references: &["CWE-457"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program"]),
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
        r#"
path: src/cart.js
+export function total(prices) {
+  log(result);
^
+  const result = prices.length;
+  return result;
+}
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
        r#"
path: src/cart.js
+export function total(prices) {
+  const show = () => log(result);
+  var early = late;
+  var late = early;
+  const result = prices.length;
+  show();
+  for (const price of prices) {
+    if (last) log(last);
+    last = price;
+  }
+  let last;
+  return helper(result);
+  function helper(x) { return x; }
+}
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
