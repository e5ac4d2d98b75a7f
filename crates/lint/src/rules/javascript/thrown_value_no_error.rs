//! Thrown values other than errors.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::script::types::{Type, types};
use crate::tree::Node;

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
        "+throw \"not found: \" + name;\n^\n",
        "path: src/a.ts\n+function f(code: number) {\n+  throw code;\n^\n+}\n",
        "+async function make() {}\n+function g() {\n+  throw make();\n^\n+}\n",
    ],
    negative: &[
        "+throw new Error(\"not found: \" + name);\n+throw { status: 404 };\n",
        "path: src/a.ts\n+function f(error: unknown, e: Error, x: any) {\n+  if (x) throw x;\n+  if (e) throw e;\n+  throw error;\n+}\n",
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
