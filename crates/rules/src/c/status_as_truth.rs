//! A Windows status, for which zero means success, used as a boolean.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::c::types::declared;
use syntax::semantics::names;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "c/status-as-truth",
    languages: &["C", "C++"],
    title: "HRESULT or NTSTATUS used as a truth value",
    why: "In an HRESULT or NTSTATUS zero means success, so used as a condition the status says the opposite. A truth \
          value in `SUCCEEDED` is success in both cases, because errors have the highest bit set.",
    fix: "Test with `SUCCEEDED`, `FAILED` or `NT_SUCCESS`, and pass only a status to them.",
    references: &[
        "CWE-253",
        "https://learn.microsoft.com/en-us/windows/win32/api/winerror/nf-winerror-succeeded",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "if_statement", "while_statement", "unary_expression", "cast_expression",
            "call_expression", "return_statement", "init_declarator", "conditional_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+int start(void) {
+    HRESULT hr = CoInitialize(NULL);
+    if (!hr)
^
+        return 1;
+    return (BOOL)hr;
^
+}
"#,
        r#"
+HRESULT Open(void);
+BOOL Ready(void);
+void run(void) {
+    if (Open())
^
+        stop();
+    if (SUCCEEDED(Ready()))
^
+        stop();
+    BOOL b = Open();
^
+}
"#,
    ],
    negative: &[
        r#"
+int start(void) {
+    HRESULT hr = CoInitialize(NULL);
+    if (FAILED(hr))
+        return 1;
+    return SUCCEEDED(hr);
+}
"#,
        r#"
+HRESULT Open(void);
+BOOL Ready(void);
+HRESULT run(void) {
+    if (Ready())
+        stop();
+    HRESULT hr = Open();
+    if (hr == S_OK || hr != S_FALSE)
+        return Open();
+    return hr;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let tested = match node.kind() {
        "if_statement" | "while_statement" | "conditional_expression" => node.condition(),
        "unary_expression" => node.negated(),
        "cast_expression" => node
            .field("value")
            .filter(|_| is_truth(node.field("type").map_or("", Node::text))),
        "return_statement" => node
            .named_children()
            .next()
            .filter(|_| returns(node).is_some_and(is_truth)),
        "init_declarator" => {
            let kind = node.parent().and_then(|around| around.field("type"));
            node.field("value")
                .filter(|_| is_truth(kind.map_or("", Node::text)))
        }
        _ => return status_macro(node, sink),
    };
    if let Some(tested) = tested
        .map(Node::unparenthesised)
        .filter(|tested| kind_of(*tested).is_some_and(is_status))
    {
        sink.report(
            tested,
            format!(
                "`{}` is a status, and zero means success.",
                quote(tested.text())
            ),
        );
    }
    if node.is(&["return_statement"]) && returns(node).is_some_and(is_status) {
        let value = node.named_children().next().map(Node::unparenthesised);
        if let Some(value) = value.filter(|value| kind_of(*value).is_some_and(is_truth)) {
            sink.report(
                value,
                format!(
                    "`{}` is a truth value, but the function returns a status.",
                    quote(value.text())
                ),
            );
        }
    }
}

/// Reports `SUCCEEDED` with a boolean.
fn status_macro(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| matches!(call.callee, "SUCCEEDED" | "FAILED" | "NT_SUCCESS"))
    else {
        return;
    };
    let Some(value) = call
        .arguments
        .first()
        .filter(|value| kind_of(**value).is_some_and(is_truth))
    else {
        return;
    };
    sink.report(
        node,
        format!("`{}` is a truth value, not a status.", quote(value.text())),
    );
}

fn is_status(kind: &str) -> bool {
    matches!(
        kind.trim_start_matches("const ").trim(),
        "HRESULT" | "NTSTATUS"
    )
}

fn is_truth(kind: &str) -> bool {
    matches!(
        kind.trim_start_matches("const ").trim(),
        "BOOL" | "bool" | "BOOLEAN" | "_Bool"
    )
}

/// The declared type of a variable, or the return type of a known function.
fn kind_of(node: Node<'_>) -> Option<&str> {
    if node.is(&["identifier"]) {
        return declared(node)
            .filter(|variable| variable.stars == 0 && variable.array.is_none())
            .map(|v| v.kind);
    }
    // Windows functions that return a status begin with a capital letter.
    let is_capitalized =
        |callee: &str| callee.starts_with(|first: char| first.is_ascii_uppercase());
    let call = node
        .call()
        .filter(|call| node.is(&["call_expression"]) && is_capitalized(call.callee))?;
    let is_it = |one: &Node<'_>| {
        one.is(&["function_declarator"])
            && one
                .field("declarator")
                .is_some_and(|name| name.text() == call.callee)
    };
    let function = names::visible_root(node)?
        .descendants()
        .find(is_it)?
        .parent()?;
    function
        .field("type")
        .filter(|_| function.is(&["declaration", "function_definition"]))
        .map(Node::text)
}

fn returns(node: Node<'_>) -> Option<&str> {
    let function = node.enclosing(Role::Function)?;
    let is_plain = function
        .field("declarator")
        .is_some_and(|declarator| declarator.is(&["function_declarator"]));
    function.field("type").filter(|_| is_plain).map(Node::text)
}
