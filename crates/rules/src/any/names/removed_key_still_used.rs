//! A key that the change removes where it is defined, and that other files still read.

use impact::{Conflict, Judgement, KeyKind, Lost, Subject};
use lint::{Check, Rule, Tests, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-key-still-used",
    languages: &[],
    title: "Removed key still used in other files",
    why: "The change removes or renames a name that is a string: an event, a translation, a resource, a setting, a route or its path, an \
          environment variable, a column of a database, or a key that a template, a script or a configuration file uses. Other files \
          of the repository still use it, and nothing else defines it, so they get no value or fail. The files are searched in a checkout. P2 if a read does not certainly fail.",
    fix: "Adapt the other files, or keep the old key.",
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
path: db/migrate/20260101_drop_reset.rb
+class DropReset < ActiveRecord::Migration[7.1]
+  def change
+    remove_column :users, :reset_sent_at, :datetime
^
+  end
+end
path: app/models/user.rb (unchanged)
 class User < ApplicationRecord
   def reset_expired?
     self.reset_sent_at < 1.hour.ago
   end
 end
"#,
        r#"
path: migrations/7_sort.up.sql
+ALTER TABLE users RENAME COLUMN sort TO sort_order;
^
path: storage/user.go (unchanged)
 package storage
 const query = `
   SELECT u.id, u.sort
   FROM users u
   WHERE u.id = $1`
path: migrations/1_create.up.sql (unchanged)
 CREATE TABLE users (
   id int,
   sort text
 );
 CREATE TABLE feeds (
   id int,
   sort text
 );
"#,
        r#"
path: config/routes.rb (whole file)
 Rails.application.routes.draw do
   post "/login/reset" => "login#reset",
-    :as => "reset_password"
+    :as => "request_reset"
^
 end
path: app/views/login/forgot.html.erb (unchanged)
 <%= form_tag reset_password_path do %>
 <% end %>
"#,
        r#"
path: config/koel.php (whole file)
 <?php
 return [
     'streaming' => [
-        'aac_fast' => true,
+        'fast_aac' => true,
^
     ],
 ];
path: app/Transcoder.php (unchanged)
 <?php
 class Transcoder
 {
     public function __construct(#[Config('koel.streaming.aac_fast')] private readonly bool $fast)
     {
     }
 }
"#,
        r#"
path: server/cart.js
-socket.on("getCartItems", async (callback) => {
+socket.on("getItemsOfCart", async (callback) => {
^
   callback(await items());
 });
path: src/Cart.vue (unchanged)
 <script>
 socket.emit("getCartItems", (items) => show(items));
 </script>
"#,
        r#"
path: config/shop.php (whole file)
 <?php
 return [
     'cart' => [
-        'max_items' => env('MAX_ITEMS', 10),
+        'item_limit' => env('MAX_ITEMS', 10),
^
     ],
 ];
path: app/Cart.php (unchanged)
 <?php
 $most = config('shop.cart.max_items');
"#,
        r#"
path: src/lang/en.json (whole file)
 {
   "cart": {
-    "empty": "Nothing here",
^
     "full": "Enough"
   }
 }
path: src/lang/de.json (unchanged)
 { "cart": { "empty": "Nichts", "full": "Genug" } }
path: src/Cart.vue (unchanged)
 <p>{{ $t('cart.empty') }}</p>
"#,
        r#"
path: app/src/main/res/values/strings.xml
 <resources>
-    <string name="cart_title">Cart</string>
+    <string name="title_of_cart">Cart</string>
^
 </resources>
path: app/src/main/java/Cart.kt (unchanged)
 val title = getString(R.string.cart_title)
"#,
        r#"
path: shop/urls.py
 urlpatterns = [
-    path("cart/", views.cart, name="show-cart"),
^
     path("", views.home, name="home"),
 ]
path: templates/page.html (unchanged)
 <a href="{% url 'show-cart' %}">Cart</a>
"#,
        r#"
path: shop/settings.py
-CART_LIMIT = 10
+MOST_IN_CART = 10
^
path: shop/cart.py (unchanged)
 from django.conf import settings
 most = settings.CART_LIMIT
"#,
        r#"
path: routes/web.php
-Route::get('/login', [LoginController::class, 'create'])->name('login');
+Route::get('/login', [LoginController::class, 'create'])->name('signin');
^
path: app/Http/Middleware/Authenticate.php (unchanged)
 <?php
 class Authenticate extends Middleware
 {
     protected function redirectTo($request) { return route('login'); }
 }
"#,
        r#"
path: config/routes.rb
 Rails.application.routes.draw do
-  get "cart", to: "cart#show", as: :basket
+  get "cart", to: "cart#show", as: :cart
^
 end
path: app/views/page.html.erb (unchanged)
 <%= link_to "Cart", basket_path %>
"#,
        r#"
path: docker-compose.yml
 services:
   web:
     environment:
-      CART_URL: http://cart
+      CART_ADDRESS: http://cart
^
path: web/cart.py (unchanged)
 import os
 url = os.environ["CART_URL"]
"#,
        r#"
path: internal/api/api.go (whole file)
 package api
 func Serve(router *mux.Router, h *handler) {
   sr := router.PathPrefix("/v1").Subrouter()
-  sr.HandleFunc("/feeds/{feedID}/mark-all-as-read", h.markFeedAsRead).Methods(http.MethodPut)
+  sr.HandleFunc("/feeds/{feedID}/mark-as-read", h.markFeedAsRead).Methods(http.MethodPut)
^
 }
path: client/client.go (unchanged)
 package client
 func (c *Client) MarkFeedAsRead(feedID int64) error {
   _, err := c.request.Put(fmt.Sprintf("/v1/feeds/%d/mark-all-as-read", feedID), nil)
   return err
 }
"#,
        r#"
path: server/routes/documents.ts (whole file)
 const router = new Router();
-router.post("documents.unpublish", auth(), async (ctx) => {
^
-  await unpublish(ctx.input.body.id);
-});
 router.post("documents.archive", auth(), async (ctx) => {
   await archive(ctx.input.body.id);
 });
path: app/stores/DocumentsStore.ts (unchanged)
 class DocumentsStore {
   unpublish = async (document: Document) => {
     await client.post("/documents.unpublish", { id: document.id });
   };
 }
"#,
        r#"
path: src/server.rs (whole file)
 fn data(&self) -> Data {
     Data {
         paths: self.paths,
-        allow_search: self.args.allow_search,
+        can_search: self.args.allow_search,
^
     }
 }
path: assets/index.js (unchanged)
 if (DATA.allow_search) {
   setupSearch();
 }
"#,
        r#"
path: shop/views.py (whole file)
 def timeline(request):
     context = {}
-    context["date_previous"] = day - timedelta(days=1)
+    context["date_before"] = day - timedelta(days=count)
^
     return render(request, "timeline.html", context)
path: shop/templates/timeline.html (unchanged)
 {% if date_previous %}<a href="?date={{ date_previous }}">Back</a>{% endif %}
"#,
        r#"
path: src/main/resources/application.properties (whole file)
-task.metrics.update.cadence=1
+task.metrics.refresh.cadence=1
^
path: src/main/java/ConfigKeys.java (unchanged)
 enum ConfigKeys {
   TASK_METRICS_CADENCE("task.metrics.update.cadence");
 }
"#,
        r#"
path: src/mailserver.js (whole file)
 function save(mail) {
-  emitter.emit('newMail', mail)
+  emitter.emit('mailReceived', mail)
^
 }
path: app/scripts/socket.js (unchanged)
 socket.addEventListener('newMail', show)
"#,
    ],
    negative: &[
        r#"
path: src/window.cpp (whole file)
 void Window::setUp()
 {
-    button->setIcon(icons()->icon("document-edit"));
+    button->setIcon(icons()->icon("database-settings"));
 }
path: src/entry.cpp (unchanged)
 void Entry::setUp()
 {
     page->setIcon(icons()->icon("document-edit"));
 }
"#,
        r#"
path: server/api.ts (whole file)
 import { Paths } from "./paths";
 const router = new Router();
-router.get("/dns/private-reverse", reverse);
+router.get(Paths.PrivateReverse, reverse);
path: server/paths.ts (unchanged)
 export const Paths = {
   PrivateReverse: pathBuilder("dns/private-reverse"),
 };
"#,
        r#"
path: src/server.rs (whole file)
 fn data(&self) -> Value {
     json!({
-        "allow_search": self.args.search,
+        "can_search": self.args.search,
     })
 }
path: assets/index.js (unchanged)
 if (DATA.can_search || DATA.allow_search) {
   setupSearch();
 }
"#,
        r#"
path: src/locales/en.json (whole file)
 {
-  "device-not-there": "Not there",
+  "device-not-known": "Not known"
 }
path: src/other/keys.json (unchanged)
 { "device-not-there": "Not there" }
path: src/device.cs (unchanged)
 var text = Translate("device-not-there");
"#,
        r#"
path: src/users.py (whole file)
 def rename(user):
-    user_name = user.name
+    login_name = user.name
     return {
         "ok": True,
     }
path: web/users.js (unchanged)
 const name = data.user_name;
"#,
        r#"
path: migrations/versions/65fc_add_is_draft.py (whole file)
 def upgrade():
-    op.add_column('queries', sa.Column('is_draft', sa.Boolean))
+    op.add_column("queries", sa.Column("is_draft", sa.Boolean))
 
 
 def downgrade():
-    op.drop_column('queries', 'is_draft')
+    op.drop_column("queries", "is_draft")
path: shop/models.py (unchanged)
 def drafts(queries):
     return queries.filter(queries.c.is_draft)
"#,
        r#"
path: server/auth/email.ts (whole file)
 const router = new Router();
-router.get("email.callback", signIn);
-router.post("email.callback", signIn);
+router.register("email.callback", ["get", "post"], signIn);
path: app/Login.tsx (unchanged)
 const form = <form method="POST" action="/auth/email.callback" />;
"#,
        r#"
path: internal/api/api.go (whole file)
 package api
 func Serve(router *mux.Router, h *handler) {
-  router.HandleFunc("/v1/feeds/{feedID}/mark-all-as-read", h.markFeedAsRead)
+  sr := router.PathPrefix("/v1").Subrouter()
+  sr.HandleFunc("/feeds/{id}/mark-all-as-read", h.markFeedAsRead)
 }
path: client/client.go (unchanged)
 package client
 func (c *Client) MarkFeedAsRead(feedID int64) error {
   _, err := c.request.Put(fmt.Sprintf("/v1/feeds/%d/mark-all-as-read", feedID), nil)
   return err
 }
"#,
        r#"
path: app/api/comments.py (whole file)
 router = APIRouter()
-@router.get("/articles/{slug}/comments")
+@router.get("")
 async def list_comments(slug: str):
     return await comments_of(slug)
path: app/api/__init__.py
 router = APIRouter()
-router.include_router(comments.router)
+router.include_router(comments.router, prefix="/articles/{slug}/comments")
path: web/src/api.ts (unchanged)
 export const comments = (slug: string) => axios.get(`/articles/${slug}/comments`);
"#,
        r#"
path: routes/auth.php
 use Illuminate\Support\Facades\Route;
-Route::get('/login', [LoginController::class, 'create'])->name('login');
-Route::get('/forgot-password', [PasswordController::class, 'create'])->name('password.request');
path: app/Http/Middleware/Authenticate.php (unchanged)
 <?php
 class Authenticate extends Middleware
 {
     protected function redirectTo($request) { return route('login'); }
 }
path: resources/js/Login.vue (unchanged)
 <a :href="route('password.request')" @click="axios.post('/forgot-password')">Forgotten?</a>
"#,
        r#"
path: server/routes/documents.ts (whole file)
 const router = new Router();
-router.post("documents.unpublish", auth(), async (ctx) => {
-  await unpublish(ctx.input.body.id);
-});
 router.post("documents.archive", auth(), async (ctx) => {
   await archive(ctx.input.body.id);
 });
path: server/routes/drafts.ts (unchanged)
 const router = new Router();
 router.post("documents.unpublish", auth(), drafts);
path: app/stores/DocumentsStore.ts (unchanged)
 client.post("/documents.unpublish", { id: document.id });
path: app/permissions.ts (unchanged)
 const permissions = ["documents.unpublish"];
"#,
        r#"
path: db/migrate/20260101_drop_reset.rb
+class DropReset < ActiveRecord::Migration[7.1]
+  def change
+    remove_column :users, :reset_sent_at, :datetime
+  end
+end
path: app/models/order.rb (unchanged)
 class Order < ApplicationRecord
   def sent?
     reset_sent_at.present? && self.reset_sent_at < Time.now
   end
 end
path: app/models/user.rb (unchanged)
 class User < ApplicationRecord
   attribute :reset_sent_at, :datetime
   def sent?
     self.reset_sent_at.present?
   end
 end
"#,
        r#"
path: migrations/7_sort.up.sql
+ALTER TABLE users DROP COLUMN sort;
path: storage/feed.go (unchanged)
 package storage
 const query = `SELECT id, sort FROM feeds`
 const other = `SELECT u.id, f.sort FROM users u JOIN feeds f ON f.user_id = u.id`
"#,
        r#"
path: server/cart.js
-socket.on("getCartItems", async (callback) => {
+socket.on("getItemsOfCart", async (callback) => {
   callback(await items());
 });
path: src/Cart.vue (unchanged)
 <script>
 socket.emit("getItemsOfCart", (items) => show(items));
 show("getCartItems");
 </script>
"#,
        r#"
path: config/shop.php (whole file)
 <?php
 return [
     'cart' => [
-        'max_items' => env('MAX_ITEMS', 10),
+        'item_limit' => env('MAX_ITEMS', 10),
     ],
 ];
path: app/Cart.php (unchanged)
 <?php
 $most = config('shop.cart.item_limit');
 $other = config('cart.max_items');
"#,
        r#"
path: src/lang/en.json (whole file)
 {
-  "cart.items": "{n} items",
+  "cart.items_one": "{n} item",
+  "cart.items_other": "{n} items",
   "full": "Enough"
 }
path: src/Cart.tsx (unchanged)
 const text = t('cart.items', { count });
"#,
        r#"
path: shop/urls.py
 urlpatterns = [
-    path("cart/", views.cart, name="show-cart"),
 ]
path: cart/urls.py (unchanged)
 urlpatterns = [path("", views.cart, name="show-cart")]
path: templates/page.html (unchanged)
 <a href="{% url 'show-cart' %}">Cart</a>
"#,
        r#"
path: docker-compose.yml
 services:
   web:
     environment:
-      CART_URL: http://cart
       SHOP_URL: http://shop
path: web/cart.js (unchanged)
 const url = process.env.CART_URL || 'http://localhost';
path: Dockerfile.example (unchanged)
 ENV SHOP_URL=http://shop
"#,
        r#"
path: src/Host/Program.cs
 var web = builder.AddProject<Web>("web")
-    .WithEnvironment("CartUrl", cart);
+    .WithEnvironment("CartURL", cart);
path: src/Web/Start.cs (unchanged)
 var url = Environment.GetEnvironmentVariable("CartUrl");
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Lost(Lost::Key(lost), uses) = conflict else {
        return None;
    };
    let key = quote(&lost.key);
    // The value of a variable may come from anywhere, and a package may have the namespace.
    // A missing translation shows its key.
    let is_open = matches!(
        lost.kind,
        KeyKind::Variable | KeyKind::Namespace | KeyKind::Translation | KeyKind::Text
    );
    let found = Judgement::of(uses.iter(), |count| {
        if let Some(renaming) = &lost.renaming {
            let uses = if count == 1 { "use" } else { "uses" };
            let left = if count == 1 { "is" } else { "are" };
            return format!(
                "`{key}` is now `{}`, but {count} {uses} of the old name {left} left",
                quote(&renaming.new)
            );
        }
        let uses = match (lost.kind, count) {
            (KeyKind::Handler, 1) => "place still sends it",
            (KeyKind::Handler, _) => "places still send it",
            (KeyKind::Emission, 1) => "handler still waits for it",
            (KeyKind::Emission, _) => "handlers still wait for it",
            (_, 1) => "use is left",
            _ => "uses are left",
        };
        format!(
            "The {} `{key}` is removed, but {count} {uses}",
            lost.kind.noun()
        )
    });
    let is_old = lost.kind == KeyKind::Column && uses.iter().all(|one| is_upgrade(&one.path));
    found.map(|found| found.certain(!is_open && !is_old))
}

/// Whether code brings the data of an earlier version to the next one, by its folder: `upgrader/v320`. It runs before the change.
fn is_upgrade(path: &str) -> bool {
    const FOLDERS: &[&str] = &["upgrade", "upgrades", "upgrader", "migration", "migrations"];
    let mut folders = path.rsplit('/').skip(1);
    folders.any(|folder| FOLDERS.contains(&folder.to_ascii_lowercase().as_str()))
}
