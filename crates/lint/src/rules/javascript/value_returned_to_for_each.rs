//! Values returned to forEach.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/value-returned-to-for-each",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Value returned to forEach",
    why: "forEach throws away what its callback returns. Where a value is worked out and returned, map or a loop \
          that can stop was meant.",
    fix: "Use map for the values, some or a `for … of` loop to stop early; else put braces around the body.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["call_expression"]), run },
    positive: &[
        "+sizes.forEach((size) => size * 2);\n^\n",
        "+rows.forEach((row) => {\n^\n+  if (row.bad) return false;\n+  use(row);\n+});\n",
    ],
    negative: &[
        "+sizes.map((size) => size * 2);\n+rows.forEach((row) => {\n+  if (row.bad) return;\n+  use(row);\n+});\n+rows.forEach((row) => use(row));\n+rows.forEach((row) => (row.used = true));\n+$.forEach((x) => 1);\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| call.name == "forEach" && call.receiver.is_some_and(|receiver| receiver.text() != "$"))
    else {
        return;
    };
    let Some(callback) = call.arguments.first().filter(|callback| {
        callback.is(&["function_expression", "arrow_function"]) && !callback.text().starts_with("async")
    }) else {
        return;
    };
    let Some(body) = callback.field("body") else { return };
    let does = |value: Node<'_>| {
        let value = value.unparenthesised();
        value.is(&[
            "call_expression",
            "new_expression",
            "assignment_expression",
            "augmented_assignment_expression",
            "update_expression",
            "await_expression",
            "unary_expression",
            "yield_expression",
            "sequence_expression",
            "undefined",
            "ternary_expression",
            "binary_expression",
        ]) && !(value.is(&["binary_expression"])
            && value.binary().is_some_and(|binary| !matches!(binary.operator, "&&" | "||" | "??")))
    };
    let returned = if body.is(&["statement_block"]) {
        let own = |way: &Node<'_>| {
            !way.ancestors()
                .take_while(|around| *around != body)
                .any(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda))
        };
        body.descendants()
            .filter(|way| way.has_role(Role::Return) && own(way))
            .filter_map(|way| way.named_children().next())
            .any(|value| !does(value))
    } else {
        !does(body) && !body.is(&["object"])
    };
    if returned {
        sink.report(*callback, "What this callback returns is thrown away: `forEach` looks at no result.");
    }
}
