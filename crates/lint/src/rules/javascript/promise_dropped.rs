//! Promises that nobody waits for.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::names::sight;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "javascript/promise-dropped",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Promise that nobody waits for",
    why: "The call returns a promise, and it is thrown away. The next line runs before the work is done, and an \
          error in it reaches nobody: in Node it ends the process.",
    fix: "Await it, return it, or handle its error with catch; say void if it is meant so.",
    priority: Priority::P2,
    category: Category::Concurrency,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["expression_statement"]), run },
    fires: &[
        "+async function save(x) {\n+  await store(x);\n+}\n+async function run(x) {\n+  save(x);\n^\n+  close();\n+}\n",
        "@@ function f(a, b) {\n+  Promise.all([a(), b()]);\n^\n",
        "+Promise.reject(new Error(\"x\")).finally(close);\n^\n+new Promise((done) => go(done));\n^\n",
    ],
    quiet: &[
        "+async function save(x) {\n+  await store(x);\n+}\n+async function run(x) {\n+  await save(x);\n+  void save(x);\n+  save(x).catch(report);\n+  save(x).then(done, failed);\n+}\n+function save2(x) {}\n+save2(1);\n",
        "+class A {\n+  async load() {}\n+  start(other) {\n+    other.load();\n+  }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next() else { return };
    let Some(kind) = promise(value.unparenthesised()) else { return };
    let draft = sink.report(
        value,
        format!("`{}` returns a promise, and nobody waits for it or for its error.", quote(value.text())),
    );
    // Outside of a function that waits there is often nobody who could.
    let waits = node
        .ancestors()
        .find(|around| around.has_role(Role::Function) || around.has_role(Role::Lambda))
        .is_some_and(|function| is_async(function));
    if !waits || kind == Source::Built {
        draft.priority(Priority::P3).confidence(0.6);
    }
}

#[derive(PartialEq)]
enum Source {
    /// A function of this file.
    Own,
    /// Promise itself.
    Built,
}

/// Whether an expression is surely a promise whose error is not handled.
fn promise(value: Node<'_>) -> Option<Source> {
    let call = value.call()?;
    if value.is(&["new_expression"]) {
        return (call.callee == "Promise").then_some(Source::Built);
    }
    match call.name {
        "catch" if !call.arguments.is_empty() => return None,
        "then" if call.arguments.len() >= 2 => return None,
        "then" | "finally" | "catch" => return promise(call.receiver?.unparenthesised()),
        _ => {}
    }
    if matches!(
        call.callee,
        "Promise.all" | "Promise.race" | "Promise.any" | "Promise.allSettled" | "Promise.reject" | "Promise.resolve"
    ) {
        return Some(Source::Built);
    }
    let own = match call.receiver {
        None => declares(value, call.name),
        Some(receiver) if receiver.text() == "this" => method(value, call.name),
        Some(_) => false,
    };
    own.then_some(Source::Own)
}

fn is_async(function: Node<'_>) -> bool {
    function.children().any(|child| child.text() == "async" && child.is_leaf())
}

/// Whether the name is declared once, as an async function.
fn declares(used: Node<'_>, name: &str) -> bool {
    let Some(top) = sight(used) else { return false };
    let named = |node: &Node<'_>| node.field("name").is_some_and(|own| own.text() == name);
    let makes = |node: &Node<'_>| {
        (node.has_role(Role::Function) || node.has_role(Role::Assign)) && !node.is(&["method_definition"])
    };
    let mut found = top.descendants().filter(|node| makes(node) && named(node));
    let (Some(only), None) = (found.next(), found.next()) else { return false };
    let is_parameter = |list: Node<'_>| list.names().any(|own| own.text() == name);
    let function = match only.kind() {
        "variable_declarator" => {
            only.field("value").filter(|value| value.is(&["arrow_function", "function_expression"]))
        }
        _ => Some(only),
    };
    function.is_some_and(is_async) && !top.all(Role::Parameters).any(is_parameter)
}

/// Whether the class around has an async method of that name.
fn method(used: Node<'_>, name: &str) -> bool {
    let Some(body) = used.ancestors().find(|around| around.is(&["class_body"])) else { return false };
    let mut found = body.named_children().filter(|member| {
        member.is(&["method_definition"]) && member.field("name").is_some_and(|own| own.text() == name)
    });
    let (Some(only), None) = (found.next(), found.next()) else { return false };
    is_async(only)
}
