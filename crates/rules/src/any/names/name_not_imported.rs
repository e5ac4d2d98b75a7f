//! A type of another package that a file uses without an import.

use impact::{Conflict, Judgement, NotImported, Subject, shown_path};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/name-not-imported",
    languages: &["Java", "Kotlin", "C#", "PHP", "Go"],
    title: "Name used without an import",
    why: "The name belongs to another package or namespace. The file neither imports nor defines it, and its own package does not have \
          it. Java, Kotlin, C# and Go do not compile the file; PHP fails when the line runs.",
    fix: "Import the name.",
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
path: src/main/java/shop/web/CartController.java (whole file)
 package shop.web;
 
-import shop.model.Cart;
^
 import shop.model.Item;
 
 class CartController extends BaseController {
     Cart cart(Item item) {
         return new Cart(item);
     }
 }
path: src/main/java/shop/model/Cart.java (unchanged)
 package shop.model;
 
 public class Cart {}
"#,
        r#"
path: src/main/java/shop/web/CartController.java (whole file)
 package shop.web;
 
 class CartController {
     void add() {
+        CartItem.of(1);
^
     }
 }
path: src/main/java/shop/model/CartItem.java (unchanged)
 package shop.model;
 
 public record CartItem(int id) {}
"#,
        r#"
path: src/Web/CartController.php (whole file)
 <?php
 namespace Shop\Web;
 
 use Shop\Model\User as Member;
 
 class CartController
 {
+    public function find(int $id): Member
+    {
+        return new User($id);
^
+    }
 }
path: src/Model/User.php (unchanged)
 <?php
 namespace Shop\Model;
 
 class User {}
"#,
        r#"
path: app/src/notes/ui/Screen.kt (whole file)
 package notes.ui
 
-import notes.data.Note as Data
+import notes.data.Other
 
 class Screen {
+    fun show(other: Other): Note {
^
+        return Note()
+    }
 }
path: app/src/notes/data/Note.kt (unchanged)
 package notes.data
 
 class Note
"#,
        r#"
path: server/service.go (whole file)
 package server
 
 import "context"
 
 func Share(ctx context.Context) error {
+	return store.CreateShare(ctx)
^
 }
path: server/server.go (unchanged)
 package server
 
 func Run() { s.store.Run() }
path: store/store.go (unchanged)
 package store
 
 import "context"
 
 func CreateShare(ctx context.Context) error {
 	return nil
 }
"#,
        r#"
path: src/Web/CartController.cs (whole file)
 using Shop.Models;
-using Shop.Services;
^
 
 namespace Shop.Web;
 
 public class CartController : ControllerBase
 {
     private readonly ICartService _carts;
 
     public Cart Get(int id) => _carts.Get(id);
 }
path: src/Services/ICartService.cs (unchanged)
 namespace Shop.Services;
 
 public interface ICartService {}
"#,
        r#"
path: src/Web/Report.cs (whole file)
 using System;
-using System.Text;
^
 
 namespace Shop.Web;
 
 public class Report
 {
     public string All() => new StringBuilder().ToString();
 }
path: src/Web/Shop.csproj (unchanged)
 <Project Sdk="Microsoft.NET.Sdk">
   <ImplicitUsings>enable</ImplicitUsings>
 </Project>
