//! A key that added code reads, and that nothing in the repository defines.

use impact::{Conflict, Judgement, KeyKind, Subject};
use lint::{Check, Rule, Tests, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/unknown-key",
    languages: &[],
    title: "Key defined nowhere",
    why: "The line reads a translation, a resource, a configuration value, a setting or a route by a name that no file of the \
          repository defines, although the other names that the same call reads are defined. Users see the bare key, the code \
          gets no value, or it fails. The files are searched in a checkout. P2 for translations and configuration.",
    fix: "Add the definition, or correct the name.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Repository {
        about: Subject::Text,
        judge,
    },
    positive: &[
        r#"
path: reader/feed.go
 func read(body []byte) error {
+	if len(body) == 0 {
+		return locale.NewError(errEmpty, "error.empty_feed", errEmpty)
^
+	}
 	feed, err := parse(body)
 	if err != nil {
 		return locale.NewError(err, "error.broken_feed", err)
 	}
path: locale/translations/en_US.json (unchanged)
 {
   "error.broken_feed": "The feed is broken: %v.",
   "error.no_feed": "There is no feed."
 }
"#,
        r#"
path: src/Cart.vue
   <p>{{ $t('cart.full') }}</p>
+  <p>{{ $t('cart.nothing', { count }) }}</p>
^
path: src/locales/en.json (unchanged)
 { "cart": { "full": "Enough", "empty": "Nothing here" } }
"#,
        r#"
path: app/src/main/java/Cart.kt
 import com.shop.R as CartR
 val title = getString(CartR.string.cart_title)
+val error = getString(CartR.string.cart_error)
^
path: app/src/main/res/values/strings.xml (unchanged)
 <resources>
     <string name="cart_title">Cart</string>
 </resources>
"#,
        r#"
path: shop/cart.py
 from django.conf import settings
+limit = settings.CART_LIMIT
^
 url = settings.CART_URL
path: shop/settings/base.py (unchanged)
 CART_URL = "/cart"
 LIMIT_OF_CART = 3
"#,
        r#"
path: app/Cart.php
 <?php
 $url = config('shop.cart.url');
+$most = config('shop.cart.most');
^
path: config/shop.php (unchanged)
 <?php
 return ['cart' => ['url' => '/cart', 'limit' => 3]];
"#,
        r#"
path: shop/views.py
 def leave(request):
+    if request.user.is_new:
+        return redirect("shop:welcome")
^
     return redirect("shop:cart")
path: shop/urls.py (unchanged)
 urlpatterns = [path("cart/", views.cart, name="cart")]
"#,
    ],
    negative: &[
        r#"
path: src/Cart.vue
   <p>{{ $t('cart.full') }}</p>
+  <p>{{ $t('cart.items', { count }) }}</p>
+  <p>{{ $t('cart.nothing', 'Nothing here') }}</p>
+  <p>{{ track('cart.opened') }}</p>
path: src/locales/en.json (unchanged)
 { "cart": { "full": "Enough", "items_one": "one item", "items_other": "{n} items" } }
"#,
        r#"
path: src/Cart.vue
   <p>{{ $t('cart.full') }}</p>
+  <p>{{ $t('cart.nothing') }}</p>
path: src/locales/en.json
   "cart": {
+    "nothing": "Nothing here",
     "full": "Enough"
   }
path: src/locales/de.json (unchanged)
 { "cart": { "full": "Genug" } }
"#,
        r#"
path: app/src/main/java/Cart.kt
 val title = getString(R.string.cart_title)
+val error = getString(R.string.cart_error)
+val cancel = getString(android.R.string.cancel)
+val close = getString(R.string.abc_action_close)
path: app/src/main/res/values/strings.xml (unchanged)
 <resources>
     <string name="cart_title">Cart</string>
 </resources>
path: app/build.gradle (unchanged)
 resValue "string", "cart_error", "Broken"
"#,
        r#"
path: shop/cart.py
 from django.conf import settings
+limit = settings.CART_LIMIT
 url = settings.CART_URL
path: other/settings.py (unchanged)
 SHOP_URL = "/shop"
"#,
        r#"
path: shop/views.py
 def leave(request):
+    if request.user.is_new:
+        return redirect("shop:cart-summary")
+    if request.user.is_gone:
+        return redirect("login")
     return redirect("shop:cart")
path: shop/urls.py (unchanged)
 router = DefaultRouter()
 urlpatterns = [path("cart/", views.cart, name="cart")]
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::UnknownKey(own, sibling) = conflict else {
        return None;
    };
    let is_certain = !matches!(own.kind, KeyKind::Translation | KeyKind::Config);
    let (noun, key) = (own.kind.noun(), quote(&own.key));
    let summary = format!("Nothing in the repository defines the {noun} `{key}`.");
    let judgement = Judgement::new(summary).shown_at(&sibling.file_path, sibling.line_number);
    Some(judgement.certain(is_certain))
}
