//! What a function returns that returns nothing.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::names::python_function;
use crate::semantics::python::types::{is_cut, own_nodes};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/result-of-void-function",
    languages: &["Python"],
    title: "Result used of a function that gives none",
    why: "The function of this file returns nothing, so the value is always None. Either it should return something, or \
          another function was meant.",
    fix: "Return the value, or do not use the result.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["call"]), run },
    positive: &["+def add(rows, row):\n+    rows.append(row)\n+\n+rows = add([], 1)\n^\n+print(add(rows, 2))\n^\n"],
    negative: &[
        "+def add(rows, row):\n+    return rows + [row]\n+\n+def fail():\n+    raise ValueError()\n+\n+def todo():\n+    pass\n+\n+rows = add([], 1)\n+x = fail()\n+y = todo()\n+add(rows, 2)\n",
        "+def each(rows):\n+    yield from rows\n+\n+async def load():\n+    await x\n+\n+a = each([])\n+b = load()\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(callee) = node.field("function").filter(|callee| callee.is(&["identifier"])) else { return };
    let is_used = node.parent().is_some_and(|parent| match parent.kind() {
        "assignment" | "augmented_assignment" => parent.field("right") == Some(node),
        "argument_list"
        | "binary_operator"
        | "comparison_operator"
        | "list"
        | "tuple"
        | "pair"
        | "if_statement"
        | "not_operator" => true,
        _ => false,
    });
    if !is_used {
        return;
    }
    let Some(function) = python_function(node, callee.text()) else { return };
    if !is_cut(function) && gives_nothing(function) && node.ancestors().all(|around| around != function) {
        sink.report(node, format!("`{}` returns nothing: this value is always None.", quote(callee.text())));
    }
}

/// Whether a function does something and returns no value on any way.
fn gives_nothing(function: Node<'_>) -> bool {
    let is_async = function.children().next().is_some_and(|first| first.text() == "async");
    let Some(body) = function.field("body") else { return false };
    let mut statements = body.named_children().filter(|statement| !statement.is(&["comment"]));
    let is_stub = statements.all(|statement| {
        let text = statement.text();
        statement.is(&["pass_statement", "raise_statement"]) || text == "..." || text.starts_with(['"', '\''])
    });
    let ends_in_raise = body.named_children().last().is_some_and(|last| last.is(&["raise_statement"]));
    let gives = own_nodes(function).any(|inner| {
        inner.is(&["yield"]) || inner.is(&["return_statement"]) && inner.named_children().next().is_some()
    });
    let is_decorated = function.parent().is_some_and(|parent| parent.is(&["decorated_definition"]));
    !is_async && !is_stub && !ends_in_raise && !gives && !is_decorated && function.field("return_type").is_none()
}
