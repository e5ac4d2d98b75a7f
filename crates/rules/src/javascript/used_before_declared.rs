//! Names used before their declaration.

use std::collections::HashSet;

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::semantics::script::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/used-before-declared",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Use before the declaration",
    why: "With let, const and class the line throws a ReferenceError; with var the value is undefined. Usually two \
          lines are in the wrong order.",
    fix: "Move the declaration above the use.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["program"]),
        run,
    },
    positive: &[
        r#"
+function f(items) {
+  send(total);
^
+  const total = sum(items);
+}
"#,
        r#"
+function f(items) {
+  log(total);
^
+  var total = sum(items);
+  return total;
+}
"#,
        r#"
+const box = new Box();
^
+class Box {}
"#,
        r#"
 function f(items) {
   send(total);
+  const total = sum(items);
^
 }
"#,
        r#"
 function f(items) {
+  send(total);
^
   const total = sum(items);
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
+@Component({ providers: [{ provide: TOKEN, useExisting: Dialog }] })
+export class Dialog {
+}
"#,
        r#"
+function f(items) {
+  const total = sum(items);
+  send(total);
+}
"#,
        r#"
+function f(items) {
+  const later = () => send(total);
+  for (const item of items) {
+    if (last) use(last);
+    var last = item;
+  }
+  const total = 1;
+  return later;
+}
+export { Box };
+class Box {}
"#,
        r#"
+function f(a) {
+  size = 3;
+  log(size);
+  var size;
+  if (a) { const b = 1; use(b); }
+  const b = 2;
+  var b2 = b2 || {};
+}
"#,
        r#"
path: src/a.ts
+export interface Shape {
+  register(registry: R, ...meta: string[]): this;
+}
+export const meta = () => 1;
"#,
        r#"
path: src/a.ts
+type Size = typeof size;
+function f(x: Box) {}
+const size = 3;
+class Box {}
"#,
    ],
};

fn run(root: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tree = root.tree();
    let changed: HashSet<&str> = tree
        .changed_nodes()
        .filter(|node| node.is(&["identifier", "type_identifier"]))
        .map(Node::text)
        .collect();
    let is_asked = |node: &Node<'_>| {
        node.is(&["variable_declarator", "class_declaration"])
            && node.is_usable()
            && node
                .field("name")
                .is_some_and(|name| changed.contains(name.text()))
    };
    for declaration in tree.nodes().filter(is_asked) {
        examine(declaration, sink);
    }
}

fn examine(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node
        .field("name")
        .filter(|name| name.is(&["identifier", "type_identifier"]))
    else {
        return;
    };
    let is_var = node
        .parent()
        .is_some_and(|list| list.is(&["variable_declaration"]));
    let Some(place) = (if is_var {
        function_around(node)
    } else {
        block_around(node)
    }) else {
        return;
    };
    if !is_small(place)
        || node.parent().is_some_and(|list| {
            list.parent()
                .is_some_and(|up| up.is(&["ambient_declaration"]))
        })
    {
        return;
    }
    let mentions = || {
        let tree = node.tree();
        let before = tree
            .mentions()
            .within(tree, name.text(), place.index() + 1..node.index());
        before.filter(|one| one.is(&["identifier"]))
    };
    if is_var
        && (node.field("value").is_none()
            || mentions().any(|one| !is_read(one) || shares_loop(one, node)))
    {
        return;
    }
    let tree = node.tree();
    let reads = tree
        .places(read)
        .within(tree, name.text(), place.index() + 1..node.index());
    let used = reads
        .into_iter()
        // A decorator runs after its class is there.
        .filter(|one| !one.ancestors().any(|around| around.is(&["decorator"])))
        .find(|one| function_around(*one) == function_around(node) && declared(*one) == Some(node));
    let Some(used) = used.filter(|used| used.touches_change() || name.touches_change()) else {
        return;
    };
    if !used.touches_change() {
        let line = used.line().unwrap_or_default();
        let message = format!(
            "Line {line} uses `{}` before this declaration.",
            name.text()
        );
        sink.report(name, message);
    } else {
        let what = if is_var {
            "is still undefined here"
        } else {
            "throws a ReferenceError here"
        };
        let message = format!("`{}` {what}: its declaration is further down.", name.text());
        sink.report(used, message);
    }
}

/// The name, if this occurrence reads its value.
fn read(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.is(&["identifier"]) && is_read(*name) && !is_of_signature(*name))
}

/// The innermost function around a node, or the whole text.
fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    let runs_later = |around: &Node<'_>| {
        around.has_role(Role::Function)
            || around.has_role(Role::Lambda)
            || around.is(&[
                "public_field_definition", "field_definition", "program", "class_static_block",
            ])
    };
    node.ancestors().find(runs_later)
}

/// The block in which a name declared with `let`, `const` or `class` is visible.
fn block_around(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors()
        .find(|around| around.is(&["statement_block", "program", "switch_body"]))
        .filter(|around| !around.is(&["switch_body"]))
}

/// Whether the value is read here, and not only the name, its type, or an assignment target.
fn is_read(name: Node<'_>) -> bool {
    let Some(parent) = name.parent() else {
        return false;
    };
    let is_left = parent.field("left") == Some(name);
    let is_name = parent.field("name") == Some(name);
    let is_type = |around: Node<'_>| {
        around.kind().ends_with("_type")
            || around.is(&[
                "type_annotation", "type_query", "export_specifier", "export_statement",
                "type_arguments",
            ])
    };
    let is_typeof = parent.is(&["unary_expression"]) && parent.text().starts_with("typeof");
    !(is_left && parent.is(&["assignment_expression", "for_in_statement"])
        || is_name && !parent.has_role(Role::Call)
        || parent.is(&[
            "array_pattern", "object_pattern", "pair_pattern", "formal_parameters",
            "arrow_function", "required_parameter",
        ])
        || is_typeof
        || name.ancestors().take(4).any(is_type))
}

/// In a loop, the use may see the value of the previous iteration.
fn shares_loop(used: Node<'_>, declaration: Node<'_>) -> bool {
    used.ancestors()
        .any(|around| around.has_role(Role::Loop) && declaration.is_inside(around))
}

/// Whether a name is a parameter of a signature, which reads nothing.
fn is_of_signature(name: Node<'_>) -> bool {
    const SIGNATURES: &[&str] = &[
        "abstract_method_signature", "call_signature", "construct_signature", "function_signature",
        "function_type", "method_signature",
    ];
    name.ancestors().take(8).any(|node| node.is(SIGNATURES))
}
