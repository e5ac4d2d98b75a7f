//! Assignments to constants.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::semantics::script::types::may_declare;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/constant-reassigned",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Assignment to a constant",
    why: "Names declared by const or import cannot be assigned: the line throws a TypeError. Assigning to a function \
          or a class silently replaces it for every caller.",
    fix: "Use another name, or declare it with let.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "assignment_expression", "augmented_assignment_expression", "update_expression",
            "for_in_statement",
        ]),
        run,
    },
    positive: &[
        r#"
+const total = 0;
+for (const n of numbers) {
+  total += n;
^
+}
"#,
        r#"
+import { size } from "./a";
+size = 3;
^
"#,
        r#"
@@ function f() {
   const limit = 3;
+  limit++;
^
"#,
    ],
    negative: &[
        r#"
+let total = 0;
+for (const n of numbers) {
+  total += n;
+}
"#,
        r#"
+const total = 1;
+function f(total) {
+  total = 2;
+}
+function g() {
+  let total;
+  total = 2;
+  for (const total of x) use(total);
+}
"#,
        r#"
path: src/a.ts
+export function send(content: string, options: Options) {
+  const { etag = tag(content), map } = options;
+  if (map) { content = content + map; }
+}
"#,
        r#"
path: src/a.ts
+const ctx = open();
+test('it', async () => {
+  await using ctx = open();
+  use(ctx);
+});
"#,
        r#"
+import * as all from "./a";
+function all2() {}
+const table = {};
+table.a = 1;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // `for (const x of …)` declares a new name, and so does `await using x = …`, which the grammar does not support.
    let makes_name = |text: &str| text.starts_with("await using ") || text.starts_with("using ");
    if node.field("kind").is_some() || makes_name(node.statement().text()) {
        return;
    }
    let Some(target) = node.field("left").or_else(|| node.field("argument")) else {
        return;
    };
    let is_name =
        |part: &Node<'_>| part.is(&["identifier", "shorthand_property_identifier_pattern"]);
    let names: Vec<Node<'_>> = if is_name(&target) {
        vec![target]
    } else if target.is(&["array_pattern", "object_pattern"]) {
        target
            .descendants()
            .filter(is_name)
            .filter(|part| {
                !part.parent().is_some_and(|parent| {
                    parent.has_role(Role::Member)
                        || parent.has_role(Role::Index)
                        || (parent.is(&["assignment_pattern", "object_assignment_pattern"])
                            && parent.field("right") == Some(*part))
                })
            })
            .collect()
    } else {
        Vec::new()
    };
    for name in names {
        if let Some(how) = constant(node, name.text()) {
            sink.report(
                name,
                format!("`{}` is {how} and cannot be assigned.", name.text()),
            );
            return;
        }
    }
}

/// How a name was declared that cannot be assigned. The innermost declaration counts.
fn constant(node: Node<'_>, name: &str) -> Option<&'static str> {
    for scope in node.ancestors().filter(|scope| is_scope(*scope)) {
        if !is_small(scope) {
            return None;
        }
        let found = if may_declare(scope, name) {
            declaration(scope, name)
        } else {
            None
        };
        match found {
            Some(Declared::Constant(how)) => return Some(how),
            Some(Declared::Other) => return None,
            None => {}
        }
    }
    None
}

enum Declared {
    Constant(&'static str),
    Other,
}

fn is_scope(node: Node<'_>) -> bool {
    node.has_role(Role::Block)
        || node.has_role(Role::Function)
        || node.has_role(Role::Lambda)
        || node.has_role(Role::Loop)
        || node.has_role(Role::Catch)
        || node.is(&["program", "switch_body", "class_body"])
}

/// How a scope declares a name.
fn declaration(scope: Node<'_>, name: &str) -> Option<Declared> {
    let is_it = |node: Node<'_>| {
        node.is(&["identifier", "shorthand_property_identifier_pattern"]) && node.text() == name
    };
    let list = scope.any_field(&["parameters", "parameter"]);
    if list.is_some_and(|list| list.text() == name || list.descendants().any(is_it)) {
        return Some(Declared::Other);
    }
    if scope.has_role(Role::Function) && scope.field("name").is_some_and(is_it) {
        return Some(Declared::Other);
    }
    if scope.is(&["for_in_statement"])
        && scope
            .field("left")
            .is_some_and(|left| left.text() == name || left.descendants().any(is_it))
    {
        let constant = scope
            .field("kind")
            .is_some_and(|kind| kind.text() == "const");
        return Some(if constant {
            Declared::Constant("declared with const")
        } else {
            Declared::Other
        });
    }
    for child in scope.named_children() {
        let child = if child.is(&["export_statement"]) {
            child.field("declaration").unwrap_or(child)
        } else {
            child
        };
        if child.is(&["import_statement"]) {
            let bound = child.descendants().filter(|node| is_it(*node)).any(|node| {
                // In `a as b`, only `b` is bound.
                node.parent().is_some_and(|parent| {
                    !parent.is(&["import_specifier"])
                        || parent.field("alias").is_none_or(|alias| alias == node)
                })
            });
            if bound {
                return Some(Declared::Constant("imported"));
            }
        } else if child.is(&["lexical_declaration", "variable_declaration"]) {
            let bound = child
                .named_children()
                .filter_map(|part| part.field("name"))
                .any(|bound| {
                    is_it(bound)
                        || bound
                            .descendants()
                            .any(|part| is_it(part) && !is_default(part, bound))
                });
            if bound {
                let constant = child
                    .field("kind")
                    .is_some_and(|kind| kind.text() == "const");
                return Some(if constant {
                    Declared::Constant("declared with const")
                } else {
                    Declared::Other
                });
            }
        } else if declares_otherwise(child, name) {
            return Some(Declared::Other);
        }
    }
    None
}

/// Whether a name is in a default value of a pattern: `{ size = base }` declares only `size`.
fn is_default(name: Node<'_>, pattern: Node<'_>) -> bool {
    let mut inner = name;
    for node in name.ancestors().take_while(|node| node.is_inside(pattern)) {
        let has_default = node.is(&["assignment_pattern", "object_assignment_pattern"]);
        if has_default && node.field("right") == Some(inner) {
            return true;
        }
        inner = node;
    }
    false
}

/// Whether a statement declares the name as a function, a class, or with `var` somewhere inside.
fn declares_otherwise(statement: Node<'_>, name: &str) -> bool {
    let is_it = |node: Node<'_>| {
        node.is(&["identifier", "shorthand_property_identifier_pattern"]) && node.text() == name
    };
    let kinds = [
        "function_declaration", "generator_function_declaration", "class_declaration",
    ];
    let named = statement.is(&kinds)
        && statement
            .field("name")
            .is_some_and(|own| own.text() == name);
    let is_var = |node: Node<'_>| {
        node.has_role(Role::Assign)
            && node.is(&["variable_declarator"])
            && node.field("name").is_some_and(is_it)
            && node
                .parent()
                .is_some_and(|parent| parent.is(&["variable_declaration"]))
    };
    named || statement.descendants().any(is_var)
}
