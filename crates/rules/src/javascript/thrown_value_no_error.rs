//! Thrown values other than errors.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/thrown-value-no-error",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Thrown value without a stack",
    why: "Handlers read message and stack, and loggers and test tools rely on them. For a plain value they show \
          undefined.",
    fix: "Throw new Error with the message.",
    references: &[],
    priority: Priority::P3,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["throw_statement"]),
        run,
    },
    positive: &[
        r#"
+throw "not found: " + name;
^
"#,
        r#"
path: src/a.ts
+function f(code: number) {
+  throw code;
^
+}
"#,
        r#"
+async function make() {}
+function g() {
+  throw make();
^
+}
"#,
    ],
    negative: &[
        r#"
+throw new Error("not found: " + name);
+throw { status: 404 };
"#,
        r#"
path: src/a.ts
+function f(error: unknown, e: Error, x: any) {
+  if (x) throw x;
+  if (e) throw e;
+  throw error;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next().map(Node::unparenthesised) else {
        return;
    };
    if value.is(&["new_expression"]) {
        return;
    }
    let all = types(value);
    let wrong = |one: &Type<'_>| one.is_plain() || matches!(one, Type::Promise(_));
    let joins =
        value.is(&["binary_expression"]) && value.named_children().any(|part| part.is(&["string"]));
    if !joins && (all.is_empty() || !all.iter().all(wrong)) {
        return;
    }
    let what = all
        .first()
        .filter(|_| !joins)
        .map_or("a string", |one| one.described());
    sink.report(
        value,
        format!(
            "`{}` is {what}: it has no stack, so its origin cannot be traced.",
            quote(value.text())
        ),
    );
}
