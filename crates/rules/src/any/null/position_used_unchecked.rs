//! The position of a search that may fail, used without a check.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/position-used-unchecked",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Java", "C#", "Kotlin", "Python",
    ],
    title: "Search position used without a check",
    why: "The search returns -1 when it finds nothing, and the position is passed directly to a call that slices or \
          removes. With -1 that call drops the last character, removes the last element, or throws.",
    fix: "Store the position, and check that it is not negative first.",
    references: &["CWE-252"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call, Role::Index]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+listeners.splice(listeners.indexOf(listener), 1);
^
+const name = path.slice(0, path.indexOf('?'));
^
"#,
        r#"
path: src/A.java
@@ String name(String path) {
+        return path.substring(0, path.lastIndexOf('.'));
^
"#,
        r#"
path: src/a.py
+name = path[:path.find("?")]
^
"#,
        r#"
path: src/A.cs
 string Name(string path)
 {
+    return path.Substring(0, path.LastIndexOf('.'));
^
 }
"#,
        r#"
path: src/a.kt
 fun name(path: String): String {
+    return path.substring(0, path.lastIndexOf('.'))
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const at = path.indexOf('?');
+const name = at < 0 ? path : path.slice(0, at);
+const rest = path.slice(path.lastIndexOf('/') + 1);
+if (a.includes(b)) a.splice(a.indexOf(b), 1);
+const end = path.slice(0, path.includes('?') ? path.indexOf('?') : undefined);
"#,
        r#"
path: src/A.java
@@ String name(String path) {
+        int at = path.lastIndexOf('.');
+        return path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : path;
"#,
        r#"
path: src/a.py
+name = path[:path.index("?")]
"#,
        r#"
path: src/A.cs
 string Name(string path)
 {
+    int dot = path.LastIndexOf('.');
+    return dot < 0 ? path : path.Substring(0, dot);
 }
"#,
        r#"
path: src/a.kt
 fun name(path: String): String {
+    val dot = path.lastIndexOf('.')
+    return if (dot < 0) path else path.substring(0, dot)
 }
"#,
    ],
};

const CUTS: &[&str] = &[
    "splice", "substring", "substr", "slice", "Substring", "Remove", "RemoveAt", "removeAt",
    "charAt", "deleteCharAt", "subSequence",
];
const SEARCHES: &[&str] = &[
    "indexOf", "lastIndexOf", "findIndex", "findLastIndex", "IndexOf", "LastIndexOf", "FindIndex",
];

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Such a call is short. A long one would be searched again for each call around it.
    if node.descendants().size_hint().0 > 80 || context.file.is_script {
        return;
    }
    let is_python = node.tree().grammar().name() == "Python";
    let search = match node.call() {
        Some(call) if CUTS.contains(&call.name) => call
            .arguments
            .iter()
            .copied()
            .map(handed_over)
            .find(|argument| is_search(*argument, SEARCHES)),
        None if is_python && node.has_role(Role::Index) => node
            .descendants()
            .find(|part| part.is(&["slice"]))
            .and_then(|slice| {
                slice
                    .named_children()
                    .find(|bound| is_search(*bound, &["find", "rfind"]))
            }),
        _ => None,
    };
    let Some(search) = search.filter(|search| !is_checked_first(node, *search)) else {
        return;
    };
    sink.report(
        node,
        format!(
            "`{}` returns -1 if nothing is found, but its result is used unchecked.",
            quote(search.text())
        ),
    );
}

fn is_search(node: Node<'_>, names: &[&str]) -> bool {
    node.call()
        .is_some_and(|call| names.contains(&call.name) && call.receiver.is_some())
}

/// Whether the same value is checked first: in the condition of an enclosing `if`, loop or ternary, or in a statement
/// before it.
fn is_checked_first(node: Node<'_>, search: Node<'_>) -> bool {
    let Some(call) = search.call() else {
        return true;
    };
    let of = call.arguments.first().map_or("", |first| first.text());
    let receiver = call.receiver.map_or("", Node::text);
    let mentions_value =
        |condition: Node<'_>| condition.text().contains(of) || condition.text().contains(receiver);
    let around = node
        .ancestors()
        .take(12)
        .filter_map(Node::condition)
        .any(mentions_value);
    let chain = node
        .ancestors()
        .take(4)
        .filter_map(Node::binary)
        .any(|binary| mentions_value(binary.left) && !node.is_inside(binary.left));
    let mut earlier =
        std::iter::successors(node.statement().previous(), |before| before.previous()).take(3);
    around || chain || earlier.any(|before| mentions_value(before) && before.has_role(Role::If))
}
