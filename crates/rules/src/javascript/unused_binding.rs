//! Variables and functions that are never used.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority, Status};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/unused-binding",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Unused variable or function",
    why: "A value that is computed and never used is a leftover, or a different name is used below by mistake.",
    fix: "Use it, or delete it.",
    references: &[],
    priority: Priority::P2,
    category: Category::Maintainability,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["program", "variable_declarator"]),
        run,
    },
    positive: &[
        r#"
+function price(cart) {
+  const reduced = cart.total * 0.9;
^
+  return cart.total;
+}
"#,
        r#"
+const limit = 10;
^
+export function enter() {
+  open();
+}
"#,
        r#"
+export function walk(list) {
+  let last = 0;
^
+  list.forEach((x) => {
+    last = x;
+  });
+}
"#,
    ],
    negative: &[
        r#"
+function price(cart) {
+  const reduced = cart.total * 0.9;
+  return reduced;
+}
+price();
"#,
        r#"
+import { open, close } from "./door";
+import React from "react";
+export { open };
+export const { a, ...rest } = close();
+export function Page() {
+  const [x, setX] = useState(0);
+  const _unused = 1;
+  return <b>{x}</b>;
+}
"#,
        r#"
+export function walk(list) {
+  const { secret, ...open } = list;
+  let next = 0;
+  return open[next++];
+}
"#,
        r#"
path: src/a.ts
+import { spawn } from "./runner";
+export function start(run: Runner = spawn) {
+  return run();
+}
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["variable_declarator"]) {
        local(node, sink);
    } else if context.file.status == Status::Added
        && is_small(node)
        && is_module(node, context.file.path)
    {
        for binding in node.named_children().flat_map(top_level) {
            report(binding, node, sink);
        }
    }
}

/// A variable of a function.
fn local(node: Node<'_>, sink: &mut Sink<'_>) {
    let mut functions = node
        .ancestors()
        .filter(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda));
    let Some(function) = functions
        .next()
        .filter(|function| function.is_usable() && is_small(*function))
    else {
        return;
    };
    // An object may be created, or a function called, for its side effects.
    let acts = |value: Node<'_>| {
        value.all(Role::Call).next().is_some()
            || value.has_role(Role::Lambda)
            || value.all(Role::Await).next().is_some()
    };
    if node.field("value").is_some_and(acts) {
        return;
    }
    if let Some(name) = node.field("name") {
        for binding in bound(name) {
            report(binding, function, sink);
        }
    }
}

fn report(binding: Node<'_>, scope: Node<'_>, sink: &mut Sink<'_>) {
    let name = binding.text();
    if name.starts_with('_') || name == "React" {
        return;
    }
    let is_read = |node: Node<'_>| {
        node != binding
            && (node.is(&[
                "identifier", "shorthand_property_identifier", "type_identifier",
                "property_identifier",
            ]) && node.text() == name
                && reads(node)
                || node.has_role(Role::Comment) && node.text().contains(name))
    };
    if !scope.descendants().any(is_read) {
        let draft = sink.report(binding, format!("`{name}` is set and never read."));
        if scope.is(&["program"]) {
            draft.priority(Priority::P3);
        }
    }
}

/// Whether the file's names are private to it. Those of a plain script are global.
fn is_module(program: Node<'_>, path: &str) -> bool {
    let text = program.text();
    path.ends_with(".mjs")
        || text.contains("module.exports")
        || text.contains("require(")
        || program
            .named_children()
            .any(|statement| statement.is(&["export_statement", "import_statement"]))
}

/// The names that a statement at the top of a file binds only for this file.
fn top_level(statement: Node<'_>) -> Vec<Node<'_>> {
    match statement.kind() {
        "lexical_declaration" | "variable_declaration" => {
            let plain = |part: &Node<'_>| {
                !part
                    .field("value")
                    .is_some_and(|value| value.is(&["call_expression", "new_expression"]))
            };
            statement
                .named_children()
                .filter(plain)
                .filter_map(|part| part.field("name"))
                .flat_map(bound)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The names in a pattern that are bound to be used.
fn bound(pattern: Node<'_>) -> Vec<Node<'_>> {
    match pattern.kind() {
        "identifier" => vec![pattern],
        // Names next to a rest pattern are excluded from the rest on purpose.
        "object_pattern" if pattern.child_of_kind(&["rest_pattern"]).is_none() => pattern
            .named_children()
            .filter(|part| part.is(&["shorthand_property_identifier_pattern"]))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the value of a name is read here, and not only set.
fn reads(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return true;
    };
    let is_statement = |of: Node<'_>| {
        of.parent()
            .is_some_and(|around| around.is(&["expression_statement"]))
    };
    match parent.kind() {
        "variable_declarator" | "function_declaration" | "class_declaration" => {
            parent.field("name") != Some(node)
        }
        "assignment_expression" => parent.field("left") != Some(node),
        "augmented_assignment_expression" => {
            parent.field("left") != Some(node) || !is_statement(parent)
        }
        "update_expression" => !is_statement(parent),
        "member_expression" => !node.is(&["property_identifier"]),
        "property_signature"
        | "method_signature"
        | "public_field_definition"
        | "field_definition"
        | "pair"
        | "method_definition" => !node.is(&["property_identifier"]),
        "required_parameter" | "optional_parameter" => parent.field("value") == Some(node),
        "formal_parameters" | "import_clause" | "namespace_import" | "import_specifier" => false,
        _ => !updates_itself(node),
    }
}

/// Whether it is used only to compute its own next value, as in `n = n + 1`.
fn updates_itself(node: Node<'_>) -> bool {
    let Some(statement) = node
        .ancestors()
        .take(4)
        .find(|around| around.is(&["assignment_expression"]))
    else {
        return false;
    };
    let plain = node
        .ancestors()
        .take_while(|around| *around != statement)
        .all(|around| around.is(&["binary_expression", "parenthesized_expression"]));
    plain
        && statement
            .field("left")
            .is_some_and(|left| left.is(&["identifier"]) && left.text() == node.text())
        && statement
            .parent()
            .is_some_and(|around| around.is(&["expression_statement"]))
}
