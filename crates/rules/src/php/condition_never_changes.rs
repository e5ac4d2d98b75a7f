//! A condition with a result that is determined by the lines before it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::php;
use syntax::semantics::php::types::Value;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "php/condition-never-changes",
    languages: &["PHP"],
    title: "Condition with a constant result",
    why: "The tested variable was set just before, to a value that determines the result, so one of the branches \
          never runs. Usually another variable was intended, or an assignment in between is missing.",
    fix: "Test the intended variable, or remove the condition and the unreachable branch.",
    references: &["CWE-570", "CWE-571"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&[
            "if_statement", "else_if_clause", "conditional_expression", "binary_expression",
            "unary_op_expression", "function_call_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+$found = 0;
+if ($found) {
^
+    show();
+}
"#,
        r#"
+$cart = new Cart();
+if (!$cart || $more) {
^
+    stop();
+}
+$name = 'all';
+echo $name === 3 ? 'a' : 'b';
^
+echo is_array($name);
^
"#,
    ],
    negative: &[
        r#"
+$found = 0;
+foreach ($rows as $row) {
+    $found += $row->size;
+}
+if ($found) {
+    show();
+}
"#,
        r#"
+$x = null;
+foreach ($rows as $row) {
+    if ($x && $x === $row) {}
+    $x = $row;
+}
+$y = load();
+while (true) {}
+$list = [];
+fill($list);
+if ($list) {}
+$key = 'a' . 'b';
+$z = $key ?: 'c';
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    match node.kind() {
        "binary_expression" => binary(node, sink),
        "unary_op_expression" => report_constant(node.negated(), sink),
        "function_call_expression" => kind_test(node, sink),
        _ => report_constant(node.condition(), sink),
    }
}

fn report_constant(tested: Option<Node<'_>>, sink: &mut Sink<'_>) {
    let Some(tested) = tested.map(Node::unparenthesised) else {
        return;
    };
    if let Some(holds) = truth(tested) {
        let always = if holds { "true" } else { "false" };
        sink.report(
            tested,
            format!("`{}` is always {always} here.", quote(tested.text())),
        );
    }
}

/// Whether a variable is always truthy or always falsy here.
fn truth(tested: Node<'_>) -> Option<bool> {
    if !tested.is(&["variable_name"]) {
        return None;
    }
    let source = php::types::source_of(tested);
    let is_cut = |around: Node<'_>| around.has_role(Role::Loop) && !around.is_complete();
    if source == tested || tested.ancestors().any(is_cut) {
        return None;
    }
    Some(match source.kind() {
        "integer" | "float" => !source.text().chars().all(|c| matches!(c, '0' | '.' | '_')),
        "string" | "encapsed_string" => !matches!(php::types::literal_text(source)?, "" | "0"),
        "boolean" => source.text().eq_ignore_ascii_case("true"),
        "null" => false,
        "array_creation_expression" => source.named_children().next().is_some(),
        "object_creation_expression" => true,
        _ => return None,
    })
}

fn binary(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node.binary() else { return };
    let operator = binary.operator.to_ascii_lowercase();
    if matches!(operator.as_str(), "&&" | "||" | "and" | "or" | "xor") {
        for operand in [binary.left, binary.right] {
            report_constant(Some(operand), sink);
        }
        return;
    }
    if binary.operation() != Operation::Equality {
        return;
    }
    let (left, right) = (
        binary.left.unparenthesised(),
        binary.right.unparenthesised(),
    );
    let outcome = same_number(left, right)
        .or_else(|| same_text(left, right))
        .map(|same| same != operator.starts_with('!'))
        .or_else(|| {
            never_same(left, right)
                .filter(|_| operator.len() == 3)
                .map(|()| operator.starts_with('!'))
        });
    if let Some(holds) = outcome {
        let always = if holds { "true" } else { "false" };
        sink.report(
            node,
            format!("`{}` is always {always} here.", quote(node.text())),
        );
    }
}

/// Compares two literals in the code as PHP does: as numbers if both are numeric.
fn same_number(left: Node<'_>, right: Node<'_>) -> Option<bool> {
    let number = |node: Node<'_>| match node.kind() {
        "integer" | "float" => node.text().parse::<f64>().ok(),
        "string" | "encapsed_string" => {
            php::types::literal_text(node).and_then(|text| text.trim().parse::<f64>().ok())
        }
        _ => None,
    };
    let (a, b) = (number(left)?, number(right)?);
    Some((a - b).abs() < f64::EPSILON)
}

/// Compares two literals of one kind, at least one of them in a variable.
fn same_text(left: Node<'_>, right: Node<'_>) -> Option<bool> {
    let (a, b) = (php::types::source_of(left), php::types::source_of(right));
    let is_literal = |node: Node<'_>| {
        node.is(&["integer", "string", "boolean", "null"])
            || node.is(&["encapsed_string"]) && php::types::literal_text(node).is_some()
    };
    (is_literal(a) && is_literal(b) && a.kind() == b.kind() && (a != left || b != right))
        .then(|| a.text().eq_ignore_ascii_case(b.text()))
}

/// Two values with types that are never identical.
fn never_same(left: Node<'_>, right: Node<'_>) -> Option<()> {
    let is_set_here =
        |node: Node<'_>| php::types::source_of(node) != node || !node.is(&["variable_name"]);
    let (a, b) = (php::types::value_of(left)?, php::types::value_of(right)?);
    let differ = match (a, b) {
        (Value::Number, Value::Int | Value::Float | Value::Number)
        | (Value::Int | Value::Float, Value::Number) => false,
        (Value::Object(_), Value::Object(_)) => false,
        _ => a != b,
    };
    (differ && is_set_here(left) && is_set_here(right)).then_some(())
}

/// Reports `is_array($x)` for a value that certainly is an array, or certainly is not.
fn kind_test(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node
        .field("function")
        .filter(|name| name.text().contains("is_"))
    else {
        return;
    };
    let wanted: &[Value<'_>] = match php::types::plain(name.text()).as_str() {
        "is_array" => &[Value::List],
        "is_string" => &[Value::Text],
        "is_int" | "is_integer" => &[Value::Int],
        "is_float" => &[Value::Float],
        "is_bool" => &[Value::Bool],
        "is_null" => &[Value::Null],
        "is_object" => &[Value::Object("")],
        _ => return,
    };
    let argument = node
        .field("arguments")
        .and_then(|list| list.named_children().next());
    let Some(tested) = argument.and_then(|argument| argument.named_children().last()) else {
        return;
    };
    if tested.is(&["variable_name"]) && php::types::source_of(tested) == tested {
        return;
    }
    let value = match php::types::value_of(tested) {
        Some(Value::Object(_)) => Value::Object(""),
        Some(Value::Number) | None => return,
        Some(value) => value,
    };
    let always = if wanted.contains(&value) {
        "true"
    } else {
        "false"
    };
    sink.report(
        node,
        format!("`{}` is always {always} here.", quote(node.text())),
    );
}
