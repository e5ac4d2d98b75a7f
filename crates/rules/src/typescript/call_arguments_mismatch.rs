//! An added call of a function of the same file with arguments that it does not accept.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::symbols::callables::script_function;
use syntax::semantics::symbols::parameters::Passed;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "typescript/call-arguments-mismatch",
    languages: &["TypeScript", "TSX"],
    title: "Wrong arguments for a function of the file",
    why: "The function does not accept these arguments: there are too many, one is missing, or a name is not one of its \
          parameters. The code does not compile.",
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
path: src/price.ts (whole file)
 function total(prices: number[], rate = 1) {
   return prices.length * rate;
 }
+export const show = (cart: Cart) => total(cart.prices, 2, 'EUR');
^
"#,
        r#"
path: src/price.ts (whole file)
 function total(prices: number[], rate: number) {
   return prices.length * rate;
 }
+export const show = (cart: Cart) => total(cart.prices);
^
"#,
    ],
    negative: &[
        r#"
path: src/price.ts (whole file)
 function total(prices: number[], rate = 1) {
   return prices.length * rate;
 }
+export const show = (cart: Cart, more: [number[]]) => total(cart.prices, 2) + total(...more);
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
    let Some((parameters, passed)) = script_function(call).zip(Passed::of_call(call)) else {
        return;
    };
    if let Some(refusal) = parameters.refusal(&passed) {
        let place = call.field("arguments").unwrap_or(call);
        let name = call.any_field(&["function", "constructor"]);
        sink.report(
            place,
            format!("`{}` {refusal}", name.map_or("", Node::text)),
        );
    }
}
