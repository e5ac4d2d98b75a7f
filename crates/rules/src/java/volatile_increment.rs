//! A volatile field that is incremented as if that were atomic.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/volatile-increment",
    languages: &["Java"],
    title: "Non-atomic update of a volatile field",
    why: "`volatile` makes a write visible to other threads, but an increment is a read, an addition and a write. Two \
          threads that increment at the same time may read the same number, and one increment is lost.",
    fix: "Use an `AtomicInteger` or `AtomicLong`, or a lock.",
    references: &[
        "CWE-362",
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/atomic/package-summary.html",
    ],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["update_expression", "assignment_expression"]),
        run,
    },
    positive: &[
        r#"
+class Counter {
+    private volatile int count;
+    private volatile boolean on;
+    void next() {
+        count++;
^
+        this.count += 2;
^
+        on = !on;
^
+    }
+}
"#,
        r#"
@@ class Server {
     private volatile long requests;
     void handle() {
+        requests += 1;
^
     }
"#,
    ],
    negative: &[
        r#"
+class Counter {
+    private volatile int count;
+    private int other;
+    void next() {
+        other++;
+        count = other + 1;
+    }
+    synchronized void more() {
+        count++;
+        synchronized (this) {
+            count--;
+        }
+    }
+}
"#,
        r#"
+class Counter {
+    private volatile int count;
+    Counter(int count) {
+        this.count = count;
+        this.count++;
+    }
+    void reset(int count) {
+        this.count = Math.max(0, count);
+    }
+    void adopt(Counter other) {
+        count = other.count;
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let target = if node.is(&["update_expression"]) {
        node.named_children().next()
    } else {
        node.field("left").filter(|left| reads(node, *left))
    };
    let Some(target) = target.map(Node::unparenthesised) else {
        return;
    };
    let Some(field) = declared(target).filter(|found| found.is_field()) else {
        return;
    };
    let is_volatile = field
        .node
        .ancestors()
        .find(|around| around.is(&["field_declaration"]))
        .is_some_and(|line| {
            line.child_of_kind(&["modifiers"]).is_some_and(|words| {
                words
                    .text()
                    .split_whitespace()
                    .any(|word| word == "volatile")
            })
        });
    let guarded = node.ancestors().any(|around| {
        around.is(&["synchronized_statement"])
            || around.is(&["method_declaration"])
                && around
                    .child_of_kind(&["modifiers"])
                    .is_some_and(|words| words.text().contains("synchronized"))
    });
    // The object is not yet shared with other threads.
    let is_being_made = node
        .ancestors()
        .any(|around| around.is(&["constructor_declaration"]));
    if is_volatile && !guarded && !is_being_made {
        sink.report(
            node,
            format!(
                "`{}` reads and writes a volatile field in two steps: another thread can change it in between.",
                quote(node.text())
            ),
        );
    }
}

/// Whether it is a variable with this name, and not a parameter that hides it.
fn is_variable(node: Node<'_>, name: &str) -> bool {
    let parameters = node
        .enclosing(Role::Function)
        .and_then(|function| function.field("parameters"));
    let is_hidden = parameters.is_some_and(|list| {
        list.named_children()
            .filter_map(|parameter| parameter.field("name"))
            .any(|parameter| parameter.text() == name)
    });
    node.is(&["identifier"]) && node.text() == name && !is_hidden
}

/// Whether it names the field of an object before it.
fn is_part(name: Node<'_>) -> bool {
    name.parent()
        .is_some_and(|around| around.field("field") == Some(name))
}

/// Whether the new value is computed from the old one.
fn reads(node: Node<'_>, left: Node<'_>) -> bool {
    let Some(set) = node.assignment() else {
        return false;
    };
    set.operator != "="
        || set.value.descendants().chain([set.value]).any(|part| {
            part.last_name() == left.last_name()
                && !is_part(part)
                && (part.says_same(left) || is_variable(part, left.last_name()))
                && !part.ancestors().take(2).any(|around| {
                    around.is(&["method_invocation"]) && around.field("name") == Some(part)
                })
        })
}
