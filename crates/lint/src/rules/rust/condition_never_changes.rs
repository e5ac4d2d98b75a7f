//! A while loop without a statement that changes its condition.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "rust/condition-never-changes",
    languages: &["Rust"],
    title: "Loop condition unaffected by the loop body",
    why: "No statement in the loop changes a variable of its condition. The loop therefore does not run at all, or \
          it never ends.",
    fix: "Change the variable in the loop, or test a value that changes.",
    references: &["CWE-835"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["while_expression"]), run },
    positive: &[
        "+fn wait(limit: u32) {\n+    let mut tries = 0;\n+    let start = 3;\n+    while start < limit {\n^\n+        tries += 1;\n+    }\n+}\n",
        "+fn drain(queue: &mut Queue, open: bool) {\n+    while open {\n^\n+        queue.pop();\n+    }\n+}\n",
    ],
    negative: &[
        "+fn wait(limit: u32, flag: &Cell<bool>) {\n+    let mut tries = 0;\n+    while tries < limit {\n+        tries += 1;\n+    }\n+    while !ready() || flag.get() {\n+        tries += 1;\n+    }\n+    while tries < 100 {\n+        step(&mut tries);\n+    }\n+    while limit > 3 {\n+        return;\n+    }\n+}\n",
        "@@ fn wait(limit: u32) {\n     let mut tries = 0;\n     while tries < limit {\n+        if done() {\n+            break;\n+        }\n+        tries = next(tries);\n     }\n",
    ],
};

/// Only conditions made of plain variables and numbers are checked: everything else may change by itself.
fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else { return };
    let is_simple = condition.descendants().chain([condition]).all(|part| {
        !part.is_named()
            || part.is(&[
                "identifier",
                "integer_literal",
                "float_literal",
                "binary_expression",
                "unary_expression",
                "parenthesized_expression",
                "boolean_literal",
            ])
    });
    let names: Vec<&str> =
        condition.descendants().chain([condition]).filter(|part| part.is(&["identifier"])).map(Node::text).collect();
    let leaves = body.descendants().any(|part| {
        part.has_role(Role::Return)
            || part.has_role(Role::Break)
            || part.is(&["try_expression", "await_expression", "yield_expression", "asm"])
            || (part.is(&["macro_invocation"])
                && (part.text().starts_with("panic!")
                    || part.text().starts_with("bail!")
                    || names.iter().any(|name| part.text().contains(name))))
            || part.call().is_some_and(|call| matches!(call.name, "exit" | "abort" | "unreachable" | "panic_any"))
    });
    if !is_simple
        || names.is_empty()
        || leaves
        || names.iter().any(|name| name.chars().all(|c| !c.is_ascii_lowercase()))
    {
        return;
    }
    let Some(function) = node
        .ancestors()
        .find(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda))
        .filter(|around| around.is_within_hunk())
    else {
        return;
    };
    let is_known = |name: &str| {
        function.descendants().take_while(|part| part.index() < node.index()).any(|part| {
            part.is(&["let_declaration", "parameter", "for_expression"])
                && part
                    .field("pattern")
                    .is_some_and(|pattern| pattern.text() == name || pattern.text() == format!("mut {name}"))
                && !part.field("type").is_some_and(|kind| {
                    kind.text().contains('*') || kind.text().contains("&mut") || kind.text().contains("Cell")
                })
                && !part
                    .field("value")
                    .is_some_and(|value| value.text().starts_with("&mut") || value.text().contains("as *mut"))
        })
    };
    let may_change = |name: &str| {
        body.descendants().any(|part| {
            let is_set = part
                .assignment()
                .is_some_and(|assignment| assignment.target.names().any(|target| target.text() == name));
            let is_lent = part.is(&["reference_expression"])
                && part.child_of_kind(&["mutable_specifier"]).is_some()
                && part.names().any(|inner| inner.text() == name);
            let is_called = part
                .call()
                .and_then(|call| call.receiver)
                .is_some_and(|receiver| receiver.names().any(|inner| inner.text() == name));
            is_set || is_lent || is_called
        }) || function.descendants().any(|part| {
            part.is(&["reference_expression"])
                && (part.text() == format!("&mut {name}") || part.text() == format!("&raw mut {name}"))
        })
    };
    if names.iter().all(|name| is_known(name)) && !names.iter().any(|name| may_change(name)) {
        sink.report(
            node,
            format!("Nothing in the loop changes `{}`, so it never runs or never ends.", quote(condition.text())),
        );
    }
}
