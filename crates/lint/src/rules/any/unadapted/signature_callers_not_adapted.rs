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
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n+def total(prices, rate):\n^\n     return sum(prices)\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: shop/price.py (whole file)\n-def total(prices, rate=1):\n+def total(prices, *, rate=1):\n^\n     return sum(prices) * rate\npath: shop/cart.py (unchanged)\n import shop.price\n \n def show(cart):\n     return shop.price.total(cart.prices, 2)\n",
        "path: src/price.ts (whole file)\n-export function total(prices: number[]) {\n+export function total(prices: number[], rate: number) {\n^\n   return prices.length * 2;\n }\npath: src/cart.ts (unchanged)\n import { total } from './price';\n console.log(total([]));\n",
    ],
    negative: &[
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n+def total(prices, rate=1):\n     return sum(prices)\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(cart.prices)\n",
        "path: shop/price.py (whole file)\n RATE = 2\n \n-def total(prices):\n+def total(prices, rate):\n     return sum(prices)\npath: shop/cart.py (unchanged)\n from shop.price import total\n \n def show(cart):\n     return total(*cart.prices) + total(cart.prices, rate=2)\n",
        "path: price.js (whole file)\n-export function total(prices) {\n+export function total(prices, rate) {\n   return prices.length * (rate || 1);\n }\npath: cart.js (unchanged)\n import { total } from './price';\n console.log(total([]));\n",
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
