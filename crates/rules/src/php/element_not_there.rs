//! A read of a key that is missing from an array literal written just before.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/element-not-there",
    languages: &["PHP"],
    title: "Missing array key",
    why: "The array literal assigned just before does not contain this key. Reading it yields null with only a \
          warning, and the code continues without a value. Usually the key is misspelled.",
    fix: "Use an existing key, or add this key to the array.",
    references: &["https://www.php.net/manual/en/language.types.array.php"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["subscript_expression"]),
        run,
    },
    positive: &[
        r#"
+$sizes = ['small' => 1, 'large' => 2];
+echo $sizes['big'];
^
"#,
        r#"
+function f() {
+    $list = ['a', 'b'];
+    return $list[2] . $list[0];
^
+}
"#,
    ],
    negative: &[
        r#"
+$sizes = ['small' => 1, 'large' => 2];
+echo $sizes['large'];
"#,
        r#"
+$list = ['a', 'b', 5 => 'c', 'd'];
+echo $list[6] . $list['0'];
+$list[9] = 1;
+$more = ['a' => 1];
+if (isset($more['b'])) {}
+echo $more['c'] ?? 1;
+$all = [...$x, 'a'];
+echo $all['b'];
+$keys = [A::B => 1];
+echo $keys['x'];
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut parts = node.named_children();
    let (Some(of), Some(key)) = (parts.next(), parts.next()) else {
        return;
    };
    if !of.is(&["variable_name"]) || !is_read(node) {
        return;
    }
    let Some(wanted) = literal(key) else { return };
    let array = php::types::source_of(of);
    let Some(keys) = Some(array)
        .filter(|array| array.is(&["array_creation_expression"]))
        .and_then(keys_of)
    else {
        return;
    };
    if !keys.is_empty() && !keys.contains(&wanted) {
        sink.report(
            node,
            format!(
                "`{}` has no key `{}` here.",
                quote(of.text()),
                quote(key.text())
            ),
        );
    }
}

fn is_read(node: Node<'_>) -> bool {
    let Some(around) = node.parent() else {
        return false;
    };
    let is_tested = around
        .binary()
        .is_some_and(|binary| binary.operator == "??");
    let reads = around.is(&[
        "echo_statement", "return_statement", "binary_expression", "encapsed_string",
        "member_call_expression", "expression_statement", "print_intrinsic",
        "parenthesized_expression",
    ]);
    !is_tested
        && (reads || around.is(&["assignment_expression"]) && around.field("right") == Some(node))
}

/// A key as PHP stores it: numeric strings are integers.
fn literal(key: Node<'_>) -> Option<String> {
    match key.kind() {
        "integer" => key
            .text()
            .parse::<i64>()
            .ok()
            .map(|number| number.to_string()),
        "string" | "encapsed_string" => php::types::literal_text(key).map(str::to_owned),
        _ => None,
    }
}

/// All keys, if they are all literals.
fn keys_of(array: Node<'_>) -> Option<Vec<String>> {
    let mut next = 0;
    let mut keys = Vec::new();
    for element in array.named_children() {
        let parts: Vec<Node<'_>> = element.named_children().collect();
        let key = match parts.as_slice() {
            [value] if !value.is(&["variadic_unpacking"]) => next.to_string(),
            [key, _] => literal(*key)?,
            _ => return None,
        };
        if let Ok(number) = key.parse::<i64>() {
            next = next.max(number + 1);
        }
        keys.push(key);
    }
    Some(keys)
}
