//! Array callbacks that return nothing.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/callback-without-value",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Array callback without a return value",
    why: "map, filter, find, some, every, reduce and sort use the return value of their callback. Without one they get \
          undefined: map puts it into the result, filter and find treat it as false, and reduce loses its accumulator.",
    fix: "Return a value on every path through the callback, or use forEach if no result is needed.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
+const names = users.map((user) => {
^
+  user.name.trim();
+});
"#,
        r#"
+const found = rows.find(function (row) {
^
+  if (row.id === id) {
+    return true;
+  }
+});
"#,
        r#"
+const all = Array.from(rows, (row) => {
^
+  use(row);
+});
"#,
    ],
    negative: &[
        r#"
+const names = users.map((user) => {
+  return user.name.trim();
+});
+const more = users.map((user) => user.name);
+users.forEach((user) => {
+  save(user);
+});
"#,
        r#"
+const found = rows.find((row) => {
+  if (row.id) {
+    return true;
+  } else {
+    throw new Error();
+  }
+});
+$("a").map(function () {
+  go(this);
+});
"#,
        r#"
+const names = shapes.map((shape) => {
+  switch (shape.kind) {
+    case 1:
+    case 2:
+      return "round";
+    default:
+      throw shape;
+  }
+});
"#,
    ],
};

const METHODS: &[&str] = &[
    "map", "filter", "some", "every", "find", "findIndex", "findLast", "findLastIndex", "reduce",
    "reduceRight", "flatMap", "sort", "toSorted",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let from = matches!(call.callee, "Array.from" | "Array.fromAsync");
    let foreign = call.receiver.is_none_or(|receiver| {
        receiver.text().starts_with(['$', '_'])
            || receiver.text().starts_with("jQuery")
            || receiver.text().starts_with("cy.")
    });
    let callback = if from {
        call.arguments.get(1)
    } else {
        call.arguments
            .first()
            .filter(|_| METHODS.contains(&call.name) && !foreign)
    };
    let Some(callback) = callback.filter(|callback| {
        callback.is(&["function_expression", "arrow_function"])
            && !callback.text().starts_with("async")
    }) else {
        return;
    };
    let Some(body) = callback.field("body") else {
        return;
    };
    if !body.is(&["statement_block"]) {
        if body.unparenthesised().is(&["unary_expression"])
            && body.unparenthesised().text().starts_with("void")
        {
            let message = format!(
                "This callback returns nothing, but `{}` uses its return value.",
                call.name
            );
            sink.report(*callback, message);
        }
        return;
    }
    let returns: Vec<Node<'_>> = own_returns(body);
    let has_value = returns
        .iter()
        .any(|way| way.named_children().next().is_some());
    let dropped = node
        .parent()
        .is_some_and(|parent| parent.is(&["expression_statement"]));
    if !has_value && (can_complete(body) || !returns.is_empty()) {
        let draft = sink.report(
            *callback,
            format!(
                "This callback returns nothing, but `{}` uses its return value.",
                call.name
            ),
        );
        if dropped && call.name == "map" {
            draft.priority(Priority::P3);
        }
    } else if has_value
        && (can_complete(body)
            || returns
                .iter()
                .any(|way| way.named_children().next().is_none()))
    {
        sink.report(
            *callback,
            format!(
                "On some paths this callback returns nothing, but `{}` uses its return value.",
                call.name
            ),
        );
    }
}

/// The return statements of a function itself, not of functions inside.
fn own_returns(body: Node<'_>) -> Vec<Node<'_>> {
    let returns = body
        .descendants()
        .filter(|node| node.has_role(Role::Return));
    let own = |node: &Node<'_>| {
        let mut between = node.ancestors().take_while(|around| *around != body);
        !between.any(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda))
    };
    returns.filter(own).collect()
}
