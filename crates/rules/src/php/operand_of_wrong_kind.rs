//! An operator on a value that it does not support: an array, an object, a non-numeric string.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::types::Value;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/operand-of-wrong-kind",
    languages: &["PHP"],
    title: "Unsupported operand type",
    why: "Arithmetic on an array, an object or a non-numeric string raises a `TypeError`. Concatenating an array \
          yields the word `Array`, and concatenating an object without `__toString` raises an error.",
    fix: "Use the intended element, property or number, or convert the value first.",
    references: &["https://www.php.net/manual/en/language.operators.arithmetic.php"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "binary_expression", "augmented_assignment_expression", "unary_op_expression",
            "update_expression", "cast_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+function total(array $prices) {
+    return $prices * 2;
^
+}
"#,
        r#"
+$names = explode(',', $line);
+echo 'Names: ' . $names;
^
"#,
        r#"
+$cart = new Cart();
+$cart++;
^
+$sum = 5;
+$sum -= [];
^
+$text = (string) $names + -'none';
^
"#,
    ],
    negative: &[
        r#"
+function total(array $prices) {
+    return array_sum($prices) * 2;
+}
"#,
        r#"
+function merge(array $a, array $b, $c) {
+    if ($c) { $b = 3; }
+    return $a + $b + ['x' => 1] + $c;
+}
"#,
        r#"
+$n = '12';
+$m = $n * 2 + -'3' . 4;
+$size = gmp_init(4);
+$total = new Money(4);
+$list = [];
+foreach ($rows as $row) { $x = $list . ''; $list = 'a'; }
"#,
    ],
};

const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"];

/// Classes of extensions with objects that support arithmetic.
const NUMBERS: &[&str] = &["GMP", "Number", "CData", "Decimal", "SimpleXMLElement"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let found = match node.kind() {
        "binary_expression" => binary(node),
        "augmented_assignment_expression" => augmented(node),
        "cast_expression" => cast(node),
        _ => single(node),
    };
    if let Some((operand, value)) = found {
        let what = if php::types::source_of(operand) == operand {
            ""
        } else {
            " here"
        };
        sink.report(
            node,
            format!(
                "`{}` is {}{what}, which this operator does not support.",
                quote(operand.text()),
                value.name()
            ),
        );
    }
}

fn binary(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let binary = node.binary()?;
    two(binary.left, binary.operator, binary.right)
}

fn augmented(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let operator = node.field("operator")?.text().strip_suffix('=')?;
    two(node.field("left")?, operator, node.field("right")?)
}

fn two<'t>(left: Node<'t>, operator: &str, right: Node<'t>) -> Option<(Node<'t>, Value<'t>)> {
    if operator == "." {
        return [left, right].into_iter().find_map(joined);
    }
    if !ARITHMETIC.contains(&operator) {
        return None;
    }
    let values = [left, right].map(php::types::value_of);
    let adds_lists = operator == "+"
        && values
            .iter()
            .all(|value| value.is_none_or(|value| value == Value::List));
    let joins_bits = matches!(operator, "&" | "|" | "^");
    [left, right]
        .into_iter()
        .zip(values)
        .find_map(|(operand, value)| {
            let value = value.filter(|value| !(adds_lists && *value == Value::List))?;
            (is_unfit(operand, value) && !(joins_bits && value == Value::Text))
                .then_some((operand, value))
        })
}

/// An array or a closure concatenated to a string.
fn joined(operand: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let value = match operand.kind() {
        "variable_name" | "array_creation_expression" | "function_call_expression" => {
            php::types::value_of(operand)?
        }
        _ => return None,
    };
    matches!(value, Value::List | Value::Object("Closure" | "stdClass")).then_some((operand, value))
}

fn single(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let operand = node
        .field("argument")
        .or_else(|| node.named_children().last())?;
    let operator = node
        .children()
        .find(|child| !child.is_named() || child.is_leaf())?
        .text();
    if node.text().starts_with('!') || node.text().starts_with(['@', '&']) {
        return None;
    }
    let value = php::types::value_of(operand)?;
    let is_step = node.is(&["update_expression"]);
    let is_unfit = match value {
        Value::List => true,
        Value::Object(class) => !NUMBERS.contains(&class),
        Value::Text => !is_step && operator != "~" && php::types::is_word(operand),
        Value::Bool => is_step || operator == "~",
        Value::Null => operator == "~",
        _ => false,
    };
    is_unfit.then_some((operand, value))
}

/// An array as a string, an object as a number.
fn cast(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let operand = node.field("value")?;
    let kind = node.field("type")?.text().trim().to_ascii_lowercase();
    let value = match kind.as_str() {
        "string" => php::types::value_of(operand)
            .filter(|value| matches!(value, Value::List | Value::Object("stdClass" | "Closure")))?,
        "int" | "integer" | "float" | "double" => php::types::value_of(operand)
            .filter(|value| matches!(value, Value::Object("stdClass" | "Closure")))?,
        _ => return None,
    };
    Some((operand, value))
}

fn is_unfit(operand: Node<'_>, value: Value<'_>) -> bool {
    match value {
        Value::List => true,
        Value::Object(class) => !NUMBERS.contains(&class) && !class.is_empty(),
        Value::Text => php::types::is_word(operand),
        _ => false,
    }
}
