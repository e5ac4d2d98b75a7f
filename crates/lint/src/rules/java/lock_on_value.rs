//! A lock on an object that is shared with unrelated code, or is not the same object for each thread.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::{declared, type_of};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/lock-on-value",
    languages: &["Java"],
    title: "Lock on a shared value or a new object",
    why: "Interned strings and cached boxed numbers are shared by the whole virtual machine, so unrelated code may \
          hold the lock. A new object, or a field that the block assigns, is a different object each time, so the \
          block excludes no other thread.",
    fix: "Lock on a private final `Object` created for this purpose.",
    references: &["CWE-667"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["synchronized_statement"]), run },
    positive: &[
        "+class A {\n+    private Integer count = 0;\n+    void next() {\n+        synchronized (count) {\n^\n+            count++;\n+        }\n+    }\n+}\n",
        "+void run(String name) {\n+    synchronized (name) {\n^\n+        go();\n+    }\n+    synchronized (new Object()) {\n^\n+        go();\n+    }\n+}\n",
        "+class A {\n+    private List<String> names = new ArrayList<>();\n+    void reset() {\n+        synchronized (names) {\n^\n+            names = new ArrayList<>();\n+        }\n+    }\n+}\n",
        "+void run() {\n+    synchronized (getClass()) {\n^\n+        total++;\n+    }\n+}\n",
    ],
    negative: &[
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
        sink.report(node, format!("`{shown}` is a new object each time, so this block excludes no other thread."));
    } else if on.call().is_some_and(|call| call.name == "getClass" && call.receiver.is_none()) {
        sink.report(
            node,
            "`getClass()` returns another object in a subclass, so this block does not exclude its instances.",
        );
    } else if let Some(kind) = type_of(on).filter(|kind| VALUES.contains(&kind.as_str())) {
        sink.report(node, format!("`{shown}` is of type `{kind}`, whose objects are shared with unrelated code."));
    } else if is_local_new(on) {
        sink.report(
            node,
            format!("`{shown}` is created in this method, so no other thread can lock it: the block has no effect."),
        );
    } else if sets(node, on) {
        sink.report(
            node,
            format!("The block assigns `{shown}`, so the next thread locks another object and is not excluded."),
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
        && !on.enclosing(crate::language::Role::Function).is_some_and(|function| function.text().contains("->"))
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
