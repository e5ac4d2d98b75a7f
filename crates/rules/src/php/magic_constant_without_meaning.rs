//! `__CLASS__`, `__METHOD__` and similar constants used where they are empty.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority, Status};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/magic-constant-without-meaning",
    languages: &["PHP"],
    title: "Empty magic constant",
    why: "Outside a class, function, trait or namespace, the corresponding magic constant is an empty string. Log \
          messages, keys and class names built with it are then incomplete or identical.",
    fix: "Write the name explicitly, or move the code to a place where the constant has a value.",
    references: &["https://www.php.net/manual/en/language.constants.magic.php"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["name"]),
        run,
    },
    positive: &[
        r#"
+<?php
+namespace Shop;
+function load() {
+    log(__CLASS__);
^
+    log(__FUNCTION__);
+}
"#,
        r#"
+<?php
+echo __METHOD__;
^
+class Cart {
+    public $name = __TRAIT__;
^
+    function f() { return __NAMESPACE__; }
^
+}
"#,
    ],
    negative: &[
        r#"
+<?php
+namespace Shop;
+class Cart {
+    public $name = __CLASS__;
+    function f() { return __NAMESPACE__ . __METHOD__; }
+}
+trait Bag {
+    function g() { return __TRAIT__ . __CLASS__; }
+}
+$f = function () { return __FUNCTION__; };
"#,
        r#"
 function f() {
+    log(__CLASS__ . __METHOD__);
 }
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let name = node.text();
    if !name.starts_with("__") || context.file.status != Status::Added {
        return;
    }
    let is_in = |kinds: &[&str]| node.ancestors().any(|around| around.is(kinds));
    let in_function = || {
        node.ancestors()
            .any(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda))
    };
    let (has_meaning, what) = match name {
        "__CLASS__" => (
            is_in(&[
                "class_declaration", "trait_declaration", "interface_declaration",
                "enum_declaration", "anonymous_class",
            ]),
            "class",
        ),
        "__TRAIT__" => (is_in(&["trait_declaration"]), "trait"),
        "__FUNCTION__" | "__METHOD__" => (in_function(), "function"),
        "__NAMESPACE__" => (has_namespace(node), "namespace"),
        _ => return,
    };
    if !has_meaning {
        sink.report(
            node,
            format!("This code is not inside a {what}, so `{name}` is an empty string."),
        );
    }
}

fn has_namespace(node: Node<'_>) -> bool {
    let top = node.ancestors().last();
    top.is_none_or(|top| {
        top.named_children()
            .any(|part| part.is(&["namespace_definition", "ERROR"]))
    })
}
