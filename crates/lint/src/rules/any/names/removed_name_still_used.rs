//! A name that a file no longer provides, and that other files of the repository still import from it.

use review::{Category, Priority};

use crate::facts::{Borrowed, Break, Cause};
use crate::rule::{Broken, Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-name-still-used",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Removed name still used in other files",
    why: "The change removes or renames a function, class or constant that other files of the repository still import. They \
          fail as soon as they are loaded or use the name. The files are searched in a checkout, and only uses whose import \
          leads to the changed file count.",
    fix: "Adapt the other files, or keep the old name as an alias.",
    references: &[],
    priority: Priority::P1,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Repository { run },
    positive: &[
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
^
+def total_of(prices):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: src/price.ts (whole file)
 export const RATE = 2;
-export function total(prices: number[]) {
^
+function total(prices: number[]) {
   return prices.length * RATE;
 }
path: src/cart.ts (unchanged)
 import * as price from './price';
 export const show = (cart: Cart) => price.total(cart.prices);
"#,
        r#"
path: price.js (whole file)
 const total = (prices) => prices.length;
 const most = (prices) => Math.max(...prices);
-module.exports = { total, most };
^
+module.exports = { total };
path: cart.js (unchanged)
 const { total, most } = require('./price');
 console.log(total([]), most([]));
"#,
    ],
    negative: &[
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total_of(prices):
     return sum(prices)
+
+total = total_of
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
-    return sum(prices)
+from shop.sums import total
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total_of(prices):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.sums import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: src/price.ts (whole file)
 export const RATE = 2;
-export function total(prices: number[]) {
-  return prices.length * RATE;
-}
+export * from './sums';
path: src/cart.ts (unchanged)
 import { total } from './price';
 console.log(total([]));
"#,
    ],
};

fn run(broken: &Break, uses: &[(String, Borrowed)]) -> Option<Broken> {
    if broken.cause != Cause::Removed {
        return None;
    }
    let places = uses
        .iter()
        .map(|(path, used)| (path.clone(), used.line))
        .collect();
    Broken::at(places, |count| {
        let left = if count == 1 {
            "use is left"
        } else {
            "uses are left"
        };
        format!("`{}` is removed, but {count} {left}", broken.name)
    })
}
