//! A collection that loses or gains elements while a loop iterates over it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/collection-changed-while-iterated",
    languages: &[
        "Java", "C#", "Kotlin", "Python", "JavaScript", "TypeScript", "TSX", "C++",
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
            "enhanced_for_statement", "foreach_statement", "for_statement", "for_in_statement",
            "for_range_loop",
        ]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void clean(List<Item> items) {
+        for (Item item : items) {
+            if (item.isOld()) {
+                items.remove(item);
^
+            }
+        }
"#,
        r#"
path: src/A.cs
+foreach (var key in map.Keys)
+{
+    map.Remove(key);
^
+}
"#,
        r#"
path: src/a.kt
+for (item in items) {
+    if (item.old) items.remove(item)
^
+}
"#,
        r#"
path: src/A.java
+for (String key : map.keySet()) {
+    map.remove(key);
^
+}
"#,
        r#"
path: src/a.py
+def clean(rows):
+    for key in rows:
+        if not rows[key]:
+            del rows[key]
^
"#,
        r#"
path: src/a.py
 def small(numbers):
     for number in numbers:
+        if number < 20:
+            numbers.remove(number)
^
     return numbers
"#,
        r#"
path: src/a.js
+for (const item of items) {
+  if (item.old) items.splice(items.indexOf(item), 1);
^
+}
"#,
        r#"
path: src/a.cpp
+for (auto item : items) {
+    items.push_back(item);
^
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.py
+def clean(rows, found):
+    for key in list(rows):
+        del rows[key]
+    for key in rows.copy():
+        rows.pop(key)
+    for key in rows:
+        if key == found:
+            del rows[key]
+            break
+    for key in queue:
+        queue.append(key)
+        rows[key] = 1
"#,
        r#"
path: src/a.js
+for (const item of items) {
+  items.push(item.next);
+  seen.delete(item);
+}
+for (const key in map) {
+  delete map[key];
+}
"#,
        r#"
path: src/A.java
@@ void clean(List<Item> items) {
+        for (Item item : items) {
+            if (item.isOld()) {
+                items.remove(item);
+                break;
+            }
+        }
"#,
        r#"
path: src/A.java
+for (Item item : new ArrayList<>(items)) {
+    items.remove(item);
+    others.add(item);
+}
"#,
        r#"
path: src/A.cs
+foreach (var key in map.Keys.ToList())
+{
+    map.Remove(key);
+}
"#,
        r#"
path: src/A.java
+List<Item> items = new CopyOnWriteArrayList<>();
+for (Item item : items) {
+    items.remove(item);
+}
"#,
        r#"
path: src/a.kt
 fun clean(items: MutableList<Item>) {
+    for (item in items.toList()) {
+        if (item.isOld) {
+            items.remove(item)
+        }
+    }
 }
"#,
        r#"
path: src/a.cpp
 void clean(std::vector<Item>& items) {
+    for (auto item = items.begin(); item != items.end();) {
+        item = item->is_old() ? items.erase(item) : item + 1;
+    }
 }
"#,
    ],
};

fn is_script(language: &str) -> bool {
    ["JavaScript", "TypeScript", "TSX"].contains(&language)
}

/// The collection that `del` removes an element from.
fn deleted_from(statement: Node<'_>) -> Option<Node<'_>> {
    statement
        .named_children()
        .next()
        .filter(|element| element.is(&["subscript"]))?
        .named_children()
        .next()
}

/// The methods that must not be called during the iteration. Appending to the list that is iterated over is a way to
/// implement a queue.
fn changes(language: &str) -> &'static [&'static str] {
    match language {
        "Python" => &["remove", "pop", "discard", "clear", "insert", "popitem"],
        "C++" => &[
            "push_back", "emplace_back", "pop_back", "erase", "insert", "emplace", "clear",
            "resize",
        ],
        _ if is_script(language) => &["splice", "shift"],
        _ => CHANGES,
    }
}

const CHANGES: &[&str] = &[
    "remove", "add", "clear", "addAll", "removeAll", "retainAll", "removeIf", "Remove", "Add",
    "Clear", "RemoveAt", "Insert", "RemoveAll", "AddRange", "removeAt", "RemoveRange", "Enqueue",
    "Dequeue", "Push", "Pop", "addFirst", "addLast", "removeFirst", "removeLast",
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
            let summary = format!(
                "`{}` modifies `{}` while the loop iterates over it.",
                quote(call_node.text()),
                quote(base.text())
            );
            let removal = (language == "C#"
                && call_node.call().is_some_and(|call| call.name == "Remove"))
            .then(|| allows_removal(base));
            if removal == Some(Some(true)) {
                return;
            }
            let finding = sink.report(call_node, summary);
            if removal == Some(None) {
                finding.priority(Priority::P2);
                return;
            }
            // The methods of other types than dictionaries may return a copy.
            if over.call().is_some() && !is_dictionary(base) {
                finding.priority(Priority::P2);
            }
            return;
        }
    }
}

/// Whether elements of this collection of .NET may be removed while a loop iterates over it: since .NET Core 3.0, those of sets and
/// dictionaries. `None` if its type is not known.
fn allows_removal(base: Node<'_>) -> Option<bool> {
    let of = |text: &str| {
        let has = |names: &[&str]| names.iter().any(|name| text.contains(name));
        if has(&["HashSet", "Dictionary"]) {
            Some(true)
        } else if has(&["List<", "Collection<", "Queue<", "SortedSet<"]) && !text.starts_with('I') {
            Some(false)
        } else {
            None
        }
    };
    let declared = syntax::semantics::types::declared(base);
    let by_value = declared
        .and_then(|declared| declared.value)
        .and_then(|value| of(value.text()));
    by_value.or_else(|| syntax::semantics::types::type_of(base).and_then(|kind| of(&kind)))
}

/// Whether a value is certainly a dictionary or map of the language.
fn is_dictionary(base: Node<'_>) -> bool {
    let is_one = |text: &str| {
        let text = text.trim_start();
        ["{", "dict", "Dict", "defaultdict", "OrderedDict", "Counter"]
            .iter()
            .any(|start| text.starts_with(start))
            || text.contains("Map")
    };
    let declared = syntax::semantics::types::declared(base);
    declared
        .and_then(|declared| declared.value)
        .is_some_and(|value| is_one(value.text()))
        || syntax::semantics::types::type_of(base).is_some_and(|kind| is_one(&kind))
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
            "Concurrent", "CopyOnWrite", "Immutable", "BlockingQueue", "Blocking",
        ]
        .iter()
        .any(|part| text.contains(part))
    };
    let declared = syntax::semantics::types::declared(base);
    let starts = declared
        .and_then(|declared| declared.value)
        .is_some_and(|value| safe(value.text()));
    syntax::semantics::types::type_of(base).is_some_and(|kind| safe(&kind))
        || starts
        || safe(over.text())
}

/// Whether the loop ends before its next iteration.
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

/// Whether the name refers to another collection by the time of the call.
fn replaced(base: Node<'_>, call: Node<'_>, body: Node<'_>) -> bool {
    body.all(Role::Assign)
        .take_while(|node| node.index() < call.index())
        .filter_map(Node::assignment)
        .any(|set| set.target.says_same(base))
}
