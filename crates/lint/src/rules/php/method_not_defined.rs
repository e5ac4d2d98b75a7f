//! A call of a method that the class does not have.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_calls::{self, Target};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/method-not-defined",
    languages: &["PHP"],
    title: "Called method does not exist",
    why: "The class, all of which stands here, has no method of this name, and nothing that it comes from has one either. The script \
          stops with an error when it gets there.",
    fix: "Call the method that was meant, or write it.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"]),
        run,
    },
    fires: &[
        "+class Cart\n+{\n+    public function total(): int\n+    {\n+        return $this->summ();\n^\n+    }\n+\n+    private function sum(): int\n+    {\n+        return 1;\n+    }\n+}\n",
        "+class Cart {\n+    public function total() {}\n+}\n+$cart = new Cart();\n+$cart->totals();\n^\n+Cart::create();\n^\n",
    ],
    quiet: &[
        "+class Cart\n+{\n+    public function total(): int\n+    {\n+        return $this->sum();\n+    }\n+\n+    private function SUM(): int\n+    {\n+        return 1;\n+    }\n+}\n",
        "+class Cart extends Model {\n+    public function total() { return $this->sum(); }\n+}\n+abstract class Shop {\n+    public function total() { return $this->sum(); }\n+}\n+class Bag {\n+    use Countable;\n+    public function total() { return $this->sum() + $this->$name(); }\n+}\n+class Proxy {\n+    public function __call($name, $arguments) {}\n+    public function total() { return $this->sum(); }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node.field("name").filter(|name| name.is(&["name"])) else { return };
    if let Some(Target::Missing(class)) = php_calls::target(node) {
        if is_asked_first(node, name.text()) || class.child_of_kind(&["attribute_list"]).is_some() {
            return;
        }
        let class = class.field("name").map_or("", Node::text);
        sink.report(name, format!("`{}` has no method `{}`.", quote(class), quote(name.text())));
    }
}

/// `method_exists` stands in the function around.
fn is_asked_first(node: Node<'_>, name: &str) -> bool {
    let body = node.ancestors().find(|around| around.is(&["method_declaration", "function_definition"]));
    body.is_some_and(|body| {
        let text = body.text();
        text.contains("method_exists") || text.contains("is_callable") || text.contains("__call") && text.contains(name)
    })
}
