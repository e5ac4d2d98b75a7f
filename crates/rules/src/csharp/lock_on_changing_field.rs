//! A lock on a value that may be a different object for the next thread.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/lock-on-changing-field",
    languages: &["C#"],
    title: "Lock on a replaceable object",
    why: "Threads exclude each other only if they lock the same object. With a field that is assigned again, a local \
          variable or a new object, each thread may hold a lock of its own.",
    fix: "Lock a private readonly object.",
    references: &["CWE-667"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["lock_statement"]),
        run,
    },
    positive: &[
        r#"
+class Store
+{
+    private object gate = new object();
+    void Add()
+    {
+        lock (gate)
^
+        {
+            count++;
+        }
+    }
+}
"#,
        r#"
+class Store
+{
+    void Add()
+    {
+        var gate = new object();
+        lock (gate)
^
+        {
+            count++;
+        }
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Store
+{
+    private readonly object gate = new object();
+    void Add(List<int> shared)
+    {
+        lock (gate)
+        {
+            count++;
+        }
+        var list = Current();
+        lock (list)
+        {
+            count++;
+        }
+    }
+}
"#,
        r#"
@@ class Store
     private object gate = new object();
     private readonly object other = new object();
     void Add()
     {
         lock (gate)
         {
             count++;
         }
+        lock (other)
+        {
+            total++;
+        }
     }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(what) = node.named_children().next().map(Node::unparenthesised) else {
        return;
    };
    if what.is(&[
        "object_creation_expression", "implicit_object_creation_expression",
        "array_creation_expression",
    ]) {
        sink.report(
            node,
            format!(
                "`{}` is a new object each time, so it excludes no other thread.",
                quote(what.text())
            ),
        );
        return;
    }
    let Some(found) = declared(what) else { return };
    if found.is_field() {
        let Some(field) = found
            .node
            .ancestors()
            .find(|around| around.is(&["field_declaration"]))
        else {
            return;
        };
        let fixed = field
            .children()
            .any(|word| word.is(&["modifier"]) && matches!(word.text(), "readonly" | "const"));
        if !fixed {
            sink.report(
                node,
                format!(
                    "`{}` is not readonly: once it is reassigned, two threads can hold different locks.",
                    quote(what.text())
                ),
            );
        }
    } else if found
        .value
        .is_some_and(|value| value.is(&["object_creation_expression"]))
        && !found
            .node
            .ancestors()
            .any(|around| around.has_role(Role::Loop) && !node.is_inside(around))
        && !captured(node)
    {
        sink.report(
            node,
            format!(
                "`{}` is a new object in each call, so it excludes no other thread.",
                quote(what.text())
            ),
        );
    }
}

/// Whether it is a local variable that is shared by all threads running an enclosing lambda.
fn captured(node: Node<'_>) -> bool {
    node.enclosing(Role::Lambda).is_some()
        || node
            .ancestors()
            .any(|around| around.is(&["local_function_statement", "anonymous_method_expression"]))
}
