//! Classes that are thrown or caught and are no exceptions.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_types;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/thrown-class-no-error",
    languages: &["PHP"],
    title: "Class thrown or caught that is no exception",
    why: "Only what comes from Exception or Error can be thrown. Throwing something else is itself an error, and a catch \
          for it never takes anything.",
    fix: "Let the class extend Exception, or name the class that was meant.",
    priority: Priority::P1,
    category: Category::ErrorHandling,
    confidence: 0.9,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["throw_expression", "catch_clause"]), run },
    fires: &[
        "+class Empty_ {}\n+function total($cart) {\n+    throw new Empty_();\n^\n+}\n",
        "+class Empty_ {}\n+try {\n+    total($cart);\n+} catch (Empty_ $e) {\n^\n+    stop();\n+}\n",
    ],
    quiet: &[
        "+class Empty_ extends \\Exception {}\n+interface Known {}\n+try {\n+    throw new Empty_();\n+} catch (Known | Other $e) {\n+    throw $e;\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let catches = node.is(&["catch_clause"]);
    for name in if catches { caught(node) } else { thrown(node) } {
        let class = name.text();
        let is_plain = !class.contains('\\') && !is_error(class);
        let family =
            php_types::family(node, class).filter(|family| is_plain && !family.iter().any(|one| is_error(one)));
        let is_class = php_types::only_class(node, class).is_some_and(|found| found.is(&["class_declaration"]));
        if family.is_some() && is_class {
            let what = if catches { "nothing is ever caught here" } else { "it cannot be thrown" };
            sink.report(name, format!("`{}` comes from neither Exception nor Error: {what}.", quote(class)));
        }
    }
}

fn is_error(class: &str) -> bool {
    class.ends_with("Exception") || class.ends_with("Error") || class == "Throwable"
}

/// The class that is made where it is thrown.
fn thrown(node: Node<'_>) -> Vec<Node<'_>> {
    let made = node.named_children().next().filter(|value| value.is(&["object_creation_expression"]));
    made.and_then(|made| made.named_children().next()).filter(|name| name.is(&["name"])).into_iter().collect()
}

/// The classes that a catch names.
fn caught(node: Node<'_>) -> Vec<Node<'_>> {
    let all = node.field("type").into_iter().flat_map(Node::descendants);
    all.filter(|part| part.is(&["name"]) && part.parent().is_some_and(|up| !up.is(&["qualified_name"]))).collect()
}
