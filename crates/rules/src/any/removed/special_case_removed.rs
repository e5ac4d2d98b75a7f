//! A removed `if` with its own code.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::vocabulary;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/special-case-removed",
    languages: &[],
    title: "Special case removed",
    why: "An `if` that handled a special case is gone without a replacement, and the value that it checked is still \
          used. That case is now treated like all others.",
    fix: "Keep the special case, or show that the general path handles it correctly.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def width(text, limit):
     size = len(text)
-    if size > limit:
^
-        size = limit
     return size + 2
"#,
        r#"
path: src/A.java
@@ int parse(String s) {
-        if (s.startsWith("+")) {
^
-            s = s.substring(1);
-        }
         return Integer.parseInt(s);
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def width(text, limit):
     size = len(text)
-    if size > limit:
-        size = limit
+    size = min(size, limit)
     return size + 2
"#,
        r#"
path: src/a.py
 def width(text, limit):
-    if debug:
-        log(text)
     return len(text) + 2
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_statements() {
        let Some(branch) = old.branch().filter(|branch| !branch.then.ends_in_exit()) else {
            continue;
        };
        let names: Vec<&str> = branch.condition.names().map(Node::text).collect();
        let Some(used) = context
            .used_below(&names, old)
            .filter(|_| !only_tells(branch.then))
        else {
            continue;
        };
        let (condition, used) = (quote(branch.condition.text()), quote(used.text()));
        let summary = format!(
            "The special case `{condition}` was removed, but `{used}` is still used below."
        );
        sink.report(old, summary);
    }
}

/// Whether the block only logs or prints.
fn only_tells(block: Node<'_>) -> bool {
    block.statements().into_iter().all(|node| {
        node.call()
            .is_some_and(|call| vocabulary::only_tells(call.callee))
    })
}
