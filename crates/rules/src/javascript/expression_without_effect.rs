//! Statements that do nothing.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/expression-without-effect",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Statement without effect",
    why: "Usually a call lost its parentheses, a return or an assignment is missing, or a comma or semicolon is \
          misplaced.",
    fix: "Write the intended call, return or assignment, or delete the line.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
@@ function f(a, b) {
+  a + b;
^
+  start;
^
+  a ? b : 0;
^
+  !a;
^
+  [a, b];
^
"#,
        r#"
+function stop(server, code) {
+  if (code) server;
^
+  -code;
^
+}
"#,
    ],
    negative: &[
        r#"
+"use strict";
+a = b + c;
+a && go();
+a ? go() : stop();
+element.offsetHeight;
+void 0;
+delete a.b;
+i++, j--;
+await x;
+`text`.go();
+expect(a).to.be.true;
+a ||= 1;
"#,
        r#"
@@ function f(a, b) {
   a + b;
+  a ?? go(b);
+  new Cart(a);
+  a?.close();
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(value) = node.named_children().next() else {
        return;
    };
    let whole = node.parent().is_some_and(|parent| {
        // Code that is cut out of the middle of something may be parsed as a statement.
        parent.is(&["statement_block", "program", "if_statement", "else_clause"])
    });
    // A single word may be left over from a longer text.
    let is_word = value.is_leaf() && !node.text().ends_with(';');
    if whole && !is_word && does_nothing(value.unparenthesised()) {
        let text = quote(value.text());
        sink.report(
            node,
            format!("`{text}` is evaluated and discarded: the statement does nothing."),
        );
    }
}

fn does_nothing(value: Node<'_>) -> bool {
    match value.kind() {
        "number" | "identifier" | "true" | "false" | "null" => true,
        "array" => value.named_children().next().is_some() && is_pure(value),
        "binary_expression" => {
            let operator = value
                .field("operator")
                .map_or("", |operator| operator.text());
            // Another rule reports comparisons.
            let compares = matches!(
                operator,
                "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">="
            );
            !compares && is_pure(value)
        }
        "ternary_expression" => is_pure(value),
        "unary_expression" => {
            value
                .children()
                .next()
                .is_some_and(|sign| matches!(sign.text(), "!" | "-" | "+" | "~" | "typeof"))
                && is_pure(value)
        }
        _ => false,
    }
}

/// Whether evaluating it has no side effect: no call, no assignment, no waiting.
fn is_pure(value: Node<'_>) -> bool {
    value.descendants().all(|part| {
        !(part.has_role(Role::Call)
            || part.has_role(Role::Assign)
            || part.has_role(Role::Await)
            || part.has_role(Role::Lambda)
            || part.is(&["update_expression", "yield_expression", "unary_expression"])
                && part
                    .children()
                    .next()
                    .is_some_and(|sign| !matches!(sign.text(), "!" | "-" | "+" | "typeof"))
            || part.is(&[
                "update_expression", "yield_expression", "import", "jsx_element",
            ]))
    })
}
