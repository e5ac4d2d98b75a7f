//! An element that is written twice in a row.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/element-overwritten",
    languages: &["Java", "C#", "Go", "Kotlin"],
    title: "Element written twice in a row",
    why: "The second write has the same target as the first, and the value was not read in between, so the first value \
          is lost. Usually the line was copied and its index or key not changed.",
    fix: "Write the intended index or key in the second statement, or delete the first.",
    references: &["CWE-563"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["expression_statement", "assignment_statement", "assignment"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ void fill(int[] data) {
         data[0] = width;
+        data[0] = height;
^
"#,
        r#"
path: src/A.cs
+void Fill()
+{
+    names["a"] = first;
+    names["a"] = second;
^
+}
"#,
        r#"
path: src/a.go
@@ func fill(data []int) {
+	data[0] = width
+	data[0] = height
^
"#,
        r#"
path: src/A.java
+map.put("a", first);
+map.put("a", second);
^
"#,
        r#"
path: src/a.kt
 fun fill(data: IntArray) {
+    data[0] = width
+    data[0] = height
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ void fill(int[] data) {
+        data[0] = width;
+        data[1] = height;
+        data[1] = data[1] + 1;
+        data[i++] = 1;
+        data[i++] = 1;
"#,
        r#"
path: src/a.go
@@ func fill(data []int) {
+	data[0] = width
+	run(data)
+	data[0] = height
"#,
        r#"
path: src/A.cs
+void Fill()
+{
+    names["a"] = first;
+    names["b"] = second;
+}
"#,
        r#"
path: src/a.kt
 fun fill(data: IntArray) {
+    data[0] = width
+    data[1] = height
+    data[1] = data[1] + 1
 }
"#,
    ],
};

/// The collection and the index that are written, and the value.
fn written<'t>(node: Node<'t>) -> Option<(Vec<Node<'t>>, Node<'t>)> {
    let inner = if node.is(&["expression_statement"]) {
        node.named_children().next()?
    } else {
        node
    };
    if let Some(set) = inner.assignment().filter(|set| set.operator == "=") {
        let target = if set.target.is(&["expression_list"]) {
            set.target
                .named_children()
                .next()
                .filter(|_| set.target.named_children().count() == 1)?
        } else {
            set.target
        };
        let place = target.has_role(Role::Index) || target.text().ends_with(']');
        return place.then(|| (vec![target], set.value));
    }
    let call = inner
        .call()
        .filter(|call| call.name == "put" && call.arguments.len() == 2)?;
    let [key, value] = call.arguments.as_slice() else {
        return None;
    };
    let map = call
        .receiver
        .filter(|map| map.text().to_ascii_lowercase().contains("map"))?;
    Some((vec![map, *key], *value))
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((place, value)) = written(node) else {
        return;
    };
    let Some((before, _)) = node.previous().and_then(written) else {
        return;
    };
    let same = place.len() == before.len()
        && place
            .iter()
            .zip(&before)
            .all(|(one, other)| one.says_same(*other));
    let moves = place.iter().any(|part| {
        part.all(Role::Call).next().is_some()
            || part.text().contains("++")
            || part.text().contains("--")
    });
    let base = place
        .first()
        .map(|part| part.text().split(['[', '.']).next().unwrap_or_default())
        .unwrap_or_default();
    let reads = value.names().any(|name| name.text() == base) || value.has_role(Role::Lambda);
    if same && !moves && !reads {
        let shown = place
            .iter()
            .map(|part| part.text())
            .collect::<Vec<_>>()
            .join(", ");
        sink.report(
            node,
            format!(
                "`{}` was written in the line before and has not been read since.",
                quote(&shown)
            ),
        );
    }
}
