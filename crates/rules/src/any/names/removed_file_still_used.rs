//! A file that the change deletes or renames, and that other files still refer to by its path.

use impact::{Conflict, Judgement, Lost, Subject, Use, shown_path};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-file-still-used",
    languages: &[],
    title: "Removed file still used in other files",
    why: "The change deletes or renames a file that other files of the repository still refer to by its old path: a template that \
          includes it, an import, a `require`. They fail as soon as they are built, loaded or rendered. The files are searched in a \
          checkout. A reference counts if it resolves to the old path as its language does, and no other file is there now.",
    fix: "Adapt the other files, or keep the file.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Repository {
        about: Subject::Text,
        judge,
    },
    positive: &[
        r#"
path: shop/views.py
-CART = get_template("shop/cart_table.html")
+CART = get_template("shop/table.html")
^
path: templates/shop/table.html (renamed from templates/shop/cart_table.html)
path: templates/shop/page.html (unchanged)
 <h1>Cart</h1>
 {% include "shop/cart_table.html" %}
"#,
        r#"
path: src/parts/CartTable.vue (removed)
-<template>
^
-  <table></table>
-</template>
path: src/pages/Cart.vue (unchanged)
 <script>
 import CartTable from '../parts/CartTable.vue';
 </script>
"#,
        r#"
path: src/cart/price.ts (renamed from src/lib/price.ts)
-import { rate } from './rate';
+import { rate } from '../lib/rate';
^
 export default rate;
path: src/pages/Cart.tsx (unchanged)
 import price from '@/lib/price';
 console.log(price);
"#,
        r#"
path: shop/prices.py (removed)
-def total(prices):
^
-    return sum(prices)
path: shop/cart.py (unchanged)
 from shop import prices
 print(prices.total([]))
"#,
        r#"
path: resources/views/shop/table.blade.php (removed)
-<table></table>
^
path: resources/views/cart.blade.php (unchanged)
 @include('shop.table')
"#,
    ],
    negative: &[
        r#"
path: shop/views.py
-CART = get_template("shop/cart_table.html")
+CART = get_template("shop/table.html")
path: templates/shop/table.html (renamed from templates/shop/cart_table.html)
path: templates/shop/page.html (unchanged)
 <h1>Cart</h1>
 {% include "shop/table.html" %}
path: templates/old/page.html (unchanged)
 {% include "old/cart_table.html" %}
"#,
        r#"
path: src/parts/CartTable.vue (removed)
-<template>
-  <table></table>
-</template>
path: src/pages/Cart.vue (unchanged)
 <script>
 // import CartTable from '../parts/CartTable.vue';
 import CartTable from './CartTable.vue';
 </script>
path: src/pages/CartTable.vue (unchanged)
 <template></template>
"#,
        r#"
path: src/lib/price.js (removed)
-export default 2;
path: src/lib/price.ts
+export default 2;
path: src/pages/Cart.ts (unchanged)
 import price from '../lib/price';
 console.log(price);
"#,
        r#"
path: shop/prices.py (removed)
-def total(prices):
-    return sum(prices)
path: shop/prices/__init__.py (unchanged)
 def total(prices):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop import prices
 print(prices.total([]))
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Lost(Lost::File { old, new }, uses) = conflict else {
        return None;
    };
    // The settings of a tool often name files to be left out.
    let is_setting = |used: &Use| {
        let name = used.path.rsplit('/').next().unwrap_or_default();
        name.starts_with('.') || is_list_of_exceptions(name)
    };
    let found = Judgement::of(uses.iter(), |count| {
        let old = shown_path(old);
        let left = if count == 1 {
            "reference is left"
        } else {
            "references are left"
        };
        match new {
            Some(new) => format!("`{old}` is now `{}`, but {count} {left}", shown_path(new)),
            None => format!("`{old}` is removed, but {count} {left}"),
        }
    });
    found.map(|found| found.certain(!uses.iter().all(is_setting)))
}

/// Whether data with this name lists files that a tool leaves out, or whose problems it already knows: `frontend__ignore.json`.
fn is_list_of_exceptions(name: &str) -> bool {
    const DATA: &[&str] = &[
        "json", "jsonc", "json5", "yml", "yaml", "toml", "xml", "neon", "ini",
    ];
    const WORDS: &[&str] = &[
        "ignore", "ignored", "ignores", "exclude", "excluded", "excludes", "exception",
        "exceptions", "baseline", "skip", "skipped", "allowlist", "whitelist", "todo",
    ];
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let lower = stem.to_ascii_lowercase();
    DATA.contains(&end)
        && lower
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| WORDS.contains(&word))
}
