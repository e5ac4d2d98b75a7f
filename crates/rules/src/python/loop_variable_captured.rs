//! Functions in a loop that see only its last iteration.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/loop-variable-captured",
    languages: &["Python"],
    title: "Loop variable captured by a function",
    why: "A function does not capture the value of the current iteration: it looks the variable up when it is called. \
          After the loop all of the functions use the last value.",
    fix: "Bind the value as a default (`lambda x=x: …`), or create the function in a separate function.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["lambda", "function_definition"]),
        run,
    },
    positive: &[
        r#"
+for name in names:
+    buttons.append(lambda: show(name))
^
"#,
        r#"
+def handlers(names):
+    return [lambda: show(name) for name in names]
^
"#,
        r#"
@@ def f(rows):
     for row in rows:
+        def save():
^
+            return store(row)
+        later.append(save)
"#,
    ],
    negative: &[
        r#"
+for name in names:
+    buttons.append(lambda name=name: show(name))
+    rows.sort(key=lambda row: row[name])
+    best = max(rows, key=lambda r: r.a == name)
+    found = list(filter(lambda r: r == name, rows))
+    (lambda: show(name))()
"#,
        r#"
+for row in rows:
+    def save():
+        return store(row)
+    save()
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Most functions are not in a loop, and that is the fastest check.
    let loops: Vec<Node<'_>> = loop_variables(node).collect();
    if loops.is_empty() || !is_kept(node) {
        return;
    }
    let Some(body) = node.field("body") else {
        return;
    };
    let own: Vec<&str> = node
        .field("parameters")
        .map(|list| list.names().map(Node::text).collect())
        .unwrap_or_default();
    let set_inside: Vec<&str> = body
        .all(Role::Assign)
        .filter_map(Node::assignment)
        .map(|assignment| assignment.target.text())
        .collect();
    let is_captured = |name: &&str| {
        *name != "_"
            && !own.contains(name)
            && !set_inside.contains(name)
            && body
                .names()
                .any(|used| used.text() == *name && is_value(used))
    };
    let captured = loops
        .iter()
        .flat_map(|left| left.names())
        .map(Node::text)
        .find(is_captured);
    if let Some(name) = captured {
        sink.report(
            node,
            format!("This function reads `{name}` when it is called: after the loop every copy sees the last value."),
        );
    }
}

/// The variables that the loops around a function, inside the same outer function, set in each iteration; the innermost
/// first.
fn loop_variables(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_outer = |around: &Node<'_>| {
        around.has_role(Role::Function) || around.is(&["lambda", "class_definition", "module"])
    };
    node.ancestors()
        .take_while(move |around| !is_outer(around))
        .filter_map(move |around| {
            if around.is(&["for_statement"]) {
                around.field("left").filter(|_| {
                    around
                        .field("body")
                        .is_some_and(|block| node.is_inside(block))
                })
            } else if around.is(&[
                "list_comprehension", "set_comprehension", "dictionary_comprehension",
            ]) {
                around
                    .child_of_kind(&["for_in_clause"])
                    .and_then(|clause| clause.field("left"))
            } else {
                None
            }
        })
}

/// Whether a name is a variable there, not an attribute or the name of an argument.
fn is_value(name: Node<'_>) -> bool {
    let Some(parent) = name.parent() else {
        return true;
    };
    let is_field = |field: &str| parent.field(field) == Some(name);
    match parent.kind() {
        "attribute" => !is_field("attribute"),
        "keyword_argument" => !is_field("name"),
        _ => true,
    }
}

/// Whether the function outlives this iteration of the loop.
fn is_kept(node: Node<'_>) -> bool {
    const KEEPERS: &[&str] = &[
        "append", "add", "connect", "insert", "put", "setdefault", "Thread", "bind",
        "add_callback", "partial", "submit", "after", "call_later", "add_done_callback", "Button",
        "register", "defer", "call_soon", "Timer", "on", "command",
    ];
    if node.has_role(Role::Function) {
        let Some(name) = node.field("name").map(Node::text) else {
            return false;
        };
        let Some(block) = node.statement().parent().filter(|block| is_small(*block)) else {
            return false;
        };
        let kept = |used: Node<'_>| {
            used.text() == name
                && !used.is_inside(node)
                && used
                    .parent()
                    .is_some_and(|parent| is_passed_to_keeper(parent, KEEPERS))
        };
        return block.names().any(kept);
    }
    let Some(parent) = node.parent() else {
        return false;
    };
    is_passed_to_keeper(parent, KEEPERS)
        || (parent.is(&["list_comprehension", "set_comprehension"])
            && parent.field("body") == Some(node))
        || (parent.is(&["pair"]) && parent.field("value") == Some(node))
        || (parent.is(&["list"]))
        || (parent.is(&["assignment"])
            && parent
                .field("left")
                .is_some_and(|left| left.is(&["subscript", "attribute"])))
        || parent.is(&["yield"])
}

fn is_passed_to_keeper(parent: Node<'_>, keepers: &[&str]) -> bool {
    let list = if parent.is(&["keyword_argument", "pair"]) {
        parent.parent()
    } else {
        Some(parent)
    };
    let call = list
        .filter(|list| list.has_role(Role::Arguments))
        .and_then(Node::parent)
        .and_then(Node::call);
    call.is_some_and(|call| keepers.contains(&call.name))
}
