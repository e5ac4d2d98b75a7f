//! `__CLASS__`, `__METHOD__` and their like where there is none.

use review::{Category, Priority, Status};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "php/magic-constant-without-meaning",
    languages: &["PHP"],
    title: "Name of something that is not there",
    why: "Outside of a class, a function, a trait or a namespace, the constant for its name is the empty text. Names and keys that are \
          built with it are all the same, or point nowhere.",
    fix: "Write the name, or move the code to where the constant has a meaning.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["name"]), run },
    fires: &[
        "+<?php\n+namespace Shop;\n+function load() {\n+    log(__CLASS__);\n^\n+    log(__FUNCTION__);\n+}\n",
        "+<?php\n+echo __METHOD__;\n^\n+class Cart {\n+    public $name = __TRAIT__;\n^\n+    function f() { return __NAMESPACE__; }\n^\n+}\n",
    ],
    quiet: &[
        "+<?php\n+namespace Shop;\n+class Cart {\n+    public $name = __CLASS__;\n+    function f() { return __NAMESPACE__ . __METHOD__; }\n+}\n+trait Bag {\n+    function g() { return __TRAIT__ . __CLASS__; }\n+}\n+$f = function () { return __FUNCTION__; };\n",
        " function f() {\n+    log(__CLASS__ . __METHOD__);\n }\n",
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let name = node.text();
    if !name.starts_with("__") || context.file.status != Status::Added {
        return;
    }
    let is_in = |kinds: &[&str]| node.ancestors().any(|around| around.is(kinds));
    let in_function =
        || node.ancestors().any(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda));
    let (has_meaning, what) = match name {
        "__CLASS__" => (
            is_in(&[
                "class_declaration",
                "trait_declaration",
                "interface_declaration",
                "enum_declaration",
                "anonymous_class",
            ]),
            "class",
        ),
        "__TRAIT__" => (is_in(&["trait_declaration"]), "trait"),
        "__FUNCTION__" | "__METHOD__" => (in_function(), "function"),
        "__NAMESPACE__" => (has_namespace(node), "namespace"),
        _ => return,
    };
    if !has_meaning {
        sink.report(node, format!("There is no {what} here, so `{name}` is the empty text."));
    }
}

fn has_namespace(node: Node<'_>) -> bool {
    let top = node.ancestors().last();
    top.is_none_or(|top| top.named_children().any(|part| part.is(&["namespace_definition", "ERROR"])))
}
