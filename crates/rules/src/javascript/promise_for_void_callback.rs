//! Callbacks that return a promise or a value that is ignored.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::script::types::{Type, gives_value, is_async, only_type, returned, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/promise-for-void-callback",
    languages: &["TypeScript", "TSX"],
    title: "Unused result of a callback",
    why: "The parameter's type says that the callback's result is ignored. For an async function that is the promise, \
          so an error in it is unhandled.",
    fix: "Handle the promise inside the callback, or return nothing.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call_expression", "variable_declarator", "new_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/a.ts
+function later(run: () => void) {
+  queue.push(run);
+}
+later(async () => {
^
+  await save();
+});
"#,
        r#"
path: src/a.ts
+const close: () => void = async () => {
^
+  await save();
+};
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
+function later(run: () => void | Promise<void>) {
+  queue.push(run);
+}
+later(async () => {
+  await save();
+});
"#,
        r#"
path: src/a.ts
+function later(run: () => void) {
+  queue.push(run);
+}
+later(() => {
+  save();
+});
+later(() => save());
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.is(&["variable_declarator"]) {
        if let (Some(written), Some(value)) = (node.field("type"), node.field("value")) {
            check(written, value, sink);
        }
        return;
    }
    let Some(list) = node
        .field("arguments")
        .filter(|list| list.is(&["arguments"]))
    else {
        return;
    };
    let takes = |argument: Node<'_>| {
        argument.has_role(Role::Lambda) || argument.is(&["function_expression", "identifier"])
    };
    if !list.named_children().any(takes) {
        return;
    }
    let Some(parameters) = parameters(node) else {
        return;
    };
    for (parameter, argument) in parameters.into_iter().zip(list.named_children()) {
        if let Some(written) = parameter.field("type").filter(|_| takes(argument)) {
            check(written, argument, sink);
        }
    }
}

/// The parameters of the callee, if it is defined in the file.
fn parameters(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let callee = node.any_field(&["function", "constructor"])?;
    let of = match only_type(callee)? {
        Type::Function(function) => function,
        Type::Class(class) => {
            let mut members = class.field("body")?.named_children();
            members.find(|member| {
                member
                    .field("name")
                    .is_some_and(|name| name.text() == "constructor")
            })?
        }
        _ => return None,
    };
    Some(of.field("parameters")?.named_children().collect())
}

fn check(written: Node<'_>, value: Node<'_>, sink: &mut Sink<'_>) {
    let value = value.unparenthesised();
    let wanted = types(written);
    let returns_nothing = |one: &Type<'_>| match one {
        Type::Function(of) => {
            of.is(&["function_type"])
                && of
                    .field("return_type")
                    .is_some_and(|of| of.text() == "void")
        }
        Type::Null => true,
        _ => false,
    };
    if wanted.is_empty()
        || !wanted.iter().all(returns_nothing)
        || wanted.iter().all(|one| *one == Type::Null)
    {
        return;
    }
    let function = match only_type(value) {
        Some(Type::Function(function)) => function,
        _ => return,
    };
    let text = quote(value.text());
    if is_async(function)
        || returned(function)
            .iter()
            .any(|one| matches!(one, Type::Promise(_)))
    {
        sink.report(
            value,
            format!(
                "The promise that `{text}` returns is neither awaited nor has its errors handled."
            ),
        );
        return;
    }
    let plain = function
        .field("body")
        .is_some_and(|body| match body.is(&["statement_block"]) {
            true => gives_value(body),
            false => body.is(&[
                "null", "true", "false", "number", "string", "object", "array", "arrow_function",
                "template_string",
            ]),
        });
    if plain
        && function
            .field("return_type")
            .is_none_or(|of| !of.text().contains("void"))
    {
        let message =
            format!("The return value of `{text}` is ignored: the parameter's type says void.");
        sink.report(value, message).priority(Priority::P3);
    }
}
