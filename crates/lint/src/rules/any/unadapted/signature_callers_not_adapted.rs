//! A function with changed parameters, and calls in other files of the repository that it no longer accepts.

use review::{Category, Priority};

use crate::facts::{Borrowed, Break, Cause};
use crate::rule::{Broken, Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/signature-callers-not-adapted",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Callers in other files not adapted to new parameters",
    why: "The change alters the parameters of a function, and other files of the repository still call it the old way. These \
          calls fail, or an argument ends up in the wrong parameter. The files are searched in a checkout, and only calls \
          whose import leads to the changed file count.",
    fix: "Adapt the calls, or give the new parameter a default value.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Repository { run },
    positive: &[
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total(prices, rate):
^
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
-def total(prices, rate=1):
+def total(prices, *, rate=1):
^
     return sum(prices) * rate
path: shop/cart.py (unchanged)
 import shop.price
 
 def show(cart):
     return shop.price.total(cart.prices, 2)
"#,
        r#"
path: src/price.ts (whole file)
-export function total(prices: number[]) {
+export function total(prices: number[], rate: number) {
^
   return prices.length * 2;
 }
path: src/cart.ts (unchanged)
 import { total } from './price';
 console.log(total([]));
"#,
    ],
    negative: &[
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total(prices, rate=1):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total(prices, rate):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(*cart.prices) + total(cart.prices, rate=2)
"#,
        r#"
path: price.js (whole file)
-export function total(prices) {
+export function total(prices, rate) {
   return prices.length * (rate || 1);
 }
path: cart.js (unchanged)
 import { total } from './price';
 console.log(total([]));
"#,
    ],
};

fn run(broken: &Break, uses: &[(String, Borrowed)]) -> Option<Broken> {
    let Cause::Parameters {
        before,
        after,
        is_script,
    } = &broken.cause
    else {
        return None;
    };
    let misfit = |used: &Borrowed| before.breaks(after, used.passed.as_ref()?, *is_script);
    let failing = uses
        .iter()
        .filter_map(|(path, used)| Some((path, used.line, misfit(used)?)));
    let failing: Vec<(&String, u32, String)> = failing.collect();
    let (_, _, reason) = failing.first()?;
    let places = failing
        .iter()
        .map(|(path, line, _)| ((*path).clone(), *line))
        .collect();
    Broken::at(places, |count| {
        let left = if count == 1 {
            "call is not adapted"
        } else {
            "calls are not adapted"
        };
        format!("`{}` now {reason}, but {count} {left}", broken.name)
    })
}
