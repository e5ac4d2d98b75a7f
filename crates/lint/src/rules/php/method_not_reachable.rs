//! A call of a method in a way that the method does not allow: on the class, or from outside.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_calls::{self, Target};
use crate::php_types;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/method-not-reachable",
    languages: &["PHP"],
    title: "Method that cannot be called from here",
    why: "PHP throws an error when an ordinary method is called on the class instead of an object, and when a private or protected method \
          is called from outside its class.",
    fix: "Call it on an object, or make it static or public if that is what was meant.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.88,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["member_call_expression", "scoped_call_expression"]), run },
    fires: &[
        "+class Cart {\n+    public function total() {}\n+}\n+Cart::total();\n^\n",
        "+class Cart {\n+    private function fill() {}\n+}\n+function run(Cart $cart) {\n+    $cart->fill();\n^\n+}\n",
    ],
    quiet: &[
        "+class Cart {\n+    public static function total() {}\n+}\n+Cart::total();\n",
        "+class Cart {\n+    private function fill() {}\n+    public function run(Cart $other) {\n+        $other->fill();\n+        self::fill();\n+        Cart::fill();\n+    }\n+}\n+class Bag extends Cart {\n+    protected function size() {}\n+    public function more(Bag $bag) { $bag->size(); parent::run($bag); }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(Target::Function(method)) = php_calls::target(node) else { return };
    let Some(class) = method.parent().and_then(Node::parent).filter(|class| class.is(&["class_declaration"])) else {
        return;
    };
    if is_related(node, class) {
        return;
    }
    let Some(name) = method.field("name") else { return };
    let class_name = class.field("name").map_or("", Node::text);
    let is_static = method.children().any(|part| part.is(&["static_modifier"]));
    let visibility = method.child_of_kind(&["visibility_modifier"]).map_or("public", Node::text);
    if node.is(&["scoped_call_expression"]) && !is_static {
        let text = format!(
            "`{}` is an ordinary method of `{}`, and this calls it on the class.",
            name.text(),
            quote(class_name)
        );
        sink.report(node.field("name").unwrap_or(node), text);
    } else if visibility != "public" {
        let text = format!("`{}` is {visibility} in `{}`, and this is outside of it.", name.text(), quote(class_name));
        sink.report(node.field("name").unwrap_or(node), text);
    }
}

/// The call stands in the class, in one that comes from something, or in a closure that may be bound to it.
fn is_related(node: Node<'_>, class: Node<'_>) -> bool {
    let own = node.ancestors().find(|around| {
        around.is(&[
            "class_declaration",
            "trait_declaration",
            "anonymous_class",
            "enum_declaration",
            "anonymous_function",
            "arrow_function",
        ])
    });
    own.is_some_and(|own| {
        own == class
            || !own.is(&["class_declaration"])
            || own.child_of_kind(&["base_clause"]).is_some_and(|base| {
                let parent = base.named_children().next().map_or("", Node::text);
                php_types::only_class(node, &php_types::plain(parent))
                    .is_none_or(|parent| parent == class || parent.child_of_kind(&["base_clause"]).is_some())
            })
    })
}
