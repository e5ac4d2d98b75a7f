//! A lock on something that others lock too, or that is not the same object next time.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::{declared, type_of};

pub(crate) const RULE: Rule = Rule {
    id: "java/lock-on-value",
    languages: &["Java"],
    title: "Lock on a value or on a new object",
    why: "Strings and boxed numbers are shared by the whole virtual machine, so code that has nothing to do with this one may hold the lock; a new object, \
          or a field that the block sets, is another one each time, so nobody is kept out.",
    fix: "Lock on a private final Object made for it.",
    priority: Priority::P2,
    category: Category::Concurrency,
    confidence: 0.88,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["synchronized_statement"]), run },
    fires: &[
        "+class A {\n+    private Integer count = 0;\n+    void next() {\n+        synchronized (count) {\n^\n+            count++;\n+        }\n+    }\n+}\n",
        "+void run(String name) {\n+    synchronized (name) {\n^\n+        go();\n+    }\n+    synchronized (new Object()) {\n^\n+        go();\n+    }\n+}\n",
        "+class A {\n+    private List<String> names = new ArrayList<>();\n+    void reset() {\n+        synchronized (names) {\n^\n+            names = new ArrayList<>();\n+        }\n+    }\n+}\n",
        "+void run() {\n+    synchronized (getClass()) {\n^\n+        total++;\n+    }\n+}\n",
    ],
    quiet: &[
        "+class A {\n+    private final Object gate = new Object();\n+    void next() {\n+        synchronized (gate) {\n+            count++;\n+        }\n+        synchronized (this) {\n+            count++;\n+        }\n+    }\n+}\n",
    ],
};

const VALUES: &[&str] = &[
    "String",
    "Integer",
    "Long",
    "Short",
    "Byte",
    "Character",
    "Boolean",
    "Double",
    "Float",
    "Optional",
    "LocalDate",
    "LocalDateTime",
    "Instant",
    "Duration",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(on) = node.child_of_kind(&["parenthesized_expression"]).map(Node::unparenthesised) else { return };
    let shown = quote(on.text());
    if on.is(&["object_creation_expression"]) {
        sink.report(node, format!("`{shown}` is a new object each time, so this block keeps nobody out."));
    } else if on.call().is_some_and(|call| call.name == "getClass" && call.receiver.is_none()) {
        sink.report(
            node,
            "`getClass()` is another object in a subclass, so this block does not keep out its instances.",
        )
        .confidence(0.7);
    } else if let Some(kind) = type_of(on).filter(|kind| VALUES.contains(&kind.as_str())) {
        sink.report(
            node,
            format!("`{shown}` is of type {kind}, whose objects are shared with code that knows nothing of this lock."),
        );
    } else if is_local_new(on) {
        sink.report(
            node,
            format!("`{shown}` was made in this method, so no other thread can hold it: the block keeps nobody out."),
        );
    } else if sets(node, on) {
        sink.report(
            node,
            format!("The block sets `{shown}`, so the next thread locks another object and is not kept out."),
        );
    }
}

fn is_local_new(on: Node<'_>) -> bool {
    declared(on).is_some_and(|found| {
        !found.is_field()
            && found.node.is(&["variable_declarator"])
            && found.node.parent().is_some_and(|line| line.is(&["local_variable_declaration"]))
            && found.value.is_some_and(|value| value.text().starts_with("new Object("))
    }) && !on.ancestors().any(|around| around.is(&["lambda_expression"]))
        && !on.enclosing(crate::grammar::Role::Function).is_some_and(|function| function.text().contains("->"))
}

fn sets(node: Node<'_>, on: Node<'_>) -> bool {
    let field = declared(on).is_some_and(|found| found.is_field());
    field
        && node.descendants().filter(|inner| inner.is(&["assignment_expression"])).any(|set| {
            set.field("left").is_some_and(|left| {
                left.last_name() == on.last_name() && (left.is(&["identifier"]) || left.text().starts_with("this."))
            })
        })
}
