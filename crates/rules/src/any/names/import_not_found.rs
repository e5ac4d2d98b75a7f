//! An added import of a file or a name that the repository does not have.

use impact::{Conflict, Import, Judgement, Subject, shown_path};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/import-not-found",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Import of a missing file or name",
    why: "The import leads to a file of the repository that does not exist, or to one that does not define the name. It fails \
          as soon as the file is loaded. The files are read in a checkout; files that git ignores may be generated and are not \
          reported.",
    fix: "Correct the path or the name, or add what is missing to this change.",
    references: &[],
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
 import json
+from .price import totals
^
 
 def show(cart):
     return json.dumps(cart)
path: shop/price.py (unchanged)
 def total(prices):
     return sum(prices)
path: shop/__init__.py (unchanged)
 
"#,
        r#"
path: shop/cart.py (whole file)
+from shop.prices import total
^
+
 def show(cart):
     return cart
path: shop/__init__.py (unchanged)
 
path: shop/price.py (unchanged)
 def total(prices):
     return sum(prices)
"#,
        r#"
path: src/cart.ts (whole file)
+import { totalOf, RATE } from './price';
^
+import { format } from './formats';
^
 
 export const show = (cart: Cart) => cart.name;
path: src/price.ts (unchanged)
 export const RATE = 2;
 export function total(prices: number[]) {
   return prices.length * RATE;
 }
"#,
        r#"
path: src/cart.js (whole file)
 const price = require('./price');
 
 module.exports.show = (cart) => {
+  return price.totl(cart.prices);
^
 };
path: src/price.js (unchanged)
 exports.total = (prices) => prices.length;
"#,
        r#"
path: app/main.py (whole file)
+import app.settings
+
+print(app.settings.DATABASE_URI)
^
path: app/__init__.py (unchanged)
 
path: app/settings.py (unchanged)
 DATABASE_URL = "sqlite://"
"#,
    ],
    negative: &[
        r#"
path: shop/cart.py (whole file)
 import json
+from .price import total
 
 def show(cart):
     return json.dumps(total(cart))
path: shop/price.py (unchanged)
 def total(prices):
     return sum(prices)
path: shop/__init__.py (unchanged)
 
"#,
        r#"
path: shop/cart.py (whole file)
+from .price import totals
+from . import tax
+from shop import price
+from shop_client import Client
+try:
+    from .speedups import total
+except ImportError:
+    total = sum
path: shop/price.py (unchanged)
 from .sums import *
path: shop/tax.py (unchanged)
 RATE = 2
path: shop/__init__.py (unchanged)
 
"#,
        r#"
path: src/cart.ts (whole file)
+import { total } from './price';
+import * as sums from './sums';
+import Button from './Button';
+import data from './data';
+import styles from './cart.css';
+import { api } from 'client';
 
+export const show = (cart: Cart) => sums.anything(cart);
path: src/price.ts (unchanged)
 export * from './sums';
path: src/sums.js (unchanged)
 Object.assign(module.exports, require('sums'));
path: src/Button.vue (unchanged)
 <template/>
path: src/data.json (unchanged)
 {}
"#,
        r#"
path: shop/cart.py (whole file)
+from shop.prices import total
+from shop.orders_pb2 import Order
+from shop.plugins.tax import rate
+
 def show(cart):
     return cart
path: shop/__init__.py (unchanged)
 
path: shop/prices.pyx (unchanged)
 def total(prices): pass
path: shop/plugins/README.py (unchanged)
 
"#,
        r#"
path: tools/main.py (whole file)
+from types import FunctionType
+import email.policy
+import logging
+
+logging.captureWarnings(True)
path: tools/logging.py (unchanged)
 level = 1
path: tools/types.py (unchanged)
 x = 1
path: tools/email/__init__.py (unchanged)
 
"#,
        r#"
path: src/show.js (whole file)
+import { total } from './price';
 show(total(cart));
path: src/price.js (unchanged)
 export function total(cart) {
   return cart.sum;
 }
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Import(import, found) = conflict else {
        return None;
    };
    let name = &import.name;
    match found {
        Import::NoFile(paths) => {
            let first = shown_path(paths.first()?);
            let module = &import.module;
            Some(Judgement::new(format!(
                "`{module}` leads to `{first}`, which does not exist"
            )))
        }
        Import::Of(path, offer) => {
            if offer.names.iter().any(|own| own.name == *name) {
                return None;
            }
            let similar = offer.similar.iter().find(|(wanted, _)| wanted == name);
            let hint = similar.map_or(String::new(), |(_, other)| format!(", but `{other}`"));
            let path = shown_path(path);
            Some(Judgement::new(format!("`{path}` has no `{name}`{hint}")))
        }
    }
}
