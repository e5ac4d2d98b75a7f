//! A collection that loses or gains elements while a loop iterates over it.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/collection-changed-while-iterated",
    languages: &[
        "Java",
        "C#",
        "Kotlin",
        "Python",
        "JavaScript",
        "TypeScript",
        "TSX",
        "C++",
    ],
    title: "Collection modified during iteration",
    why: "The loop iterates over the live collection. Adding or removing an element during the loop makes the next \
          step throw (`ConcurrentModificationException`, `InvalidOperationException`, `RuntimeError`), use freed memory \
          (C++) or skip elements.",
    fix: "Iterate over a copy, collect what to remove, or use `removeIf`, `RemoveAll`, `filter` or a comprehension.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "enhanced_for_statement",
            "foreach_statement",
            "for_statement",
            "for_in_statement",
            "for_range_loop",
        ]),
        run,
    },
    positive: &[
        "path: src/A.java\n@@ void clean(List<Item> items) {\n+        for (Item item : items) {\n+            if (item.isOld()) {\n+                items.remove(item);\n^\n+            }\n+        }\n",
        "path: src/A.cs\n+foreach (var key in map.Keys)\n+{\n+    map.Remove(key);\n^\n+}\n",
        "path: src/a.kt\n+for (item in items) {\n+    if (item.old) items.remove(item)\n^\n+}\n",
        "path: src/A.java\n+for (String key : map.keySet()) {\n+    map.remove(key);\n^\n+}\n",
        "path: src/a.py\n+def clean(rows):\n+    for key in rows:\n+        if not rows[key]:\n+            del rows[key]\n^\n",
        "path: src/a.py\n def small(numbers):\n     for number in numbers:\n+        if number < 20:\n+            numbers.remove(number)\n^\n     return numbers\n",
        "path: src/a.js\n+for (const item of items) {\n+  if (item.old) items.splice(items.indexOf(item), 1);\n^\n+}\n",
        "path: src/a.cpp\n+for (auto item : items) {\n+    items.push_back(item);\n^\n+}\n",
    ],
    negative: &[
        "path: src/a.py\n+def clean(rows, found):\n+    for key in list(rows):\n+        del rows[key]\n+    for key in rows.copy():\n+        rows.pop(key)\n+    for key in rows:\n+        if key == found:\n+            del rows[key]\n+            break\n+    for key in queue:\n+        queue.append(key)\n+        rows[key] = 1\n",
        "path: src/a.js\n+for (const item of items) {\n+  items.push(item.next);\n+  seen.delete(item);\n+}\n+for (const key in map) {\n+  delete map[key];\n+}\n",
        "path: src/A.java\n@@ void clean(List<Item> items) {\n+        for (Item item : items) {\n+            if (item.isOld()) {\n+                items.remove(item);\n+                break;\n+            }\n+        }\n",
        "path: src/A.java\n+for (Item item : new ArrayList<>(items)) {\n+    items.remove(item);\n+    others.add(item);\n+}\n",
        "path: src/A.cs\n+foreach (var key in map.Keys.ToList())\n+{\n+    map.Remove(key);\n+}\n",
        "path: src/A.java\n+List<Item> items = new CopyOnWriteArrayList<>();\n+for (Item item : items) {\n+    items.remove(item);\n+}\n",
    ],
};

fn is_script(language: &str) -> bool {
    ["JavaScript", "TypeScript", "TSX"].contains(&language)
}

/// The collection that `del` takes an element from.
fn deleted_from(statement: Node<'_>) -> Option<Node<'_>> {
    statement
        .named_children()
        .next()
        .filter(|element| element.is(&["subscript"]))?
        .named_children()
        .next()
}

/// The methods that must not be called meanwhile. Appending to a list that is iterated over is a way to write a queue.
fn changes(language: &str) -> &'static [&'static str] {
    match language {
        "Python" => &["remove", "pop", "discard", "clear", "insert", "popitem"],
        "C++" => &[
            "push_back",
            "emplace_back",
            "pop_back",
            "erase",
            "insert",
            "emplace",
            "clear",
            "resize",
        ],
        _ if is_script(language) => &["splice", "shift"],
        _ => CHANGES,
    }
}

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
const VIEWS: &[&str] = &[
    "keySet", "entrySet", "values", "items", "Keys", "Values", "keys", "entries",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let language = node.tree().grammar().name();
    let has_iterator = !node.is(&["for_statement"]) || ["Kotlin", "Python"].contains(&language);
    if !has_iterator
        || !node
            .children()
            .all(|child| child.text() != "in" || !is_script(language))
    {
        return;
    }
    let (over, body) = if language == "Kotlin" {
        let parts: Vec<_> = node.named_children().collect();
        let Some(body) = parts
            .iter()
            .copied()
            .find(|part| part.is(&["control_structure_body"]))
        else {
            return;
        };
        let Some(over) = body.previous() else { return };
        (over, body)
    } else {
        let (Some(over), Some(body)) = (node.any_field(&["value", "right"]), node.field("body"))
        else {
            return;
        };
        (over, body)
    };
    let Some(base) = base(over) else { return };
    if is_safe_kind(base, over) {
        return;
    }
    let deletions = body
        .descendants()
        .filter(|part| part.is(&["delete_statement"]));
    for call_node in body.all(Role::Call).chain(deletions) {
        let changed = match call_node.call() {
            Some(call) => call
                .receiver
                .filter(|_| changes(language).contains(&call.name)),
            None => deleted_from(call_node),
        };
        let same =
            changed.is_some_and(|receiver| receiver.says_same(base) || receiver.says_same(over));
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
        node.has_role(Role::Name)
            || (node.has_role(Role::Member) && node.all(Role::Call).next().is_none())
    };
    if let Some(call) = over.call() {
        return call
            .receiver
            .filter(|receiver| VIEWS.contains(&call.name) && plain(*receiver));
    }
    if over.has_role(Role::Member) && VIEWS.contains(&over.last_name()) {
        return over.receiver().filter(|receiver| plain(*receiver));
    }
    Some(over).filter(|over| plain(*over))
}

fn is_safe_kind(base: Node<'_>, over: Node<'_>) -> bool {
    let safe = |text: &str| {
        [
            "Concurrent",
            "CopyOnWrite",
            "Immutable",
            "BlockingQueue",
            "Blocking",
        ]
        .iter()
        .any(|part| text.contains(part))
    };
    let declared = crate::semantics::types::declared(base);
    let starts = declared
        .and_then(|declared| declared.value)
        .is_some_and(|value| safe(value.text()));
    crate::semantics::types::type_of(base).is_some_and(|kind| safe(&kind))
        || starts
        || safe(over.text())
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
        .any(|around| {
            around.has_role(Role::Lambda)
                || around.has_role(Role::Function)
                || around.has_role(Role::Class)
        });
    in_lambda
        || call
            .ancestors()
            .take_while(|around| *around != looped)
            .any(|around| around.has_role(Role::Return))
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
