//! A value used where PHP needs another type: a loop over a number, a call on null, a clone of a scalar.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::types::Value;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/unusable-kind",
    languages: &["PHP"],
    title: "Operation not supported by the value's type",
    why: "The value that the preceding lines assign does not support this operation. PHP throws an error, or only \
          emits a warning and continues: the loop body never runs, a property reads as null, or the word `Array` is \
          printed.",
    fix: "Use the intended value, or assign the variable first.",
    references: &["https://www.php.net/manual/en/language.types.intro.php"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "foreach_statement", "clone_expression", "throw_expression", "echo_statement",
            "print_intrinsic", "member_call_expression", "member_access_expression",
            "encapsed_string", "variadic_unpacking", "subscript_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+$rows = null;
+foreach ($rows as $row) {
^
+    show($row);
+}
"#,
        r#"
+function f(int $n, array $list) {
+    echo $list;
^
+    $copy = clone $n;
^
+    return $n->value;
^
+}
"#,
        r#"
+$message = 'no';
+throw $message;
^
"#,
    ],
    negative: &[
        r#"
+$rows = [];
+foreach ($rows as $row) {
+    show($row);
+}
"#,
        r#"
+$rows = null;
+if ($more) { $rows = load(); }
+foreach ($rows as $row) {}
+$a = null;
+$a->x = 1;
+$b = 'text';
+echo $b[0], "$b[1]";
+$c = new Cart();
+echo $c;
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let found = match node.kind() {
        "foreach_statement" => node
            .named_children()
            .next()
            .and_then(|source| found(source, |v| v.is_scalar() || v == Value::Null)),
        "encapsed_string" => node
            .named_children()
            .find_map(|part| found(part, |v| v == Value::List)),
        "echo_statement" | "print_intrinsic" => {
            let only = node.named_children().next();
            only.and_then(|shown| {
                found(shown, |v| {
                    matches!(v, Value::List | Value::Object("stdClass" | "Closure"))
                })
            })
        }
        "member_call_expression" | "member_access_expression" => member(node),
        "variadic_unpacking" => node
            .named_children()
            .next()
            .and_then(|part| found(part, |v| v.is_scalar() || v == Value::Null)),
        "subscript_expression" => index(node),
        _ => node.named_children().next().and_then(|part| {
            found(part, |v| {
                v.is_scalar() || matches!(v, Value::List | Value::Null)
            })
        }),
    };
    if let Some((used, value)) = found {
        let does = match node.kind() {
            "foreach_statement" => "loops over it",
            "encapsed_string" | "echo_statement" | "print_intrinsic" => "prints it",
            "member_call_expression" => "calls a method on it",
            "member_access_expression" => "reads a property of it",
            "clone_expression" => "clones it",
            "throw_expression" => "throws it",
            "subscript_expression" => "reads an element of it",
            _ => "unpacks it",
        };
        sink.report(
            used,
            format!(
                "`{}` is {} here, but this code {does}.",
                quote(used.text()),
                value.name()
            ),
        );
    }
}

fn found(node: Node<'_>, is_wrong: impl Fn(Value<'_>) -> bool) -> Option<(Node<'_>, Value<'_>)> {
    let node = node.unparenthesised();
    let has_certain_kind = node.is(&[
        "variable_name", "array_creation_expression", "integer", "float", "string", "null",
        "boolean", "object_creation_expression", "cast_expression",
    ]);
    let value = has_certain_kind
        .then(|| php::types::value_of(node))
        .flatten()?;
    is_wrong(value).then_some((node, value))
}

fn member(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let object = node
        .field("object")
        .filter(|object| object.is(&["variable_name"]) && object.text() != "$this")?;
    let is_set = node.parent().is_some_and(|around| {
        around.field("left") == Some(node)
            || around.is(&["argument", "subscript_expression", "binary_expression"])
    });
    if is_set && node.is(&["member_access_expression"]) {
        return None;
    }
    found(object, |v| {
        v.is_scalar() || matches!(v, Value::List | Value::Null)
    })
}

/// An element of a number, of a boolean, of null, or of an object without array access.
fn index(node: Node<'_>) -> Option<(Node<'_>, Value<'_>)> {
    let of = node
        .named_children()
        .next()
        .filter(|of| of.is(&["variable_name"]))?;
    let around = node.parent()?;
    let is_read = around.is(&["echo_statement", "expression_statement", "return_statement"])
        || around.field("right") == Some(node);
    let is_set = around.field("left") == Some(node) && around.is(&["assignment_expression"]);
    let is_wrong = |value: Value<'_>| match value {
        Value::Int | Value::Float | Value::Number => true,
        Value::Bool => {
            is_read
                || !php::types::source_of(of)
                    .text()
                    .eq_ignore_ascii_case("false")
        }
        Value::Null => is_read,
        Value::Object(class) => class == "stdClass" || php::types::is_no_array(of, class),
        _ => false,
    };
    (is_read || is_set).then(|| found(of, is_wrong)).flatten()
}
