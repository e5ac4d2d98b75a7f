//! An added call of a function of the same file with arguments that it does not accept.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::symbols::callables::{callee, passed};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/wrong-arguments",
    languages: &["Python", "TypeScript", "TSX"],
    title: "Wrong arguments for a function of the file",
    why: "The function does not accept these arguments: there are too many, one is missing, or a name is not one of its \
          parameters. The call fails as soon as it runs, or the build does.",
    fix: "Pass the arguments that the function takes, or change its parameters together with its other callers.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: shop/price.py (whole file)
 def total(prices, rate):
     return sum(prices) * rate
 
 def show(cart):
+    return total(cart.prices)
^
"#,
        r#"
path: shop/price.py (whole file)
+class Price:
+    def __init__(self, amount, currency="USD"):
+        self.amount = amount
+
+    def plus(self, other):
+        return Price(self.amount + other.amount, currncy="EUR")
^
+
+    def twice(self):
+        return self.plus(self, self)
^
"#,
        r#"
path: src/price.ts (whole file)
 function total(prices: number[], rate = 1) {
   return prices.length * rate;
 }
+export const show = (cart: Cart) => total(cart.prices, 2, 'EUR');
^
"#,
    ],
    negative: &[
        r#"
path: shop/price.py (whole file)
 def total(prices, rate):
     return sum(prices) * rate
 
 def show(cart, options):
+    total(cart.prices, rate=2)
+    total(*cart)
+    return total(cart.prices, **options)
"#,
        r#"
path: shop/price.py (whole file)
 @cached
 def total(prices):
     return sum(prices)
 
 class Base(Model):
     def plus(self, other):
         return self.plus(other, 2)
 
 def show(cart):
+    return total(cart.prices, 2), Base(1, 2, 3)
"#,
        r#"
path: shop/price.py (whole file)
 class Cart:
     def __init__(self, sum):
         self.total = sum
 
     def total(self, prices):
         return sum(prices)
 
     def show(self):
+        return self.total(1, 2) + self.more(3)
"#,
        r#"
path: shop/price.py (whole file)
 if fast:
     def total(prices):
         return 1
 else:
     def total(prices, rate):
         return 2
 
 def show(cart, total):
     return total(1, 2, 3)
 
+print(total(1))
"#,
        r#"
path: src/price.ts (whole file)
 function total(prices: number[]): number;
 function total(prices: number[], rate: number): number;
 function total(prices: number[], ...more: number[]) {
   return prices.length;
 }
+export const show = (cart: Cart) => total(cart.prices, 2);
"#,
    ],
};

fn run(call: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((callee, passed)) = callee(call).zip(passed(call)) else {
        return;
    };
    if let Some(refusal) = callee.parameters.refusal(&passed) {
        let place = call.any_field(&["arguments"]).unwrap_or(call);
        sink.report(place, format!("`{}` {refusal}", callee.name.text()));
    }
}
