//! Promises that are neither awaited nor handled.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::visible_root;
use syntax::semantics::script::types::{Type, declared, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/promise-dropped",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Unawaited promise",
    why: "The next line runs before the work is done, and a rejection is unhandled: in Node it ends the process.",
    fix: "Await it, return it, or add a catch; use void if it is intended.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
+async function save(x) {
+  await store(x);
+}
+async function run(x) {
+  save(x);
^
+  close();
+}
"#,
        r#"
@@ function f(a, b) {
+  Promise.all([a(), b()]);
^
"#,
        r#"
path: src/a.ts
+async function run(save: () => Promise<void>, ready: boolean) {
+  save();
^
+  ready && save().catch(null);
^
+  (async () => { await save(); })();
^
+}
"#,
        r#"
+Promise.reject(new Error("x")).finally(close);
^
+new Promise((done) => go(done));
^
"#,
    ],
    negative: &[
        r#"
+async function load(door) {
+  const name = door.name;
+  try {
+    await open(door);
+  } catch (error) {
+    report(name, error);
+  }
+}
+function run(door) {
+  load(door);
+}
"#,
        r#"
+async function main() {
+  await open();
+}
+main();
"#,
        r#"
+async function save(x) {
+  await store(x);
+}
+async function run(x) {
+  await save(x);
+  void save(x);
+  save(x).catch(report);
+  save(x).then(done, failed);
+}
+function save2(x) {}
+save2(1);
"#,
        r#"
+class A {
+  async load() {}
+  start(other) {
+    other.load();
+  }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next() else {
        return;
    };
    let Some(kind) = promise(value.unparenthesised()) else {
        return;
    };
    // At the start of a program, an error ends the program, as it should.
    let is_start =
        node.parent().is_some_and(|around| around.is(&["program"])) && kind != Source::Built;
    if is_start {
        return;
    }
    let draft = sink.report(
        value,
        format!(
            "`{}` returns a promise that is neither awaited nor has its errors handled.",
            quote(value.text())
        ),
    );
    if kind == Source::Started {
        draft.priority(Priority::P3);
    }
}

#[derive(PartialEq)]
enum Source {
    /// A function of this file.
    Own,
    /// A method of `Promise`.
    Built,
    /// A function that is called where it is defined, usually at the start of a program.
    Started,
}

/// Whether an expression is certainly a promise without error handling.
fn promise(value: Node<'_>) -> Option<Source> {
    match value.kind() {
        "ternary_expression" => {
            let parts = ["consequence", "alternative"]
                .into_iter()
                .filter_map(|name| value.field(name));
            return parts.map(Node::unparenthesised).find_map(promise);
        }
        "binary_expression" => {
            let is_choice = value
                .binary()
                .is_some_and(|binary| matches!(binary.operator, "&&" | "||" | "??"));
            let parts = ["left", "right"]
                .into_iter()
                .filter_map(|name| value.field(name))
                .filter(|_| is_choice);
            return parts.map(Node::unparenthesised).find_map(promise);
        }
        "sequence_expression" | "array" => {
            return value
                .named_children()
                .map(Node::unparenthesised)
                .find_map(promise);
        }
        "new_expression" => {
            return (value.call()?.callee == "Promise").then_some(Source::Built);
        }
        "identifier" | "member_expression" => {
            return returns_promise(value).then_some(Source::Own);
        }
        _ => {}
    }
    let call = value.call()?;
    let handles = |argument: Option<&Node<'_>>| {
        argument.is_some_and(|handler| !handler.is(&["null", "undefined", "number", "string"]))
    };
    match call.name {
        "catch" if handles(call.arguments.first()) => return None,
        "then" if handles(call.arguments.get(1)) => return None,
        "then" | "finally" | "catch" => return promise(call.receiver?.unparenthesised()),
        _ => {}
    }
    if matches!(
        call.callee,
        "Promise.all"
            | "Promise.race"
            | "Promise.any"
            | "Promise.allSettled"
            | "Promise.reject"
            | "Promise.resolve"
    ) {
        return Some(Source::Built);
    }
    let called = value.field("function").map(Node::unparenthesised)?;
    if called.is(&["arrow_function", "function_expression"]) {
        return (is_async(called) && may_fail(called)).then_some(Source::Started);
    }
    let maps = call.name == "map"
        && call.arguments.first().is_some_and(|callback| {
            let is_function = callback.is(&["arrow_function", "function_expression"]);
            is_function
                && (is_async(*callback)
                    || callback
                        .field("body")
                        .is_some_and(|body| promise(body).is_some()))
        });
    let own = match call.receiver {
        None => declares(value, call.name),
        Some(receiver) if receiver.text() == "this" => method(value, call.name),
        Some(_) => false,
    };
    let is_safe =
        || function_of(called).is_some_and(|function| is_async(function) && !may_fail(function));
    (maps || own || (returns_promise(value) && !is_safe())).then_some(Source::Own)
}

fn returns_promise(value: Node<'_>) -> bool {
    types(value)
        .iter()
        .any(|one| matches!(one, Type::Promise(_)))
}

fn is_async(function: Node<'_>) -> bool {
    function
        .children()
        .any(|child| child.text() == "async" && child.is_leaf())
}

/// Whether the name is declared once, as an async function.
fn declares(used: Node<'_>, name: &str) -> bool {
    let Some(top) = visible_root(used) else {
        return false;
    };
    let tree = used.tree();
    let mut found = tree.places(made).within(tree, name, top.inside());
    let (Some(only), None) = (found.next(), found.next()) else {
        return false;
    };
    let function = match only.kind() {
        "variable_declarator" => only
            .field("value")
            .filter(|value| value.is(&["arrow_function", "function_expression"])),
        _ => Some(only),
    };
    function.is_some_and(|function| is_async(function) && may_fail(function))
        && tree
            .places(parameter)
            .within(tree, name, top.inside())
            .next()
            .is_none()
}

/// The function or variable that a name declares.
fn made(name: Node<'_>) -> Option<Node<'_>> {
    let makes = |node: &Node<'_>| {
        (node.has_role(Role::Function) || node.has_role(Role::Assign))
            && !node.is(&["method_definition"])
    };
    name.parent()
        .filter(|around| makes(around) && around.field("name") == Some(name))
}

/// A name in a list of parameters.
fn parameter(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.enclosing(Role::Parameters).is_some())
}