"#,
    ],
    negative: &[
        // The same package, a nested type, a type parameter, an inherited type, and one that the language gives.
        r#"
path: src/main/java/shop/web/CartController.java (whole file)
 package shop.web;
 
-import shop.model.Cart;
 import shop.model.Item;
 
 class CartController<Price> extends Base {
     Cart cart(Item item, Price price, Entry entry, Module module) {
+        CartRow row = Outer.Row.of(item);
+        shop.model.Total total = Total(row);
         return new Cart(item);
     }
     static class CartRow {}
 }
path: src/main/java/shop/web/Cart.java
+package shop.web;
+
+public class Cart {}
path: src/main/java/shop/model/Price.java (unchanged)
 package shop.model;
 
 public class Price {}
path: src/main/java/shop/model/CartRow.java (unchanged)
 package shop.model;
 
 public class CartRow {}
path: src/main/java/shop/model/Total.java (unchanged)
 package shop.model;
 
 public class Total {}
"#,
        r#"
path: src/main/java/shop/web/CartController.java (whole file)
 package shop.web;
 
 import shop.library.*;
 
 class CartController {
+    CartItem first;
 }
path: src/main/java/shop/model/CartItem.java (unchanged)
 package shop.model;
 
 public class CartItem {}
"#,
        r#"
path: src/test/java/shop/web/CartTest.java (whole file)
 package shop.web;
 
 class CartTest extends Base {
+    CartItem first;
+    Entry entry;
 }
path: src/main/java/shop/web/Helpers.java (unchanged)
 package shop.web;
 
 class Helpers {}
 
 class CartItem {}
path: src/main/java/shop/model/CartItem.java (unchanged)
 package shop.model;
 
 public class CartItem {}
path: src/main/java/shop/model/Entry.java (unchanged)
 package shop.model;
 
 public class Entry {}
"#,
        r#"
path: src/Web/CartController.php (whole file)
 <?php
 namespace Shop\Web;
 
 use Shop\Model\{User, Order as Bought};
-use Shop\Web\Cart;
 
 class CartController
 {
+    public function find(user $one, Bought $two, self $me): Cart
+    {
+        return new Cart(User::NONE, \Shop\Model\Row::first());
+    }
 }
path: src/Web/Cart.php (unchanged)
 <?php
 namespace Shop\Web;
 
 class Cart {}
path: src/Model/User.php (unchanged)
 <?php
 namespace Shop\Model;
 
 class User {}
path: src/Model/Row.php (unchanged)
 <?php
 namespace Shop\Model;
 
 class Row {}
"#,
        r#"
path: app/src/notes/ui/Screen.kt (whole file)
 package notes.ui
 
 import notes.data.Note as Data
 
 class Screen<Row>(val rows: List<Row>) : Base() {
+    fun show(data: Data): Result<Row> = Card { Text(data) }
+    enum class Kind { Filled; companion object { val None = Filled } }
 }
path: app/src/notes/ui/Widgets.kt (unchanged)
 package notes.ui
 
 fun Card(content: () -> Unit) {}
path: app/src/notes/data/Card.kt (unchanged)
 package notes.data
 
 class Card
path: app/src/notes/data/Result.kt (unchanged)
 package notes.data
 
 class Result
path: app/src/notes/data/Row.kt (unchanged)
 package notes.data
 
 class Row
"#,
        r#"
path: server/service.go (whole file)
 package server
 
 import other "example.com/notes/store"
 
 func Share(cache *Cache) error {
+	users := other.Users()
+	cache.Clear()
+	users.All()
+	return store.CreateShare()
 }
path: server/server.go (unchanged)
 package server
 
 var store = NewStore()
path: store/store.go (unchanged)
 package store
 
 func CreateShare() error {
 	return nil
 }
path: cache/cache.go (unchanged)
 package cache
 
 func Clear() {}
path: users/users.go (unchanged)
 package users
 
 func All() {}
"#,
        r#"
path: src/Web/CartController.cs (whole file)
-using System.Text;
-using Shop.Services;
-using Shop.Data;
 using Shop.Models;
 
 namespace Shop.Web;
 
 public partial class CartController<TItem> : ControllerBase
 {
     private readonly ICartService _carts;
     private StringBuilder text;
     private ICartStore store;
 
     public Cart Get(int id) => _carts.Get(id);
+    public TItem First(Total total) => default;
 }
path: src/Web/GlobalUsings.cs (unchanged)
 global using Shop.Services;
 global using System.Text;
path: src/Web/Shop.Web.csproj (unchanged)
 <Project><ItemGroup><Using Include="Shop.Data" /></ItemGroup></Project>
path: src/Services/ICartService.cs (unchanged)
 namespace Shop.Services;
 
 public interface ICartService {}
path: src/Data/ICartStore.cs (unchanged)
 namespace Shop.Data;
 
 public interface ICartStore {}
path: src/Total.cs (unchanged)
 namespace Shop;
 
 public class Total {}
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::NotImported(own) = conflict else {
        return None;
    };
    let NotImported {
        name,
        line,
        home,
        package,
        ..
    } = own;
    let summary = match (own.is_lost, own.is_added) {
        (true, true) => format!("`{name}` is not imported: the change removes the import."),
        (true, false) => {
            format!("The change removes the import of `{name}`, which line {line} still uses.")
        }
        (false, _) if own.defined.is_none() => {
            format!(
                "`{name}` is not imported: it belongs to `{}`.",
                shown_path(home)
            )
        }
        (false, _) => format!(
            "`{name}` is not imported: it belongs to `{home}`, and this file to `{package}`."
        ),
    };
    let judgement = Judgement::new(summary);
    Some(match own.defined {
        Some((path, line)) => judgement.shown_at(path, line),
        None => judgement,
    })
}
