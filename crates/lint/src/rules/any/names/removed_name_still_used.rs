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
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n^\n+def total_of(prices):\n     return sum(prices)\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: src/price.ts (whole file)\n export const RATE = 2;\n-export function total(prices: number[]) {\n^\n+function total(prices: number[]) {\n   return prices.length * RATE;\n }\npath: src/cart.ts (unchanged)\n import * as price from './price';\n export const show = (cart: Cart) => price.total(cart.prices);\n",
        "path: price.js (whole file)\n const total = (prices) => prices.length;\n const most = (prices) => Math.max(...prices);\n-module.exports = { total, most };\n^\n+module.exports = { total };\npath: cart.js (unchanged)\n const { total, most } = require('./price');\n console.log(total([]), most([]));\n",
    ],
    negative: &[
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n+def total_of(prices):\n     return sum(prices)\n+\n+total = total_of\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n-    return sum(prices)\n+from shop.sums import total\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n+def total_of(prices):\n     return sum(prices)\npath: shop/cart.py (unchanged)\n from shop.sums import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: src/price.ts (whole file)\n export const RATE = 2;\n-export function total(prices: number[]) {\n-  return prices.length * RATE;\n-}\n+export * from './sums';\npath: src/cart.ts (unchanged)\n import { total } from './price';\n console.log(total([]));\n",
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
