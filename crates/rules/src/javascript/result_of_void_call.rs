//! Uses of the result of a function that returns nothing.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/result-of-void-call",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Use of a missing return value",
    why: "The function returns nothing, so the value is undefined. Either a return is missing in it, or another \
          function was intended.",
    fix: "Return a value from the function, or do not use its result.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
+function add(list, x) {
+  list.push(x);
+}
+export const sum = add(numbers, 1);
^
"#,
        r#"
@@ function f(x) {
+  const text = console.log(x);
^
+  if (console.warn(x)) go(text);
^
"#,
    ],
    negative: &[
        r#"
+function add(list, x) {
+  return list.push(x);
+}
+export const sum = add(numbers, 1);
"#,
        r#"
+function add(list, x) {
+  list.push(x);
+}
+add(numbers, 1);
+const run = () => add(numbers, 2);
+ready && add(numbers, 3);
+function go() { return add(numbers, 4); }
+class A { size() { throw new Error(); } f() { const n = this.size(); } }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(callee) = node
        .field("function")
        .filter(|callee| callee.is(&["identifier", "member_expression"]))
    else {
        return;
    };
    if !is_wanted(node) {
        return;
    }
    const TELL: &[&str] = &[
        "console.log", "console.warn", "console.error", "console.info", "console.debug",
    ];
    let text = callee.text();
    let is_telling = TELL.contains(&text) || text == "console?.log";
    let may_be_void = callee.is(&["identifier"]) || text.starts_with("this.");
    if is_telling || may_be_void && types(node) == [Type::Void] && !only_throws(callee) {
        sink.report(
            node,
            format!(
                "`{}` returns nothing: this value is undefined.",
                quote(node.text())
            ),
        );
    }
}

/// Whether the value of a call is used: stored, passed on, compared or tested.
fn is_wanted(node: Node<'_>) -> bool {
    let mut inner = node;
    for around in node.ancestors().take(6) {
        match around.kind() {
            "parenthesized_expression" | "await_expression" => {}
            "variable_declarator" => {
                return around
                    .field("name")
                    .is_some_and(|name| !name.text().starts_with('_'));
            }
            "assignment_expression" => return around.field("right") == Some(inner),
            "arguments" | "array" | "pair" | "template_substitution" => return true,
            "if_statement" | "while_statement" | "ternary_expression" => {
                return around.field("condition") == Some(inner);
            }
            "unary_expression" => {
                return around
                    .children()
                    .next()
                    .is_some_and(|sign| sign.text() != "void");
            }
            "binary_expression" => {
                let operator = around
                    .field("operator")
                    .map_or("", |operator| operator.text());
                let is_choice = matches!(operator, "&&" | "||" | "??");
                return !is_choice || around.field("left") == Some(inner);
            }
            _ => return false,
        }
        inner = around;
    }
    false
}

/// Whether the function only throws. The body of a function that must be overridden, or that always fails, does not
/// show its result type.
fn only_throws(callee: Node<'_>) -> bool {
    let all = types(callee);
    let Some(Type::Function(function)) = all.first() else {
        return true;
    };
    let Some(body) = function.field("body") else {
        return function.field("return_type").is_none();
    };
    let first = body.named_children().next();
    first.is_none_or(|first| first.is(&["throw_statement"]))
}
