//! A transactional method that is called on `this`, bypassing the proxy that starts the transaction.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/transactional-self-call",
    languages: &["Java"],
    title: "Transactional method called without its proxy",
    why: "Spring starts a transaction in a proxy around the object. A call from inside the same object bypasses the \
          proxy, so the annotation of the called method has no effect: no transaction starts, or not a separate one.",
    fix: "Annotate the calling method as well, or move the called method to another bean.",
    references: &[
        "https://docs.spring.io/spring-framework/reference/data-access/transaction/declarative/annotations.html",
    ],
    priority: Priority::P2,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
+class Orders {
+    public void importAll() {
+        save();
^
+    }
+    @Transactional
+    public void save() {
+        store.write();
+    }
+}
"#,
        r#"
+class Orders {
+    @Transactional
+    public void importAll() {
+        this.log();
^
+    }
+    @Transactional(propagation = Propagation.REQUIRES_NEW)
+    public void log() {
+        store.write();
+    }
+}
"#,
    ],
    negative: &[
        r#"
+class Orders {
+    @Transactional
+    public void importAll() {
+        save();
+        other.log();
+    }
+    @Transactional
+    public void save() {
+        store.write();
+    }
+}
"#,
        r#"
+class Orders {
+    public void importAll() {
+        self.save();
+        list();
+    }
+    @Transactional
+    public void save() {
+        store.write();
+    }
+    public void list() {}
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| call.receiver.is_none_or(|of| of.text() == "this"))
    else {
        return;
    };
    let Some(class) = node.ancestors().find(|around| around.is(&["class_body"])) else {
        return;
    };
    let Some(caller) = node
        .ancestors()
        .find(|around| around.is(&["method_declaration"]) && around.parent() == Some(class))
    else {
        return;
    };
    if node
        .ancestors()
        .take_while(|around| *around != caller)
        .any(|around| around.has_role(Role::Lambda))
    {
        return;
    }
    let mut called = class.named_children().filter(|method| {
        method.is(&["method_declaration"])
            && method
                .field("name")
                .is_some_and(|name| name.text() == call.name)
    });
    let (Some(callee), None) = (called.next(), called.next()) else {
        return;
    };
    let modifiers = callee.child_of_kind(&["modifiers"]).map_or("", Node::text);
    if callee == caller || modifiers.contains("static") || modifiers.contains("private") {
        return;
    }
    let Some(wanted) = propagation(callee) else {
        return;
    };
    let class_level = class.parent().and_then(propagation);
    let Some(own) = propagation(caller).or(class_level) else {
        let is_known =
            !caller.may_start_earlier() && !class.parent().is_some_and(Node::may_start_earlier);
        if is_known && !matches!(wanted, "SUPPORTS" | "NEVER" | "NOT_SUPPORTED") {
            sink.report(
                node,
                format!(
                    "`{}` is transactional, but this call bypasses the proxy, and the caller has no \
                     transaction: none is started.",
                    call.name
                ),
            );
        }
        return;
    };
    let fits = match own {
        "REQUIRED" | "MANDATORY" | "REQUIRES_NEW" | "NESTED" => {
            matches!(wanted, "REQUIRED" | "MANDATORY" | "SUPPORTS")
        }
        "NEVER" | "NOT_SUPPORTED" => matches!(wanted, "NEVER" | "NOT_SUPPORTED" | "SUPPORTS"),
        _ => matches!(wanted, "SUPPORTS"),
    };
    if !fits {
        sink.report(
            node,
            format!(
                "`{}` requests {wanted}, but this call bypasses the proxy: the \
                 caller's setting ({own}) applies.",
                call.name
            ),
        );
    }
}

/// The propagation that `@Transactional` requests.
fn propagation(node: Node<'_>) -> Option<&'static str> {
    let modifiers = node.child_of_kind(&["modifiers"])?;
    let annotation = modifiers.named_children().find(|word| {
        word.is(&["annotation", "marker_annotation"])
            && word
                .field("name")
                .is_some_and(|name| name.last_name() == "Transactional")
    })?;
    const KINDS: &[&str] = &[
        "REQUIRES_NEW", "MANDATORY", "NESTED", "NEVER", "NOT_SUPPORTED", "SUPPORTS", "REQUIRED",
    ];
    let arguments = annotation.field("arguments").map_or("", Node::text);
    // NOT_SUPPORTED contains SUPPORTS, so the order matters.
    Some(
        KINDS
            .iter()
            .copied()
            .find(|kind| arguments.contains(kind))
            .unwrap_or("REQUIRED"),
    )
}