/// Whether the enclosing class has an async method with that name.
fn method(used: Node<'_>, name: &str) -> bool {
    let Some(body) = used.ancestors().find(|around| around.is(&["class_body"])) else {
        return false;
    };
    let mut found = body.named_children().filter(|member| {
        member.is(&["method_definition"])
            && member.field("name").is_some_and(|own| own.text() == name)
    });
    let (Some(only), None) = (found.next(), found.next()) else {
        return false;
    };
    is_async(only) && may_fail(only)
}

/// The function of the file that a name refers to.
fn function_of(name: Node<'_>) -> Option<Node<'_>> {
    let at = declared(name).filter(|_| name.is(&["identifier"]))?;
    if at.is(&["variable_declarator"]) {
        at.field("value")
            .filter(|value| value.has_role(Role::Lambda))
    } else {
        Some(at)
    }
}

/// Whether an error can leave an async function. It cannot if everything that may fail is in a `try` with a handler
/// that cannot fail.
fn may_fail(function: Node<'_>) -> bool {
    let Some(body) = function
        .field("body")
        .filter(|body| body.is(&["statement_block"]))
    else {
        return true;
    };
    let fails = |node: Node<'_>| {
        [Role::Throw, Role::Await]
            .iter()
            .any(|role| node.all(*role).next().is_some())
    };
    let calls = |node: Node<'_>| node.all(Role::Call).next().is_some();
    body.named_children().any(|statement| {
        let handler = statement
            .field("handler")
            .filter(|_| statement.has_role(Role::Try));
        handler.map_or_else(|| fails(statement) || calls(statement), fails)
    })
}
