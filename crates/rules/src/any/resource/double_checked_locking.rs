//! Double-checked locking on a field without `volatile`.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/double-checked-locking",
    languages: &["Java", "C#"],
    title: "Double-checked locking without volatile",
    why: "The first check reads the field without the lock. Unless the field is volatile, another thread may see the \
          reference before the writes of the constructor, and use a partially initialized object.",
    fix: "Make the field `volatile`, or use a holder class or `Lazy<T>`.",
    references: &["CWE-609"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["synchronized_statement", "lock_statement"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+class A {
+    private static A instance;
+    static A get() {
+        if (instance == null) {
+            synchronized (A.class) {
^
+                if (instance == null) {
+                    instance = new A();
+                }
+            }
+        }
+        return instance;
+    }
+}
"#,
        r#"
path: src/A.cs
+class A
+{
+    private A instance;
+    A Get()
+    {
+        if (instance == null)
+        {
+            lock (gate)
^
+            {
+                if (instance == null)
+                    instance = new A();
+            }
+        }
+        return instance;
+    }
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
+class A {
+    private static volatile A instance;
+    static A get() {
+        if (instance == null) {
+            synchronized (A.class) {
+                if (instance == null) {
+                    instance = new A();
+                }
+            }
+        }
+        return instance;
+    }
+}
"#,
        r#"
path: src/A.java
@@ static A get() {
+        if (instance == null) {
+            synchronized (A.class) {
+                if (instance == null) {
+                    instance = new A();
+                }
+            }
+        }
"#,
        r#"
path: src/A.cs
+class A
+{
+    private volatile A instance;
+    A Get()
+    {
+        if (instance == null)
+        {
+            lock (gate)
+            {
+                if (instance == null)
+                    instance = new A();
+            }
+        }
+        return instance;
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(outer) = node.ancestors().take(3).find_map(checked) else {
        return;
    };
    let Some(inner) = node.all(Role::If).find_map(checked) else {
        return;
    };
    if !outer.says_same(inner) {
        return;
    }
    let sets = node
        .all(Role::Assign)
        .filter_map(Node::assignment)
        .any(|set| set.target.last_name() == inner.last_name());
    let Some(field) = declared(inner).filter(|declared| sets && declared.is_field()) else {
        return;
    };
    let whole = field
        .node
        .ancestors()
        .find(|around| around.is(&["field_declaration"]));
    let simple = field.kind.is_some_and(|kind| {
        matches!(
            kind.text(),
            "int"
                | "boolean"
                | "bool"
                | "float"
                | "short"
                | "byte"
                | "char"
                | "string"
                | "String"
                | "Integer"
        )
    });
    if !simple && whole.is_some_and(|whole| !whole.text().contains("volatile")) {
        sink.report(
            node,
            format!(
                "`{}` is not volatile and is first checked without the lock: it may be seen partially initialized.",
                inner.text()
            ),
        );
    }
}

/// The value that an `if` compares with null, if that is its whole condition.
fn checked(node: Node<'_>) -> Option<Node<'_>> {
    node.branch()?
        .condition
        .null_check()
        .filter(|(_, is_null)| *is_null)
        .map(|(what, _)| what)
}
