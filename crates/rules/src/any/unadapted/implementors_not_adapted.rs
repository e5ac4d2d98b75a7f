//! A type that requires another method, and classes in other files of the repository that lack it.

use impact::{Cause, Conflict, Implementor, Judgement, Signature, Subject, Use};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/implementors-not-adapted",
    languages: &["Python", "Java", "Kotlin", "C#", "PHP", "Rust"],
    title: "Implementing classes in other files not adapted",
    why: "The change adds a method without a body to an interface, an abstract class or a trait, or changes the number of its \
          parameters. Classes in other files of the repository still implement the type without it. They no longer compile or, \
          in PHP and Python, fail when they are loaded or created. The files are searched in a checkout. Classes with another \
          base class, which may have the method, do not count.",
    fix: "Adapt the classes, or add a default implementation of the method.",
    references: &[],
    priority: Priority::P1,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Repository {
        about: Subject::Code,
        judge,
    },
    positive: &[
        r#"
path: src/shop/Catalog.java (whole file)
 package shop;
 
 public interface Catalog {
     Item find(String id);
+
+    Item findByName(String name);
^
 }
path: src/shop/DatabaseCatalog.java (unchanged)
 package shop;
 
 public class DatabaseCatalog implements Catalog {
     @Override
     public Item find(String id) {
         return database.find(id);
     }
 }
"#,
        r#"
path: app/Resolvers/Resolver.php (whole file)
 <?php
 namespace App\Resolvers;
 interface Resolver
 {
-    public function resolve(string $link): ?string;
+    public function resolve(string $link, int $depth): ?string;
^
 }
path: app/Books/BookResolver.php (unchanged)
 <?php
 namespace App\Books;
 use App\Resolvers\Resolver;
 class BookResolver implements Resolver
 {
     public function resolve(string $link): ?string
     {
         return $this->books->named($link);
     }
 }
"#,
        r#"
path: src/store.rs (whole file)
 pub trait Store {
     fn read(&self, key: &str) -> Option<String>;
+    fn remove(&self, key: &str) -> bool;
^
 }
path: src/memory.rs (unchanged)
 use crate::store::Store;
 
 impl Store for Memory {
     fn read(&self, key: &str) -> Option<String> {
         self.map.get(key).cloned()
     }
 }
"#,
        r#"
path: app/channels.py (whole file)
 from abc import ABC, abstractmethod
 
 class Channel(ABC):
     @abstractmethod
     def send(self, text):
         ...
+
+    @abstractmethod
+    def close(self):
^
+        ...
path: app/mail.py (unchanged)
 from app.channels import Channel
 
 class Mail(Channel):
     def send(self, text):
         post(text)
"#,
        r#"
path: shop/Catalog.kt (whole file)
 package shop

 interface Catalog {
     fun find(id: String): Item
+    fun findByName(name: String): Item
^
 }
path: shop/DatabaseCatalog.kt (unchanged)
 package shop

 class DatabaseCatalog : Catalog {
     override fun find(id: String): Item = database.find(id)
 }
"#,
        r#"
path: Shop/ICatalog.cs (whole file)
 namespace Shop;

 public interface ICatalog
 {
     Item Find(string id);
+    Item FindByName(string name);
^
 }
path: Shop/DatabaseCatalog.cs (unchanged)
 namespace Shop;

 public class DatabaseCatalog : ICatalog
 {
     public Item Find(string id)
     {
         return database.Find(id);
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/shop/Catalog.java (whole file)
 package shop;
 
 public interface Catalog {
     Item find(String id);
+
+    default Item findByName(String name) {
+        return null;
+    }
 }
path: src/shop/DatabaseCatalog.java (unchanged)
 package shop;
 
 public class DatabaseCatalog implements Catalog {
     @Override
     public Item find(String id) {
         return database.find(id);
     }
 }
"#,
        r#"
path: src/shop/Catalog.java (whole file)
 package shop;
 
 public interface Catalog {
     Item find(String id);
+
+    Item findByName(String name);
 }
path: src/shop/DatabaseCatalog.java (unchanged)
 package shop;
 
 public class DatabaseCatalog extends BaseCatalog implements Catalog {
     @Override
     public Item find(String id) {
         return database.find(id);
     }
 }
path: src/shop/MemoryCatalog.java (unchanged)
 package shop;
 
 public class MemoryCatalog implements Catalog {
     public Item find(String id) {
         return items.get(id);
     }
     public Item findByName(String name) {
         return names.get(name);
     }
 }
path: src/shop/Broken.java (unchanged)
 package shop;
 
 public abstract class Broken implements Catalog {
     public Item find(String id) {
         throw new IllegalStateException();
     }
 }
path: src/other/Database.java (unchanged)
 package other;
 
 public class Database implements Catalog {
     public Item find(String id) {
         return null;
     }
 }
"#,
        r#"
path: shop/catalog.py (whole file)
 from abc import ABC, abstractmethod

 class Catalog(ABC):
     @abstractmethod
     def find(self, key): ...

+    def first(self):
+        return self.find(0)
path: shop/database.py (unchanged)
 from shop.catalog import Catalog

 class DatabaseCatalog(Catalog):
     def find(self, key):
         return self.rows[key]
"#,
        r#"
path: shop/Catalog.kt (whole file)
 package shop

 interface Catalog {
     fun find(id: String): Item
+    fun first(): Item = find("1")
 }
path: shop/DatabaseCatalog.kt (unchanged)
 package shop

 class DatabaseCatalog : Catalog {
     override fun find(id: String): Item = database.find(id)
 }
"#,
        r#"
path: Shop/ICatalog.cs (whole file)
 namespace Shop;

 public interface ICatalog
 {
     Item Find(string id);
+    Item First() => Find("1");
 }
path: Shop/DatabaseCatalog.cs (unchanged)
 namespace Shop;

 public class DatabaseCatalog : ICatalog
 {
     public Item Find(string id)
     {
         return database.Find(id);
     }
 }
"#,
        r#"
path: app/Resolvers/Resolver.php (whole file)
 <?php
 namespace App\Resolvers;
 interface Resolver
 {
-    public function resolve(string $link): ?string;
+    public function resolve(string $address): ?string;
 }
path: app/Books/BookResolver.php (unchanged)
 <?php
 namespace App\Books;
 use App\Resolvers\Resolver;
 class BookResolver implements Resolver
 {
     public function resolve(string $link): ?string
     {
         return $this->books->named($link);
     }
 }
"#,
        r#"
path: src/catalog.rs (whole file)
 pub trait Catalog {
     fn find(&self, id: u32) -> Item;
+    fn first(&self) -> Item {
+        self.find(1)
+    }
 }
path: src/database.rs (unchanged)
 use crate::catalog::Catalog;

 impl Catalog for Database {
     fn find(&self, id: u32) -> Item {
         self.rows[id]
     }
 }
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Broken(broken, uses) = conflict else {
        return None;
    };
    let Cause::Requires {
        method,
        signature,
        is_changed,
    } = &broken.cause
    else {
        return None;
    };
    let fails = |used: &&Use| {
        let class = used.implementor.as_ref();
        class.is_some_and(|class| lacks(class, method, signature))
    };
    let requires = if *is_changed {
        "requires other parameters of"
    } else {
        "now requires"
    };
    Judgement::of(uses.iter().filter(fails), |count| {
        let left = if count == 1 {
            "class is not adapted"
        } else {
            "classes are not adapted"
        };
        format!(
            "`{}` {requires} `{method}`, but {count} {left}",
            broken.name
        )
    })
}

/// Whether a class certainly lacks a method with this signature.
fn lacks(class: &Implementor, method: &str, signature: &Signature) -> bool {
    let mut own = class
        .methods
        .iter()
        .filter(|own| own.name == method)
        .peekable();
    if own.peek().is_none() {
        return !class.has_other_bases;
    }
    let fits = |known: &Signature| {
        let most = signature.max_args.unwrap_or(u8::MAX);
        known.min_args <= most && known.max_args.is_none_or(|own| own >= most)
    };
    own.all(|own| own.signature.as_ref().is_some_and(|known| !fits(known)))
}
