//! Classes that are thrown or caught, but are not exceptions.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/thrown-class-no-error",
    languages: &["PHP"],
    title: "Non-exception class thrown or caught",
    why: "Only objects of classes that extend `Exception` or `Error` can be thrown. Throwing any other object is \
          itself an error, and a `catch` clause for such a class never runs.",
    fix: "Let the class extend `Exception`, or use the intended class.",
    references: &["https://www.php.net/manual/en/language.exceptions.php"],
    priority: Priority::P1,
    category: Category::ErrorHandling,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["throw_expression", "catch_clause"]),
        run,
    },
    positive: &[
        r#"
+class Empty_ {}
+function total($cart) {
+    throw new Empty_();
^
+}
"#,
        r#"
+class Empty_ {}
+try {
+    total($cart);
+} catch (Empty_ $e) {
^
+    stop();
+}
"#,
    ],
    negative: &[
        r#"
+class Empty_ extends \Exception {}
+interface Known {}
+try {
+    throw new Empty_();
+} catch (Known | Other $e) {
+    throw $e;
+}
"#,
        r#"
+class Missing extends RuntimeException {}
+class Cart {}
+function total(Cart $cart) {
+    if (!$cart) throw new Missing("cart");
+    return new Cart();
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let catches = node.is(&["catch_clause"]);
    for name in if catches { caught(node) } else { thrown(node) } {
        let class = name.text();
        let is_plain = !class.contains('\\') && !is_error(class);
        let family = php::types::family(node, class)
            .filter(|family| is_plain && !family.iter().any(|one| is_error(one)));
        let is_class = php::types::only_class(node, class)
            .is_some_and(|found| found.is(&["class_declaration"]));
        if family.is_some() && is_class {
            let what = if catches {
                "this clause never catches anything"
            } else {
                "it cannot be thrown"
            };
            sink.report(
                name,
                format!(
                    "`{}` extends neither `Exception` nor `Error`: {what}.",
                    quote(class)
                ),
            );
        }
    }
}

fn is_error(class: &str) -> bool {
    class.ends_with("Exception") || class.ends_with("Error") || class == "Throwable"
}

/// The class that is instantiated in the `throw` expression.
fn thrown(node: Node<'_>) -> Vec<Node<'_>> {
    let made = node
        .named_children()
        .next()
        .filter(|value| value.is(&["object_creation_expression"]));
    made.and_then(|made| made.named_children().next())
        .filter(|name| name.is(&["name"]))
        .into_iter()
        .collect()
}

/// The classes that a catch names.
fn caught(node: Node<'_>) -> Vec<Node<'_>> {
    let all = node.field("type").into_iter().flat_map(Node::descendants);
    all.filter(|part| {
        part.is(&["name"]) && part.parent().is_some_and(|up| !up.is(&["qualified_name"]))
    })
    .collect()
}
