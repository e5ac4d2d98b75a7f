//! A lock on something that is another object for the next thread.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::declared;

pub(crate) const RULE: Rule = Rule {
    id: "csharp/lock-on-changing-field",
    languages: &["C#"],
    title: "Lock on an object that changes",
    why: "Threads exclude each other only if they lock the same object. A field that is set again, a local variable or a new object gives each of them its own lock.",
    fix: "Lock a private readonly object.",
    priority: Priority::P2,
    category: Category::Concurrency,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["lock_statement"]), run },
    fires: &[
        "+class Store\n+{\n+    private object gate = new object();\n+    void Add()\n+    {\n+        lock (gate)\n^\n+        {\n+            count++;\n+        }\n+    }\n+}\n",
        "+class Store\n+{\n+    void Add()\n+    {\n+        var gate = new object();\n+        lock (gate)\n^\n+        {\n+            count++;\n+        }\n+    }\n+}\n",
    ],
    quiet: &[
        "+class Store\n+{\n+    private readonly object gate = new object();\n+    void Add(List<int> shared)\n+    {\n+        lock (gate)\n+        {\n+            count++;\n+        }\n+        var list = Current();\n+        lock (list)\n+        {\n+            count++;\n+        }\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(what) = node.named_children().next().map(Node::unparenthesised) else { return };
    if what.is(&["object_creation_expression", "implicit_object_creation_expression", "array_creation_expression"]) {
        sink.report(node, format!("`{}` is a new object each time: nobody else locks it.", quote(what.text())));
        return;
    }
    let Some(found) = declared(what) else { return };
    if found.is_field() {
        let Some(field) = found.node.ancestors().find(|around| around.is(&["field_declaration"])) else { return };
        let fixed = field.children().any(|word| word.is(&["modifier"]) && matches!(word.text(), "readonly" | "const"));
        if !fixed {
            sink.report(
                node,
                format!("`{}` is not readonly: after it is set again, two threads hold two locks.", quote(what.text())),
            );
        }
    } else if found.value.is_some_and(|value| value.is(&["object_creation_expression"]))
        && !found.node.ancestors().any(|around| around.has_role(Role::Loop) && !node.is_inside(around))
        && !captured(node)
    {
        sink.report(node, format!("`{}` is a new object in each call: nobody else locks it.", quote(what.text())));
    }
}

/// Inside a lambda a local variable is shared by all that run it.
fn captured(node: Node<'_>) -> bool {
    node.enclosing(Role::Lambda).is_some()
        || node.ancestors().any(|around| around.is(&["local_function_statement", "anonymous_method_expression"]))
}
