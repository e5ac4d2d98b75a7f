//! A promise returned from a `try`, past its `catch`.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::script::types::{Type, is_async, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/return-without-await-in-try",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Promise returned from try without await",
    why: "The try statement ends before the promise settles. If it rejects, the catch block of this function does not \
          run.",
    fix: "Write return await.",
    references: &[],
    priority: Priority::P2,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["return_statement"]),
        run,
    },
    positive: &[
        r#"
+async function load(path) {
+  try {
+    return fetch(path);
^
+  } catch (error) {
+    return null;
+  }
+}
"#,
        r#"
+async function save() {}
+async function run() {
+  try {
+    return save();
^
+  } finally {
+    close();
+  }
+}
"#,
    ],
    negative: &[
        r#"
+async function load(path) {
+  try {
+    return await fetch(path);
+  } catch (error) {
+    return fetch(other);
+  }
+}
"#,
        r#"
+async function load(path) {
+  return fetch(path);
+}
+function both(path) {
+  try {
+    return fetch(path);
+  } catch (error) {
+    return null;
+  }
+}
"#,
        r#"
@@ function load(path) {
   try {
     check(path);
+    return fetch(path);
   } catch (error) {
     return null;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next().map(Node::unparenthesised) else {
        return;
    };
    if value.is(&[
        "await_expression", "identifier", "object", "string", "number", "true", "false", "null",
        "array",
    ]) {
        return;
    }
    let mut inner = node;
    let mut guarded = false;
    for around in node.ancestors() {
        if around.has_role(Role::Function) || around.has_role(Role::Lambda) {
            guarded &= is_async(around);
            break;
        }
        // A handler may return the promise, unless a `finally` block follows.
        guarded |= around.is(&["try_statement"])
            && (around.field("body") == Some(inner)
                || around.field("handler") == Some(inner) && around.field("finalizer").is_some());
        inner = around;
    }
    if guarded
        && types(value)
            .iter()
            .any(|one| matches!(one, Type::Promise(_)))
    {
        let text = quote(value.text());
        let message = format!(
            "`{text}` settles after the `try` has ended: `catch` misses a rejection, `finally` is early."
        );
        sink.report(node, message);
    }
}
