//! Something thrown that is no error.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::script::types::{Type, types};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/thrown-value-no-error",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Something thrown that is no error",
    why: "Handlers read message and stack, and loggers and test tools rely on them. With a plain value they show \
          undefined, and where it came from cannot be found later.",
    fix: "Throw new Error with the text.",
    references: &[],
    priority: Priority::P3,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["throw_statement"]), run },
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
    let Some(value) = node.named_children().next().map(Node::unparenthesised) else { return };
    if value.is(&["new_expression"]) {
        return;
    }
    let all = types(value);
    let wrong = |one: &Type<'_>| one.is_plain() || matches!(one, Type::Promise(_));
    let joins = value.is(&["binary_expression"]) && value.named_children().any(|part| part.is(&["string"]));
    if !joins && (all.is_empty() || !all.iter().all(wrong)) {
        return;
    }
    let what = all.first().filter(|_| !joins).map_or("a string", |one| one.described());
    sink.report(
        value,
        format!("`{}` is {what}: it carries no stack, so where it came from cannot be found.", quote(value.text())),
    );
}
