//! A loop that also reads the index after the last element.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/loop-past-the-end",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Java", "C#", "C++", "PHP", "Go",
    ],
    title: "Loop past the end of a collection",
    why: "The last index is one less than the size. The loop also runs with the size itself, and its body accesses the \
          element at that index: it throws, or reads an undefined value.",
    fix: "Compare with `<`.",
    references: &["CWE-193"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Loop]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+for (let i = 0; i <= rows.length; i++) {
^
+  show(rows[i]);
+}
"#,
        r#"
path: src/A.java
@@ void run() {
+        for (int i = 0; i <= rows.size(); i++) {
^
+            show(rows.get(i));
+        }
"#,
        r#"
path: src/a.go
@@ func run() {
+	for i := 0; i <= len(rows); i++ {
^
+		show(rows[i])
+	}
"#,
        r#"
path: src/A.cs
 void Run(List<string> rows)
 {
+    for (int i = 0; i <= rows.Count; i++)
^
+    {
+        Show(rows[i]);
+    }
 }
"#,
        r#"
path: src/a.cpp
 void run(const std::vector<Row>& rows) {
+    for (size_t i = 0; i <= rows.size(); i++) {
^
+        show(rows[i]);
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+for ($i = 0; $i <= count($rows); $i++) {
^
+    show($rows[$i]);
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+for (let i = 0; i < rows.length; i++) {
+  show(rows[i]);
+}
+for (let i = 1; i <= rows.length; i++) {
+  show(rows[i - 1]);
+}
+for (let n = 0; n <= rows.length; n++) {
+  show(rows.slice(0, n));
+}
+for (let i = 0; i <= rows.length; i++) {
+  if (i < rows.length) show(rows[i]);
+}
"#,
        r#"
path: src/A.java
@@ void run() {
         for (int i = 0; i <= rows.size(); i++) {
+            show(i);
         }
+        for (int page = 0; page <= pages.size(); page++) {
+            print(page);
+        }
"#,
        r#"
path: src/A.cs
 void Run(List<string> rows)
 {
+    for (int i = 0; i < rows.Count; i++)
+    {
+        Show(rows[i]);
+    }
 }
"#,
        r#"
path: src/a.cpp
 void run(const std::vector<Row>& rows) {
+    for (size_t i = 0; i < rows.size(); i++) {
+        show(rows[i]);
+    }
 }
"#,
        r#"
path: src/a.php
 <?php
+for ($i = 0; $i < count($rows); $i++) {
+    show($rows[$i]);
+}
"#,
        r#"
path: src/a.go
 func run(rows []Row) {
+	for i := 0; i < len(rows); i++ {
+		show(rows[i])
+	}
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node
        .condition()
        .filter(|condition| condition.touches_change())
    else {
        return;
    };
    let Some(binary) = condition.comparison() else {
        return;
    };
    let (index, size) = match binary.operator {
        "<=" => (binary.left, binary.right),
        ">=" => (binary.right, binary.left),
        _ => return,
    };
    let Some(of) = sized(size).filter(|_| index.has_role(Role::Name)) else {
        return;
    };
    let Some(body) = node.field("body") else {
        return;
    };
    let is_compared = body.descendants().any(|inner| {
        inner
            .comparison()
            .is_some_and(|own| own.left.says_same(index) || own.right.says_same(index))
    });
    if let Some(taken) = body
        .descendants()
        .find(|inner| takes(*inner, of, index))
        .filter(|_| !is_compared && body.all(Role::Try).next().is_none())
    {
        let summary = format!(
            "The last iteration of the loop accesses `{}`, which is one past the end.",
            quote(taken.text())
        );
        let found = sink.report(condition, summary);
        // An array of PHP may begin with any key.
        if starts_at_one(node) {
            found.priority(Priority::P2);
        }
    }
}

/// Whether a loop of PHP begins with the index 1.
fn starts_at_one(node: Node<'_>) -> bool {
    let start = node.field("initialize").and_then(Node::assignment);
    start.is_some_and(|set| set.value.text() == "1")
}

/// The collection of a size: `a` in `a.length`, `a.size()`, `len(a)`, `count($a)`.
fn sized(size: Node<'_>) -> Option<Node<'_>> {
    const SIZES: &[&str] = &[
        "length", "size", "Length", "Count", "count", "len", "Count()",
    ];
    if let Some(call) = size.call() {
        return match (call.receiver, call.arguments.as_slice()) {
            (Some(receiver), []) if SIZES.contains(&call.name) => Some(receiver),
            (None, [only]) if matches!(call.name, "len" | "count" | "sizeof") => {
                Some(syntax::semantics::names::handed_over(*only))
            }
            _ => None,
        };
    }
    size.receiver()
        .filter(|_| SIZES.contains(&size.last_name()))
}

/// Whether a node accesses its element at the index.
fn takes(node: Node<'_>, of: Node<'_>, index: Node<'_>) -> bool {
    if let Some(call) = node.call() {
        return matches!(
            call.name,
            "get" | "at" | "charAt" | "ElementAt" | "elementAt"
        ) && call.receiver.is_some_and(|own| own.says_same(of))
            && call
                .arguments
                .first()
                .is_some_and(|own| own.says_same(index));
    }
    let mut parts = node.named_children();
    node.has_role(Role::Index)
        && parts.next().is_some_and(|own| own.says_same(of))
        && parts
            .next()
            .is_some_and(|own| own.text().trim_matches(['[', ']']) == index.text())
}
