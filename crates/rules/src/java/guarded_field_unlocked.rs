//! A field annotated as guarded by a lock, and used without it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/guarded-field-unlocked",
    languages: &["Java"],
    title: "Guarded field used without its lock",
    why: "The annotation names the lock that a thread must hold to use the field. Without it, another thread can \
          change the field at the same time, and the code reads stale or inconsistent values.",
    fix: "Hold the lock around the use, or annotate the method if its callers hold it.",
    references: &["CWE-820", "https://errorprone.info/bugpattern/GuardedBy"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_declaration"]),
        run,
    },
    positive: &[
        r#"
+class Store {
+    private final Object gate = new Object();
+    @GuardedBy("gate")
+    private int count;
+    void add() {
+        synchronized (gate) {
+            count++;
+        }
+    }
+    int total() {
+        return count;
^
+    }
+}
"#,
        r#"
+class Store {
+    @GuardedBy("this")
+    private int count;
+    int total() {
+        return this.count;
^
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Store {
+    @GuardedBy("this")
+    private int count;
+    Store() {
+        count = 1;
+    }
+    synchronized int total() {
+        return count;
+    }
+    @GuardedBy("this")
+    int part() {
+        return count / 2;
+    }
+}
"#,
        r#"
+class Store {
+    @GuardedBy("lock")
+    private int count;
+    int total() {
+        lock.lock();
+        try {
+            return count;
+        } finally {
+            lock.unlock();
+        }
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(class) = node.parent().filter(|class| class.is(&["class_body"])) else {
        return;
    };
    let modifiers = node.child_of_kind(&["modifiers"]).map_or("", Node::text);
    if ["GuardedBy", "Holding", "Lock", "VisibleForTesting"]
        .iter()
        .any(|word| modifiers.contains(word))
    {
        return;
    }
    let Some(body) = node.field("body") else {
        return;
    };
    for field in class
        .named_children()
        .filter(|child| child.is(&["field_declaration"]))
    {
        let (Some(lock), Some(name)) = (
            guard(field),
            field.field("declarator").and_then(|one| one.field("name")),
        ) else {
            continue;
        };
        let is_static = field
            .child_of_kind(&["modifiers"])
            .is_some_and(|words| words.text().contains("static"));
        let synchronised = modifiers
            .split_whitespace()
            .any(|word| word == "synchronized");
        let method_holds =
            synchronised && (lock == "this" || is_static && lock.ends_with(".class"));
        let explicit = body.text().contains(&format!("{lock}.lock()"))
            || body.text().contains(&format!("{lock}.readLock()"))
            || body.text().contains(&format!("{lock}.writeLock()"))
            || body.text().contains("holdsLock")
            || body.text().contains(&format!("{lock}.enter"));
        if method_holds || explicit {
            continue;
        }
        let shadowed = node
            .field("parameters")
            .is_some_and(|list| list.names().any(|own| own.text() == name.text()))
            || body.descendants().any(|inner| {
                inner.is(&["variable_declarator"])
                    && inner
                        .field("name")
                        .is_some_and(|own| own.text() == name.text())
            });
        let uses = body.descendants().filter(|inner| {
            inner.is(&["identifier"]) && inner.text() == name.text() && is_own(*inner, shadowed)
        });
        if let Some(used) = uses.into_iter().find(|used| !is_held(*used, lock, node)) {
            sink.report(
                used,
                format!(
                    "`{}` is guarded by `{lock}`, but the lock is not held here.",
                    name.text()
                ),
            );
        }
    }
}

/// The lock that the annotation of a field names.
fn guard(field: Node<'_>) -> Option<&str> {
    let words = field.child_of_kind(&["modifiers"])?;
    let annotation = words.named_children().find(|word| {
        word.is(&["annotation"])
            && word
                .field("name")
                .is_some_and(|name| name.last_name() == "GuardedBy")
    })?;
    let text = annotation
        .field("arguments")?
        .descendants()
        .find_map(Node::string_value)?;
    Some(text.strip_prefix("this.").unwrap_or(text))
        .filter(|lock| !lock.is_empty() && !lock.contains('('))
}

/// Whether a name refers to the field of this object.
fn is_own(name: Node<'_>, shadowed: bool) -> bool {
    match name.parent() {
        Some(parent) if parent.is(&["field_access"]) && parent.field("field") == Some(name) => {
            parent.field("object").is_some_and(|of| of.is(&["this"]))
        }
        Some(parent) if parent.is(&["method_invocation"]) && parent.field("name") == Some(name) => {
            false
        }
        _ => !shadowed,
    }
}

fn is_held(used: Node<'_>, lock: &str, method: Node<'_>) -> bool {
    used.ancestors()
        .take_while(|around| *around != method)
        .any(|around| {
            if around.is(&["lambda_expression", "class_body"]) {
                // The code that runs it later may or may not hold the lock.
                return true;
            }
            around.is(&["synchronized_statement"])
                && around
                    .child_of_kind(&["parenthesized_expression"])
                    .is_some_and(|on| {
                        let on = on.unparenthesised().text();
                        on.strip_prefix("this.").unwrap_or(on) == lock
                    })
        })
}
