//! A loop with a body that always leaves it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "rust/loop-runs-once",
    languages: &["Rust"],
    title: "Loop running at most once",
    why: "The body always leaves the loop at its end. Only the first element is processed, or a retry never \
          retries; usually a `break` or `return` is outside the `if` that it belongs to.",
    fix: "Move the exit under its condition, or write an `if` instead of the loop.",
    references: &["CWE-670"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        r#"
+fn find(items: &[u32]) -> Option<u32> {
+    for item in items {
^
+        if *item > 3 {
+            log(item);
+        }
+        return Some(*item);
+    }
+    None
+}
"#,
        r#"
+fn read() {
+    loop {
^
+        if ready() {
+            return;
+        } else {
+            break;
+        }
+    }
+}
"#,
    ],
    negative: &[
        r#"
+fn find(items: &[u32]) -> Option<u32> {
+    for item in items {
+        if *item > 3 {
+            return Some(*item);
+        }
+    }
+    loop {
+        if again() {
+            continue;
+        }
+        break;
+    }
+    'outer: loop {
+        for item in items {
+            if skip(item) { continue 'outer; }
+        }
+        break;
+    }
+    None
+}
"#,
        r#"
+fn read(reader: &mut Reader) -> Option<u32> {
+    while let Some(item) = reader.next() {
+        match item {
+            0 => continue,
+            n => return Some(n),
+        }
+    }
+    None
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(body) = node.field("body").filter(|body| body.is_within_hunk()) else {
        return;
    };
    let label = node
        .child_of_kind(&["label"])
        .or_else(|| {
            node.parent()
                .and_then(|parent| parent.child_of_kind(&["label"]))
        })
        .map(Node::text);
    // `loop { …; break value }` with earlier breaks is a common idiom for leaving a block early.
    let breaks_early = node.is(&["loop_expression"]) && body.all(Role::Break).count() > 1;
    if !breaks_early && always_leaves(body, 0) && !starts_again(node, body, label) {
        sink.report(
            node,
            "The body of this loop always leaves it, so it runs at most once.",
        );
    }
}

fn starts_again(node: Node<'_>, body: Node<'_>, label: Option<&str>) -> bool {
    body.all(Role::Continue).any(|again| {
        let named = again.child_of_kind(&["label"]).map(Node::text);
        let own = again.ancestors().find(|around| around.has_role(Role::Loop)) == Some(node);
        if named.is_some() { named == label } else { own }
    })
}

/// Whether every path through the block ends in `return` or in `break` of this loop.
fn always_leaves(block: Node<'_>, depth: u32) -> bool {
    if depth > 6 {
        return false;
    }
    let Some(last) = block
        .named_children()
        .filter(|child| !child.is(&["empty_statement"]))
        .last()
    else {
        return false;
    };
    let last = if last.is(&["expression_statement"]) {
        last.named_children().next().unwrap_or(last)
    } else {
        last
    };
    match last.kind() {
        "return_expression" => true,
        "break_expression" => last.child_of_kind(&["label"]).is_none(),
        "if_expression" => {
            let then = last
                .field("consequence")
                .is_some_and(|then| always_leaves(then, depth + 1));
            let otherwise = last
                .field("alternative")
                .and_then(|clause| clause.named_children().next());
            then && otherwise.is_some_and(|part| {
                if part.is(&["if_expression"]) {
                    leaves_if(part, depth + 1)
                } else {
                    always_leaves(part, depth + 1)
                }
            })
        }
        "block" | "unsafe_block" => {
            always_leaves(last.child_of_kind(&["block"]).unwrap_or(last), depth + 1)
        }
        _ => false,
    }
}

fn leaves_if(node: Node<'_>, depth: u32) -> bool {
    let then = node
        .field("consequence")
        .is_some_and(|then| always_leaves(then, depth));
    let otherwise = node
        .field("alternative")
        .and_then(|clause| clause.named_children().next());
    then && otherwise
        .is_some_and(|part| !part.is(&["if_expression"]) && always_leaves(part, depth + 1))
}
