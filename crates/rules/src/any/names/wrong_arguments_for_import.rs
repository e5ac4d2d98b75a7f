//! An added call of a function of another file with arguments that it does not accept.

use impact::{Conflict, Import, Judgement, Subject, shown_path};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/wrong-arguments-for-import",
    languages: &["Python", "TypeScript", "TSX"],
    title: "Wrong arguments for an imported function",
    why: "The function of another file of the repository does not accept these arguments: there are too many, one is missing, or \
          a name is not one of its parameters. The call fails as soon as it runs, or the build does. The file is read in a \
          checkout.",
    fix: "Pass the arguments that the function takes, or change its parameters together with its other callers.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Repository {
        about: Subject::Code,
        judge,
    },
    positive: &[
        r#"
path: shop/cart.py (whole file)
 from shop.price import total
 
 def show(cart):
+    return total(cart.prices)
^
path: shop/__init__.py (unchanged)
 
path: shop/price.py (unchanged)
 def total(prices, rate):
     return sum(prices) * rate
"#,
        r#"
path: shop/cart.py (whole file)
 from .price import Price
 
 def show(cart):
+    return Price(cart.amount, currncy="EUR")
^
path: shop/__init__.py (unchanged)
 
path: shop/price.py (unchanged)
 class Price:
     def __init__(self, amount, currency="USD"):
         self.amount = amount
"#,
        r#"
path: src/cart.ts (whole file)
 import { total } from './price';
 
+export const show = (cart: Cart) => total(cart.prices, 2, 'EUR');
^
path: src/price.ts (unchanged)
 export function total(prices: number[], rate = 1) {
   return prices.length * rate;
 }
"#,
    ],
    negative: &[
        r#"
path: shop/cart.py (whole file)
 from shop.price import total
 
 def show(cart):
+    return total(cart.prices, rate=2)
path: shop/__init__.py (unchanged)
 
path: shop/price.py (unchanged)
 def total(prices, rate):
     return sum(prices) * rate
"#,
        r#"
path: shop/cart.py (whole file)
 from .price import Price, total
 from shop.tax import taxed
 
 def show(cart, options):
+    return Price(*cart, **options) + total(*cart) + taxed(1, 2, 3)
path: shop/__init__.py (unchanged)
 
path: shop/price.py (unchanged)
 from dataclasses import dataclass
 
 @dataclass
 class Price:
     amount: int
 
 def total(prices, rate):
     return sum(prices) * rate
path: shop/tax.py (unchanged)
 @cached
 def taxed(price):
     return price
"#,
        r#"
path: src/cart.ts (whole file)
 import { total } from './price';
 
+export const show = (cart: Cart) => total(cart.prices, 2, 'EUR');
path: src/price.ts (unchanged)
 export function total(prices: number[]): number;
 export function total(prices: number[], rate: number, currency: string): number;
 export function total(prices: number[], ...more: unknown[]) {
   return prices.length;
 }
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Import(import, Import::Of(path, offer)) = conflict else {
        return None;
    };
    let own = offer.names.iter().find(|own| own.name == import.name)?;
    let (parameters, passed) = (own.parameters.as_ref()?, import.passed.as_ref()?);
    let refusal = parameters.refusal(passed)?;
    let (name, shown) = (&own.name, shown_path(path));
    let summary = format!("`{name}` of {shown}:{} {refusal}", own.line);
    Some(Judgement::new(summary).shown_at(path, own.line))
}
