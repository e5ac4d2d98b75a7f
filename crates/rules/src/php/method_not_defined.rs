//! A call of a method that the class does not have.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::calls::Target;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/method-not-defined",
    languages: &["PHP"],
    title: "Call to an undefined method",
    why: "Neither the class nor any of its parent classes defines a method of this name, or a `__call` that would \
          handle it. The script stops with an error when it reaches the call.",
    fix: "Call the intended method, or define this one.",
    references: &["https://www.php.net/manual/en/language.oop5.basic.php"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+class Cart
+{
+    public function total(): int
+    {
+        return $this->summ();
^
+    }
+
+    private function sum(): int
+    {
+        return 1;
+    }
+}
"#,
        r#"
+class Cart {
+    public function total() {}
+}
+$cart = new Cart();
+$cart->totals();
^
+Cart::create();
^
"#,
    ],
    negative: &[
        r#"
+class Cart
+{
+    public function total(): int
+    {
+        return $this->sum();
+    }
+
+    private function SUM(): int
+    {
+        return 1;
+    }
+}
"#,
        r#"
+class Cart extends Model {
+    public function total() { return $this->sum(); }
+}
+abstract class Shop {
+    public function total() { return $this->sum(); }
+}
+class Bag {
+    use Countable;
+    public function total() { return $this->sum() + $this->$name(); }
+}
+class Proxy {
+    public function __call($name, $arguments) {}
+    public function total() { return $this->sum(); }
+}
"#,
        r#"
+namespace Shop;
+class Cart {
+    public function total() { return \Other\Cart::sum(1) + \Cart::sum(2) + Old\Cart::sum(3); }
+    public function copy() {
+        $cart = new \Other\Cart();
+        return $cart->items();
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(name) = node.field("name").filter(|name| name.is(&["name"])) else {
        return;
    };
    if let Some(Target::Missing(class)) = php::calls::target(node) {
        if is_asked_first(node, name.text())
            || is_narrowed(node)
            || class.child_of_kind(&["attribute_list"]).is_some()
        {
            return;
        }
        let class = class.field("name").map_or("", Node::text);
        sink.report(
            name,
            format!("`{}` has no method `{}`.", quote(class), quote(name.text())),
        );
    }
}

/// Whether the object is of another type here: `if ($this instanceof Visible) { $this->isVisible(); }`.
fn is_narrowed(node: Node<'_>) -> bool {
    let Some(object) = node.call().and_then(|call| call.receiver) else {
        return false;
    };
    let tests = |part: Node<'_>| {
        let operands = part
            .binary()
            .filter(|binary| binary.operator == "instanceof");
        operands.is_some_and(|binary| binary.left.says_same(object))
    };
    let conditions = node.ancestors().filter_map(Node::condition);
    conditions
        .flat_map(|condition| std::iter::once(condition).chain(condition.descendants()))
        .any(tests)
}

/// Whether the enclosing function checks with `method_exists` or `is_callable`.
fn is_asked_first(node: Node<'_>, name: &str) -> bool {
    let body = node
        .ancestors()
        .find(|around| around.is(&["method_declaration", "function_definition"]));
    body.is_some_and(|body| {
        let text = body.text();
        text.contains("method_exists")
            || text.contains("is_callable")
            || text.contains("__call") && text.contains(name)
    })
}
