//! Conditions with a constant value.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/constant-condition",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Constant condition",
    why: "Nothing in the condition can change at run time. Either a variable was intended, or code was disabled by \
          hand and forgotten.",
    fix: "Write the intended condition, or delete the dead branch.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "if_statement", "ternary_expression", "while_statement", "do_statement",
            "for_statement",
        ]),
        run,
    },
    positive: &[
        r#"
+if ([]) {
^
+  clear();
+}
"#,
        r#"
@@ function f(items) {
+  return "items" ? items.length : 0;
^
"#,
        r#"
+if (kind === 1 || "b") {
^
+  go();
+}
+if (!(ready || true)) {
^
+  stop();
+}
"#,
        r#"
+while (n = 0) {
^
+  go(n);
+}
+do {
+  go();
+} while (`${name}s`);
^
"#,
    ],
    negative: &[
        r#"
+if (items.length) {
+  clear();
+}
+while (true) {
+  if (next()) break;
+}
"#,
        r#"
+do {
+  if (bad) break;
+  go();
+} while (false);
+for (;;) go();
+while (1) go();
+if (a = next()) go();
+if (`${name}`) go();
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(condition) = node.field("condition").map(own_part) else {
        return;
    };
    let is_loop = !node.is(&["if_statement", "ternary_expression"]);
    // An endless loop is written like this on purpose, and so is a block that is left with `break`.
    if is_loop && condition.is(&["true", "false", "number"]) {
        return;
    }
    let Some(holds) = truth(condition, 0) else {
        return;
    };
    // Many loops that run until a `break` use other conditions.
    if node.is(&["for_statement"])
        && holds
        && !condition.is(&["assignment_expression"])
        && condition.is_leaf()
    {
        return;
    }
    let outcome = if holds { "true" } else { "false" };
    sink.report(
        condition,
        format!(
            "`{}` is always {outcome}: one branch is never taken.",
            quote(condition.text())
        ),
    );
}

fn own_part(condition: Node<'_>) -> Node<'_> {
    let condition = condition.unparenthesised();
    if condition.is(&["expression_statement"]) {
        condition.named_children().next().unwrap_or(condition)
    } else {
        condition
    }
}

/// The truthiness of a value, if the code shows it.
fn truth(node: Node<'_>, depth: u32) -> Option<bool> {
    if depth > 12 {
        return None;
    }
    let inner = |of: Option<Node<'_>>| of.and_then(|of| truth(of, depth + 1));
    match node.kind() {
        "true"
        | "array"
        | "object"
        | "arrow_function"
        | "function_expression"
        | "regex"
        | "class"
        | "new_expression"
        | "generator_function" => Some(true),
        "false" | "null" | "undefined" => Some(false),
        "number" => Some(
            !node
                .text()
                .chars()
                .all(|c| matches!(c, '0' | '.' | '_' | 'n' | 'x')),
        ),
        "string" => Some(node.text().len() > 2),
        "template_string" => {
            let fixed = node
                .named_children()
                .any(|part| !part.is(&["template_substitution"]));
            let empty = node.text() == "``";
            (fixed || empty).then_some(!empty)
        }
        "parenthesized_expression" | "sequence_expression" => inner(node.named_children().last()),
        "assignment_expression" => inner(node.field("right")),
        "augmented_assignment_expression" => {
            let right = inner(node.field("right"))?;
            let operator = node.field("operator")?.text();
            (operator == "||=" && right || operator == "&&=" && !right).then_some(right)
        }
        "unary_expression" => match node.children().next()?.text() {
            "!" => inner(node.field("argument")).map(|holds| !holds),
            "typeof" => Some(true),
            "void" => Some(false),
            "-" | "+" => node
                .field("argument")
                .filter(|of| of.is(&["number"]))
                .and_then(|of| truth(of, depth + 1)),
            _ => None,
        },
        "call_expression" => {
            let call = node.call()?;
            if call.callee != "Boolean" {
                return None;
            }
            call.arguments
                .first()
                .map_or(Some(false), |of| truth(*of, depth + 1))
        }
        "binary_expression" => operation(node, depth),
        _ => None,
    }
}

fn operation(node: Node<'_>, depth: u32) -> Option<bool> {
    let (left, right) = (node.field("left")?, node.field("right")?);
    let one = |of: Node<'_>| truth(of, depth + 1);
    match node.field("operator")?.text() {
        "&&" => match (one(left), one(right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        "||" => match (one(left), one(right)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        "??" if is_value(left) => one(left),
        "+" => {
            let text = |of: Node<'_>| of.is(&["string"]) && of.text().len() > 2;
            (text(left) || text(right)).then_some(true)
        }
        "===" | "==" | "!==" | "!=" if is_value(left) && is_value(right) => {
            let equal = left.text() == right.text();
            let is_fresh = left.is(&["array", "object"]);
            Some(node.field("operator")?.text().starts_with('!') != (equal && !is_fresh))
        }
        "<" | ">" | "<=" | ">=" if left.is(&["number"]) && right.is(&["number"]) => {
            let (first, second) = (
                left.text().parse::<f64>().ok()?,
                right.text().parse::<f64>().ok()?,
            );
            Some(match node.field("operator")?.text() {
                "<" => first < second,
                ">" => first > second,
                "<=" => first <= second,
                _ => first >= second,
            })
        }
        _ => None,
    }
}

/// Whether it is a literal constant.
fn is_value(node: Node<'_>) -> bool {
    node.is(&[
        "true", "false", "number", "string", "null", "undefined", "array", "object",
    ])
}
