//! Functions overwritten by an assignment to their name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::script::types::declared as declaration;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/function-reassigned",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Function overwritten by an assignment",
    why: "A declared function is a variable. After the assignment every call uses the new value, and fails if that is \
          not a function. Usually a local variable was intended.",
    fix: "Use another name for the value, or declare it in the function that uses it.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment_expression"]),
        run,
    },
    positive: &[
        r#"
+function total(items) {
+  total = items.length;
^
+  return total;
+}
"#,
        r#"
path: src/a.ts
+function* next() {
+  yield 1;
+}
+function run() {
+  next = 2;
^
+}
"#,
    ],
    negative: &[
        r#"
+function total(items) {
+  const sum = items.length;
+  return sum;
+}
"#,
        r#"
+function run() {
+  function inner() {}
+  inner();
+}
+function other() {
+  inner = 2;
+}
"#,
        r#"
+function count(items) {
+  return items.length;
+}
+function run(count) {
+  walk((item) => {
+    count = item.size;
+  });
+  for (var size = 0; size < count; size++) {}
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(target) = node
        .field("left")
        .filter(|target| target.is(&["identifier"]))
    else {
        return;
    };
    let name = target.text();
    let tree = node.tree();
    let mut blocks = node
        .ancestors()
        .filter(|around| around.is(&["program", "statement_block"]));
    let declares = |block: Node<'_>| {
        tree.places(declared)
            .within(tree, name, block.inside())
            .any(|function| function.parent() == Some(block))
    };
    // A parameter or variable with that name hides the function.
    let functions = &["function_declaration", "generator_function_declaration"];
    let is_hidden = declaration(target).is_some_and(|innermost| !innermost.is(functions));
    if !is_hidden && blocks.any(declares) {
        let summary = format!(
            "`{}` is a function; this assignment overwrites it for every caller.",
            quote(name)
        );
        sink.report(node, summary);
    }
}

/// The function that a name declares.
fn declared(name: Node<'_>) -> Option<Node<'_>> {
    let functions = &["function_declaration", "generator_function_declaration"];
    name.parent().filter(|around| {
        name.has_role(Role::Name) && around.is(functions) && around.field("name") == Some(name)
    })
}
