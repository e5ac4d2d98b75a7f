//! An element that the array, which is written out just before, does not have.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_types;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/element-not-there",
    languages: &["PHP"],
    title: "Element that the array does not have",
    why: "The array was written out just before, without this key. Reading it gives null and a warning that is easily overlooked, and the \
          code goes on with nothing: most often the key is misspelt.",
    fix: "Use a key that is there, or give the array this one.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["subscript_expression"]), run },
    fires: &[
        "+$sizes = ['small' => 1, 'large' => 2];\n+echo $sizes['big'];\n^\n",
        "+function f() {\n+    $list = ['a', 'b'];\n+    return $list[2] . $list[0];\n^\n+}\n",
    ],
    quiet: &[
        "+$sizes = ['small' => 1, 'large' => 2];\n+echo $sizes['large'];\n",
        "+$list = ['a', 'b', 5 => 'c', 'd'];\n+echo $list[6] . $list['0'];\n+$list[9] = 1;\n+$more = ['a' => 1];\n+if (isset($more['b'])) {}\n+echo $more['c'] ?? 1;\n+$all = [...$x, 'a'];\n+echo $all['b'];\n+$keys = [A::B => 1];\n+echo $keys['x'];\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let mut parts = node.named_children();
    let (Some(of), Some(key)) = (parts.next(), parts.next()) else { return };
    if !of.is(&["variable_name"]) || !is_read(node) {
        return;
    }
    let Some(wanted) = literal(key) else { return };
    let array = php_types::source_of(of);
    let Some(keys) = Some(array).filter(|array| array.is(&["array_creation_expression"])).and_then(keys_of) else {
        return;
    };
    if !keys.is_empty() && !keys.contains(&wanted) {
        sink.report(node, format!("`{}` has no element `{}` here.", quote(of.text()), quote(key.text())));
    }
}

fn is_read(node: Node<'_>) -> bool {
    let Some(around) = node.parent() else { return false };
    let is_tested = around.binary().is_some_and(|binary| binary.operator == "??");
    let reads = around.is(&[
        "echo_statement",
        "return_statement",
        "binary_expression",
        "encapsed_string",
        "member_call_expression",
        "expression_statement",
        "print_intrinsic",
        "parenthesized_expression",
    ]);
    !is_tested && (reads || around.is(&["assignment_expression"]) && around.field("right") == Some(node))
}

/// A key as PHP keeps it: numbers in quotes are numbers.
fn literal(key: Node<'_>) -> Option<String> {
    match key.kind() {
        "integer" => key.text().parse::<i64>().ok().map(|number| number.to_string()),
        "string" | "encapsed_string" => php_types::literal_text(key).map(str::to_owned),
        _ => None,
    }
}

/// All keys, if each is written out.
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
