//! A function with changed parameters, and calls in other files of the repository that it no longer accepts.

use std::collections::BTreeSet;

use impact::{Cause, Conflict, Judgement, Passing, Signature, Subject, Use, counted_calls};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/signature-callers-not-adapted",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "C#", "Go", "PHP", "Ruby",
        "Rust", "C", "C++",
    ],
    title: "Callers in other files not adapted",
    why: "The change alters the parameters or the result of a function, and other files of the repository still use it the old way. These \
          calls fail, or an argument ends up in the wrong parameter. The files are searched in a checkout. A call counts if \
          its import leads to the changed file, or if the file names the package or the type that the function belongs to; \
          P2 if the name is the only evidence.",
    fix: "Adapt the calls, or keep the old signature working: a default value, an overload.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Repository {
        about: Subject::Code,
        judge,
    },
    positive: &[
        r#"
path: shop/price.py (whole file)
 async def price_of(item):
     if item is None:
         return None
-    return item.price, item.currency
+    return item.price, item.currency, item.tax
^
path: shop/cart.py (unchanged)
 from shop.price import price_of

 async def total(cart):
     price, currency = await price_of(cart.item)
     return price
"#,
        r#"
path: shop/price.py (whole file)
 class Prices:
     def price_with_currency(self, item):
-        return (item.price, item.currency)
+        return item.price, item.currency, item.tax
^
path: shop/cart.py (unchanged)
 from shop.price import Prices

 def total(cart):
     prices = Prices()
     price, currency = prices.price_with_currency(cart.item)
     return price
"#,
        r#"
path: storage/category.go (whole file)
 package storage
 
-func (s *Storage) RemoveCategory(userID, categoryID int64) error {
+func (s *Storage) RemoveCategory(categoryID, userID int64) error {
^
 	return s.remove(categoryID, userID)
 }
path: ui/category.go (unchanged)
 package ui
 
 import "example.com/app/storage"
 
 func remove(s *storage.Storage, user, category int64) error {
 	return s.RemoveCategory(user, category)
 }
"#,
        r#"
path: src/Contributors/ContributorDto.cs (whole file)
 namespace Shop.Contributors;
-public record ContributorDto(int Id, string Name);
+public record ContributorDto(int Id, string Name, Status Status);
^
path: src/Fakes/FakeQuery.cs (unchanged)
 using Shop.Contributors;
 
 namespace Shop.Fakes;
 
 public class FakeQuery
 {
     public ContributorDto First() => new ContributorDto(1, "a");
 }
"#,
        r#"
path: src/org/app/Mailer.java (whole file)
 package org.app;
 public class Mailer {
-    public Mailer(Queue queue) {
+    public Mailer(Queue queue, Clock clock) {
^
         this.queue = queue;
     }
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Mailer;
 class Page {
     Mailer make(Queue queue) {
         return new Mailer(queue);
     }
 }
"#,
        r#"
path: app/src/Note.kt (whole file)
 package app.data
 
-data class Note(val id: Int, val text: String)
+data class Note(val id: Int, val text: String, val owner: Int)
^
path: app/src/Screen.kt (unchanged)
 package app.ui
 
 import app.data.Note
 
 fun empty() = Note(0, "")
"#,
        r#"
path: app/Mail/Mailer.php (whole file)
 <?php
 namespace App\Mail;
 
 class Mailer
 {
-    public function __construct(private Queue $queue)
+    public function __construct(private Queue $queue, private Clock $clock)
^
     {
     }
 }
path: app/Page.php (unchanged)
 <?php
 namespace App;
 
 use App\Mail\Mailer;
 
 class Page
 {
     public function mailer(Queue $queue): Mailer
     {
         return new Mailer($queue);
     }
 }
"#,
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
        r#"
path: src/org/app/Files.java (whole file)
 package org.app;
 public class Files {
-    public static void zip(Path from, Path to) {
+    public static void zip(Path from, Path to, Filter filter) {
^
         write(from, to);
     }
 }
path: src/org/app/Backup.java (unchanged)
 package org.app;
 class Backup {
     void run(Path from, Path to) {
         Files.zip(from, to);
     }
 }
"#,
        r#"
path: articles/models.go (whole file)
 package articles
 
-func FindMany(tag, author string) []Article {
+func FindMany(tag, author, order string) []Article {
^
 	return load(tag, author)
 }
path: articles/routers.go (unchanged)
 package articles
 
 func list(c *Context) {
 	c.JSON(FindMany(c.Query("tag"), c.Query("author")))
 }
"#,
        r#"
path: app/articles.py (whole file)
 class ArticleStore:
-    def by_slug(self, slug, user=None):
+    def by_slug(self, slug, viewer=None):
^
         return self.load(slug)
path: app/pages.py (unchanged)
 from app.articles import ArticleStore
 
 def show(store: ArticleStore, user):
     return store.by_slug('a', user=user)
"#,
        r#"
path: src/crypto.rs (whole file)
-pub fn email_token(size: u8) -> String {
-    random(size)
+pub fn email_token(size: u8) -> Result<String, Error> {
^
+    check(size)?;
+    Ok(random(size))
 }
path: src/mail.rs (unchanged)
 use crate::crypto;
 fn send(size: u8) {
     let token = crypto::email_token(size);
     post(token);
 }
"#,
        r#"
path: src/load.ts (whole file)
-export function load(name: string) {
+export async function load(name: string) {
^
   return files.get(name);
 }
path: src/show.ts (unchanged)
 import { load } from './load';
 if (load('a')) {
   show();
 }
"#,
        r#"
path: store/read.go (whole file)
 package store
 
-func ReadName(id int) string {
-	return names[id]
+func ReadName(id int) (string, error) {
^
+	return find(id)
 }
path: store/list.go (unchanged)
 package store
 
 func first() string {
 	name := ReadName(1)
 	return name
 }
"#,
        r#"
path: src/load.js (whole file)
-export function load(path) {
+export async function load(path) {
^
   return read(path);
 }
path: src/show.js (unchanged)
 import { load } from './load';
 if (load('a')) {
   show();
 }
"#,
        r#"
path: app/prices.rb (whole file)
 class Prices
-  def self.total_of_cart(cart)
+  def self.total_of_cart(cart, rate)
^
     cart.sum
   end
 end
path: app/show.rb (unchanged)
 class Show
   def run(cart)
     Prices.total_of_cart(cart)
   end
 end
"#,
        r#"
path: src/prices.c (whole file)
 #include "prices.h"

-int total_of_cart(struct cart *cart)
+int total_of_cart(struct cart *cart, int rate)
^
 {
     return cart->sum;
 }
path: src/show.c (unchanged)
 #include "prices.h"

 int show(struct cart *cart)
 {
     return total_of_cart(cart);
 }
"#,
    ],
    negative: &[
        r#"
path: shop/price.py (whole file)
 def price_of(item):
     if item is None:
         return None
-    return item.price, item.currency
+    return item.price, item.currency, item.tax

 def size_of(item):
-    return item.width, item.height
+    return item.size()
path: shop/cart.py (unchanged)
 from shop.price import price_of, size_of

 def total(cart):
     price, currency, tax = price_of(cart.item)
     price, *others = price_of(cart.item)
     width, height = size_of(cart.item)
     return price_of(cart.item)[0]
"#,
        r#"
path: storage/category.go (whole file)
 package storage
 
-func (s *Storage) RemoveCategory(userID, categoryID int64) error {
+func (s *Storage) RemoveCategory(owner, categoryID int64) error {
 	return s.remove(categoryID, owner)
 }
path: ui/category.go (unchanged)
 package ui
 
 import "example.com/app/storage"
 
 func remove(s *storage.Storage, user, category int64) error {
 	return s.RemoveCategory(user, category)
 }
"#,
        r#"
path: storage/category.go (whole file)
 package storage
 
-func (s *Storage) RemoveCategory(userID, categoryID int64) error {
+func (s *Storage) RemoveCategory(categoryID, userID int64) error {
 	return s.remove(categoryID, userID)
 }
path: ui/category.go (whole file)
 package ui
 
 import "example.com/app/storage"
 
 func remove(s *storage.Storage, user, category int64) error {
-	return s.RemoveCategory(user, category)
+	return s.RemoveCategory(category, user)
 }
"#,
        r#"
path: app/src/Note.kt (whole file)
 package app.data
 
-data class Note(val id: Int, val text: String)
+data class Note(val id: Int, val text: String, val owner: Int = 0)
path: app/src/Screen.kt (unchanged)
 package app.ui
 
 import app.data.Note
 
 fun empty() = Note(0, "")
"#,
        r#"
path: src/org/app/Mailer.java (whole file)
 package org.app;
 public class Mailer {
-    public Mailer(Queue queue) {
+    public Mailer(Queue queue, Clock clock) {
         this.queue = queue;
     }
 
+    public Mailer(Queue queue) {
+        this(queue, null);
+    }
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Mailer;
 import org.other.Note;
 class Page {
     Mailer make(Queue queue) {
         return new Mailer(queue);
     }
 }
path: src/org/app/Note.java (whole file)
 package org.app;
-public record Note(int id) {}
+public record Note(int id, String text) {}
path: src/org/app/web/Notes.java (unchanged)
 package org.app.web;
 import org.other.Note;
 class Notes {
     Note make() {
         return new Note(1);
     }
 }
"#,
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
        r#"
path: src/org/app/Files.java (whole file)
 package org.app;
 public class Files {
     public static void zip(Path from, Path to) {
+        zip(from, to, null);
+    }
+    public static void zip(Path from, Path to, Filter filter) {
         write(from, to);
     }
 }
path: src/org/app/Backup.java (unchanged)
 package org.app;
 class Backup {
     void run(Path from, Path to) {
         Files.zip(from, to);
     }
 }
"#,
        r#"
path: app/Dates.php (whole file)
 <?php
 class Dates
 {
-    public static function shortDay($date)
+    public static function shortDay($date, $user = null)
     {
         return $date;
     }
 }
path: app/Page.php (unchanged)
 <?php
 echo Dates::shortDay($now);
"#,
        r#"
path: articles/models.go (whole file)
 package articles
 
-func FindMany(tag, author string) []Article {
+func FindMany(tag, author, order string) []Article {
 	return load(tag, author)
 }
path: users/routers.go (unchanged)
 package users
 
 func list(c *Context) {
 	c.JSON(FindMany(c.Query("tag"), c.Query("author")))
 }
"#,
        r#"
path: src/crypto.rs (whole file)
-pub fn email_token(size: u8) -> String {
-    random(size)
+pub fn email_token(size: u8) -> Result<String, Error> {
+    check(size)?;
+    Ok(random(size))
 }
path: src/mail.rs (unchanged)
 use crate::crypto;
 fn send(size: u8) -> Result<(), Error> {
     let token = crypto::email_token(size);
     post(token?);
     post(crypto::email_token(size)?);
     match crypto::email_token(size) {
         Ok(token) => post(token),
         Err(error) => Err(error),
     }
 }
"#,
        r#"
path: src/load.ts (whole file)
-export function load(name: string) {
+export async function load(name: string) {
   return files.get(name);
 }
path: src/show.ts (unchanged)
 import { load } from './load';
 const loaded = load('a');
 load('b').then(show);
 export const again = () => load('c');
 await loaded;
"#,
        r#"
path: Shop/Prices.cs (whole file)
 namespace Shop;

 public class Prices
 {
-    public int TotalOf(Cart cart)
+    public int TotalOf(Cart cart, int rate = 1)
     {
         return cart.Sum;
     }
 }
path: Shop/Show.cs (unchanged)
 namespace Shop;

 public class Show
 {
     public int Run(Prices prices, Cart cart)
     {
         return prices.TotalOf(cart);
     }
 }
"#,
        r#"
path: app/prices.rb (whole file)
 class Prices
-  def self.total_of_cart(cart)
+  def self.total_of_cart(cart, rate = 1)
     cart.sum
   end
 end
path: app/show.rb (unchanged)
 class Show
   def run(cart)
     Prices.total_of_cart(cart)
   end
 end
"#,
        r#"
path: src/prices.c (whole file)
 #include "prices.h"

-int total_of_cart(struct cart *cart)
+int total_of_cart(const struct cart *cart)
 {
     return cart->sum;
 }
path: src/show.c (unchanged)
 #include "prices.h"

 int show(struct cart *cart)
 {
     return total_of_cart(cart);
 }
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Broken(broken, uses) = conflict else {
        return None;
    };
    let failing: Vec<(&Use, String)> = uses
        .iter()
        .filter_map(|used| Some((used, misfit(&broken.cause, used)?)))
        .collect();
    let (_, reason) = failing.first()?;
    Judgement::of(failing.iter().map(|(used, _)| *used), |count| {
        let left = counted_calls(count);
        format!("`{}` now {reason}, but {left} not adapted", broken.name)
    })
}

/// Why a call that was valid before fails now.
fn misfit(cause: &Cause, used: &Use) -> Option<String> {
    if let Cause::Result(change) = cause {
        return change.breaks(used.result).filter(|_| !used.is_added);
    }
    match (cause, used.passed.as_ref()?) {
        (
            Cause::Parameters {
                before,
                after,
                is_script,
            },
            Passing::Listed(passed),
        ) if used.is_in_changed_file => {
            // The order of arguments that were changed too cannot be judged.
            let was_valid = before.refusal(passed).is_none();
            after.refusal(passed).filter(|_| was_valid && !is_script)
        }
        (
            Cause::Parameters {
                before,
                after,
                is_script,
            },
            Passing::Listed(passed),
        ) => before.breaks(after, passed, *is_script),
        (Cause::Reordered(count), Passing::Counted(passed)) => {
            let is_left = passed == count && !used.is_in_changed_file;
            is_left.then(|| "takes its parameters in another order".to_owned())
        }
        (Cause::Counts { before, after }, Passing::Counted(count)) => {
            let takes = |signatures: &[Signature]| signatures.iter().any(|own| own.takes(*count));
            (takes(before) && !takes(after)).then(|| format!("takes {}", amounts(after)))
        }
        _ => None,
    }
}

/// The numbers of arguments that functions accept.
fn amounts(signatures: &[Signature]) -> String {
    let amounts: BTreeSet<(u8, Option<u8>)> = signatures
        .iter()
        .map(|own| (own.min_args, own.max_args))
        .collect();
    let is_one = amounts.iter().eq(&[(1, Some(1))]);
    let amounts: Vec<String> = amounts
        .into_iter()
        .map(|(least, most)| match most {
            None => format!("at least {least}"),
            Some(most) if most == least => least.to_string(),
            Some(most) => format!("{least} to {most}"),
        })
        .collect();
    let plural = if is_one { "argument" } else { "arguments" };
    format!("{} {plural}", amounts.join(" or "))
}
