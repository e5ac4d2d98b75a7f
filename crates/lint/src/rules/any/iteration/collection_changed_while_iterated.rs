//! A collection that loses or gains elements while a loop iterates over it.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/collection-changed-while-iterated",
    languages: &["Java", "C#", "Kotlin"],
    title: "Collection modified during iteration",
    why: "The loop iterates over the live collection. Adding or removing an element during the loop makes the next \
          step throw (`ConcurrentModificationException`, `InvalidOperationException`) or skip elements.",
    fix: "Use `removeIf` or `RemoveAll`, the iterator's own `remove`, or iterate over a copy.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["enhanced_for_statement", "foreach_statement", "for_statement"]), run },
    positive: &[
        "path: src/A.java\n@@ void clean(List<Item> items) {\n+        for (Item item : items) {\n+            if (item.isOld()) {\n+                items.remove(item);\n^\n+            }\n+        }\n",
        "path: src/A.cs\n+foreach (var key in map.Keys)\n+{\n+    map.Remove(key);\n^\n+}\n",
        "path: src/a.kt\n+for (item in items) {\n+    if (item.old) items.remove(item)\n^\n+}\n",
        "path: src/A.java\n+for (String key : map.keySet()) {\n+    map.remove(key);\n^\n+}\n",
    ],
    negative: &[
        "path: src/A.java\n@@ void clean(List<Item> items) {\n+        for (Item item : items) {\n+            if (item.isOld()) {\n+                items.remove(item);\n+                break;\n+            }\n+        }\n",
        "path: src/A.java\n+for (Item item : new ArrayList<>(items)) {\n+    items.remove(item);\n+    others.add(item);\n+}\n",
        "path: src/A.cs\n+foreach (var key in map.Keys.ToList())\n+{\n+    map.Remove(key);\n+}\n",
        "path: src/A.java\n+List<Item> items = new CopyOnWriteArrayList<>();\n+for (Item item : items) {\n+    items.remove(item);\n+}\n",
    ],
};

const CHANGES: &[&str] = &[
    "remove",
    "add",
    "clear",
    "addAll",
    "removeAll",
    "retainAll",
    "removeIf",
    "Remove",
    "Add",
    "Clear",
    "RemoveAt",
    "Insert",
    "RemoveAll",
    "AddRange",
    "removeAt",
    "RemoveRange",
    "Enqueue",
    "Dequeue",
    "Push",
    "Pop",
    "addFirst",
    "addLast",
    "removeFirst",
    "removeLast",
];

/// Live views of a collection.
const VIEWS: &[&str] = &["keySet", "entrySet", "values", "Keys", "Values", "keys", "entries"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let language = node.tree().grammar().name();
    if node.is(&["for_statement"]) && language != "Kotlin" {
        return;
    }
    let (over, body) = if language == "Kotlin" {
        let parts: Vec<_> = node.named_children().collect();
        let Some(body) = parts.iter().copied().find(|part| part.is(&["control_structure_body"])) else { return };
        let Some(over) = body.previous() else { return };
        (over, body)
    } else {
        let (Some(over), Some(body)) = (node.any_field(&["value", "right"]), node.field("body")) else { return };
        (over, body)
    };
    let Some(base) = base(over) else { return };
    if is_safe_kind(base, over) {
        return;
    }
    for call_node in body.all(Role::Call) {
        let Some(call) = call_node.call().filter(|call| CHANGES.contains(&call.name)) else { continue };
        let same = call.receiver.is_some_and(|receiver| receiver.says_same(base) || receiver.says_same(over));
        if same && !is_left_after(call_node, node) && !replaced(base, call_node, body) {
            sink.report(
                call_node,
                format!(
                    "`{}` modifies `{}` while the loop iterates over it.",
                    quote(call_node.text()),
                    quote(base.text())
                ),
            );
            return;
        }
    }
}

fn base<'t>(over: Node<'t>) -> Option<Node<'t>> {
    let over = over.unparenthesised();
    let plain = |node: Node<'_>| {
        node.has_role(Role::Name) || (node.has_role(Role::Member) && node.all(Role::Call).next().is_none())
    };
    if let Some(call) = over.call() {
        return call.receiver.filter(|receiver| VIEWS.contains(&call.name) && plain(*receiver));
    }
    if over.has_role(Role::Member) && VIEWS.contains(&over.last_name()) {
        return over.receiver().filter(|receiver| plain(*receiver));
    }
    Some(over).filter(|over| plain(*over))
}

fn is_safe_kind(base: Node<'_>, over: Node<'_>) -> bool {
    let safe = |text: &str| {
        ["Concurrent", "CopyOnWrite", "Immutable", "BlockingQueue", "Blocking"].iter().any(|part| text.contains(part))
    };
    let declared = crate::semantics::types::declared(base);
    let starts = declared.and_then(|declared| declared.value).is_some_and(|value| safe(value.text()));
    crate::semantics::types::type_of(base).is_some_and(|kind| safe(&kind)) || starts || safe(over.text())
}

/// Whether the loop ends before its next step.
fn is_left_after(call: Node<'_>, looped: Node<'_>) -> bool {
    let blocks = call
        .ancestors()
        .take_while(|around| *around != looped)
        .filter(|around| around.has_role(Role::Block) || around.has_role(Role::Case));
    let statement = call.statement();
    let in_lambda = call
        .ancestors()
        .take_while(|around| *around != looped)
        .any(|around| around.has_role(Role::Lambda) || around.has_role(Role::Function) || around.has_role(Role::Class));
    in_lambda
        || call.ancestors().take_while(|around| *around != looped).any(|around| around.has_role(Role::Return))
        || statement.is_exit()
        || blocks.into_iter().any(|block| {
            block.statements().iter().any(|after| {
                after.index() > call.index()
                    && after.is_exit()
                    && !after.has_role(Role::Continue)
                    && !after.text().starts_with("continue")
            })
        })
}

/// Whether the name refers to another collection by then.
fn replaced(base: Node<'_>, call: Node<'_>, body: Node<'_>) -> bool {
    body.all(Role::Assign)
        .take_while(|node| node.index() < call.index())
        .filter_map(Node::assignment)
        .any(|set| set.target.says_same(base))
}
