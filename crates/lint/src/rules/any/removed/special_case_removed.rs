//! An `if` with work of its own that is gone.

use review::{Category, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::semantics::vocabulary;
use crate::tree::Node;

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
        "path: src/a.py\n def width(text, limit):\n     size = len(text)\n-    if size > limit:\n^\n-        size = limit\n     return size + 2\n",
        "path: src/A.java\n@@ int parse(String s) {\n-        if (s.startsWith(\"+\")) {\n^\n-            s = s.substring(1);\n-        }\n         return Integer.parseInt(s);\n",
    ],
    negative: &[
        "path: src/a.py\n def width(text, limit):\n     size = len(text)\n-    if size > limit:\n-        size = limit\n+    size = min(size, limit)\n     return size + 2\n",
        "path: src/a.py\n def width(text, limit):\n-    if debug:\n-        log(text)\n     return len(text) + 2\n",
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
