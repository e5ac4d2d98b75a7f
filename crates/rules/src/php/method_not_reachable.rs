//! A method call that the method's declaration does not allow here: statically, or from outside the class.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::calls::Target;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/method-not-reachable",
    languages: &["PHP"],
    title: "Static or external call of an inaccessible method",
    why: "PHP throws an error when a non-static method is called on the class instead of an object, and when a \
          private or protected method is called from outside its class.",
    fix: "Call the method on an object, or declare it static or public if that is intended.",
    references: &["https://www.php.net/manual/en/language.oop5.visibility.php"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["member_call_expression", "scoped_call_expression"]),
        run,
    },
    positive: &[
        r#"
+class Cart {
+    public function total() {}
+}
+Cart::total();
^
"#,
        r#"
+class Cart {
+    private function fill() {}
+}
+function run(Cart $cart) {
+    $cart->fill();
^
+}
"#,
    ],
    negative: &[
        r#"
+class Cart {
+    public static function total() {}
+}
+Cart::total();
"#,
        r#"
+class Cart {
+    private function fill() {}
+    public function run(Cart $other) {
+        $other->fill();
+        self::fill();
+        Cart::fill();
+    }
+}
+class Bag extends Cart {
+    protected function size() {}
+    public function more(Bag $bag) { $bag->size(); parent::run($bag); }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(Target::Function(method)) = php::calls::target(node) else {
        return;
    };
    let Some(class) = method
        .parent()
        .and_then(Node::parent)
        .filter(|class| class.is(&["class_declaration"]))
    else {
        return;
    };
    if is_related(node, class) {
        return;
    }
    let Some(name) = method.field("name") else {
        return;
    };
    let class_name = class.field("name").map_or("", Node::text);
    let is_static = method.children().any(|part| part.is(&["static_modifier"]));
    let visibility = method
        .child_of_kind(&["visibility_modifier"])
        .map_or("public", Node::text);
    if node.is(&["scoped_call_expression"]) && !is_static {
        let text = format!(
            "`{}` is a non-static method of `{}`, but it is called statically here.",
            name.text(),
            quote(class_name)
        );
        sink.report(node.field("name").unwrap_or(node), text);
    } else if visibility != "public" {
        let text = format!(
            "`{}` is {visibility} in `{}`, but it is called from outside the class.",
            name.text(),
            quote(class_name)
        );
        sink.report(node.field("name").unwrap_or(node), text);
    }
}

/// Whether the call is in the class, in a class with a parent class, or in a closure that may be bound to the class.
fn is_related(node: Node<'_>, class: Node<'_>) -> bool {
    let own = node.ancestors().find(|around| {
        around.is(&[
            "class_declaration", "trait_declaration", "anonymous_class", "enum_declaration",
            "anonymous_function", "arrow_function",
        ])
    });
    own.is_some_and(|own| {
        own == class
            || !own.is(&["class_declaration"])
            || own.child_of_kind(&["base_clause"]).is_some_and(|base| {
                let parent = base.named_children().next().map_or("", Node::text);
                php::types::only_class(node, &php::types::plain(parent)).is_none_or(|parent| {
                    parent == class || parent.child_of_kind(&["base_clause"]).is_some()
                })
            })
    })
}
