//! An added call of a method that a class of another file does not have.

use impact::{AbsentMember, Conflict, Judgement, Subject, shown_path};
use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/member-not-found",
    languages: &[
        "Java", "Kotlin", "C#", "PHP", "Go", "Python", "JavaScript", "TypeScript", "TSX",
    ],
    title: "Call of a missing method",
    why: "The type of the value is defined in another file of the repository, and neither it nor its base types have the \
          method. The code does not compile, or the call fails. Types that may get methods elsewhere are not judged: those \
          with a base outside the repository, with mixins or with generated members.",
    fix: "Call a method that the type has, or add the method to this change.",
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
path: app/Controllers/CommentController.php (whole file)
 <?php
 namespace App\Controllers;
 
 use App\Repos\CommentRepo;
 
 class CommentController extends Controller
 {
     public function __construct(protected CommentRepo $commentRepo)
     {
     }
 
     public function show(int $id)
     {
-        return $this->commentRepo->getById($id);
+        return $this->commentRepo->getVisibleById($id);
^
     }
 }
path: app/Repos/CommentRepo.php (unchanged)
 <?php
 namespace App\Repos;
 
 class CommentRepo
 {
     public function getById(int $id): Comment
     {
         return Comment::query()->findOrFail($id);
     }
 }
"#,
        r#"
path: server/providers/ntfy.js (whole file)
 const NotificationProvider = require("./notification-provider");
 
 class Ntfy extends NotificationProvider {
     send(message, monitor) {
+        const address = this.getMonitorAddress(monitor);
^
         return this.post(message, monitor);
     }
 }
 
 module.exports = Ntfy;
path: server/providers/notification-provider.js (unchanged)
 class NotificationProvider {
     post(message, monitor) {
         return fetch(this.extractAddress(monitor), message);
     }
 
     extractAddress(monitor) {
         return monitor.url;
     }
 }
 
 module.exports = NotificationProvider;
"#,
        r#"
path: server/service.go (whole file)
 package server
 
 import (
 	"context"
 
 	"example.com/notes/store"
 )
 
 func (s *Service) Share(ctx context.Context) error {
+	_, err := s.Store.CountShares(ctx)
^
+	store.OpenAll()
^
+	if err != nil {
+		return err
+	}
 	return s.Store.CreateShare(ctx)
 }
path: server/server.go (unchanged)
 package server
 
 import "example.com/notes/store"
 
 type Service struct {
 	Store *store.Store
 }
path: store/store.go (unchanged)
 package store
 
 type Store struct {
 	path string
 }
 
 func Open() *Store {
 	return nil
 }
path: store/share.go (unchanged)
 package store
 
 import "context"
 
 func (s *Store) CreateShare(ctx context.Context) error {
 	return nil
 }
path: go.mod (unchanged)
 module example.com/notes
"#,
        r#"
path: src/main/java/shop/theme/SeoProcessor.java (whole file)
 package shop.theme;
 
 import shop.config.ConfigFetcher;
 
 class SeoProcessor {
     private final ConfigFetcher fetcher;
 
     SeoProcessor(ConfigFetcher fetcher) {
         this.fetcher = fetcher;
     }
 
     Seo process() {
+        return fetcher.fetchSeo();
^
     }
 }
path: src/main/java/shop/config/ConfigFetcher.java (unchanged)
 package shop.config;
 
 public interface ConfigFetcher {
     Comment fetchComment();
 
     Post fetchPost();
 }
"#,
        r#"
path: src/Web/ChatState.cs (whole file)
 using Shop.Web.Services;
 
 namespace Shop.Web;
 
 public class ChatState
 {
     private readonly IBasketState _basket;
 
     public async Task Remove(int id)
     {
+        await _basket.SetQuantityAsync(id, 0);
^
     }
 }
path: src/Web/Services/IBasketState.cs (unchanged)
 namespace Shop.Web.Services
 {
     public interface IBasketState
     {
         Task AddAsync(int id);
     }
 }
path: src/Web/Services/BasketState.cs (unchanged)
 namespace Shop.Web.Services;
 
 public class BasketState : IBasketState
 {
     public Task AddAsync(int id) => Task.CompletedTask;
 
     public Task SetQuantityAsync(int id, int quantity) => Task.CompletedTask;
 }
"#,
        r#"
path: src/checkout.ts (whole file)
 import { Cart } from './cart';
 
 export function checkout(cart: Cart) {
+  return cart.totalPriceOf();
^
 }
path: src/cart.ts (unchanged)
 export class Cart {
   constructor(private readonly prices: number[]) {}
 
   totalPrice() {
     return this.prices.length;
   }
 }
"#,
        r#"
path: app/src/Screen.kt (whole file)
 package notes.ui
 
 import notes.data.NoteRepository
 
 class Screen(private val repository: NoteRepository) {
     fun show(id: Int) {
+        repository.loadNoteById(id)
^
     }
 }
path: app/src/NoteRepository.kt (unchanged)
 package notes.data
 
 interface NoteRepository {
     fun noteById(id: Int): Note
 }
"#,
        r#"
path: shop/cart.py (whole file)
 from .base import Base
 
 
 class Cart(Base):
     def total(self):
+        return self.count_items()
^
path: shop/base.py (unchanged)
 class Base:
     def items(self):
         return []
path: shop/__init__.py (unchanged)
 
"#,
    ],
    negative: &[
        // The class has a mixin, a base outside the repository, or methods that it does not name.
        r#"
path: app/Controllers/CommentController.php (whole file)
 <?php
 namespace App\Controllers;
 
 use App\Repos\CommentRepo;
 use App\Repos\PageRepo;
 use App\Repos\BookRepo;
 
 class CommentController
 {
     public function show(CommentRepo $comments, PageRepo $pages, BookRepo $books)
     {
+        $comments->getVisibleById(1);
+        $pages->getVisibleById(1);
+        $books->getVisibleById(1);
     }
 }
path: app/Repos/CommentRepo.php (unchanged)
 <?php
 namespace App\Repos;
 
 class CommentRepo
 {
     use FindsVisible;
 
     public function getById(int $id) {}
 }
path: app/Repos/PageRepo.php (unchanged)
 <?php
 namespace App\Repos;
 
 class PageRepo extends Repository
 {
     public function getById(int $id) {}
 }
path: app/Repos/BookRepo.php (unchanged)
 <?php
 namespace App\Repos;
 
 class BookRepo
 {
     public function __call($name, $arguments) {}
 }
"#,
        // A base class has it.
        r#"
path: src/main/java/shop/A.java (whole file)
 package shop;
 
 class A {
     void run(Fetcher fetcher, Options options, Kind kind) {
+        fetcher.fetchSeo();
+        options.getSeo();
+        kind.compareTo(kind);
+        items.forEach(fetcher -> fetcher.missing());
     }
 }
path: src/main/java/shop/Fetcher.java (unchanged)
 package shop;
 
 interface Fetcher extends Base {
     void fetch();
 }
path: src/main/java/shop/Base.java (unchanged)
 package shop;
 
 interface Base {
     void fetchSeo();
 }
path: src/main/java/shop/Options.java (unchanged)
 package shop;
 
 @Data
 class Options {
     private String seo;
 }
path: src/main/java/shop/Kind.java (unchanged)
 package shop;
 
 enum Kind { A, B }
"#,
        // A type with the same name in another package.
        r#"
path: src/main/java/shop/A.java (whole file)
 package shop;
 
 import org.library.Fetcher;
 
 class A {
     void run(Fetcher fetcher) {
+        fetcher.fetchSeo();
     }
 }
path: src/main/java/shop/Fetcher.java (unchanged)
 package shop;
 
 interface Fetcher {
     void fetch();
 }
"#,
        // Extension methods and partial classes.
        r#"
path: src/A.cs (whole file)
 using Shop.Services;
 
 namespace Shop;
 
 public class A
 {
     public void Run(IBasket basket, Cart cart)
     {
+        basket.GetItemsOrNone();
+        cart.GetTotalOrNone();
     }
 }
path: src/Services/IBasket.cs (unchanged)
 namespace Shop.Services;
 
 public interface IBasket
 {
     void GetItems();
 }
path: src/Services/Cart.cs (unchanged)
 namespace Shop.Services;
 
 public partial class Cart
 {
     public void GetTotal() {}
 }
path: src/Services/Extensions.cs (unchanged)
 namespace Shop.Services;
 
 public static class Extensions
 {
     public static void GetItemsOrNone(this IBasket basket) {}
 }
"#,
        // Go promotes the methods of embedded types.
        r#"
path: server/service.go (whole file)
 package server
 
 import "example.com/notes/store"
 
 func Share(s *store.Store, c store.Client) {
+	s.CountShares()
+	c.CountShares()
+	store.Open()
+	switch s := any(c).(type) {
+	case *Own:
+		s.Missing()
+	}
 }
path: store/store.go (unchanged)
 package store
 
 import "database/sql"
 
 type Store struct {
 	*sql.DB
 }
 
 var Open = func() {}
 
 type Client struct {
 	Counter
 }
 
 type Counter interface {
 	CountShares()
 }
path: go.mod (unchanged)
 module example.com/notes
"#,
        // Members that subclasses or other code add.
        r#"
path: src/task.js (whole file)
 import { Base } from './base';
 import { Config } from './config';
 
 export class Task extends Base {
   start(config) {
+    this.beforeStart();
+    const made = new Config();
+    made.readAll();
   }
 }
path: src/base.js (unchanged)
 export class Base {
   stop() {}
 }
path: src/config.js (unchanged)
 export class Config {
   read() {}
 }
path: src/setup.js (unchanged)
 import { Config } from './config';
 
 Config.prototype.readAll = function () {};
path: src/own.js (unchanged)
 import { Task } from './task';
 
 export class Own extends Task {
   beforeStart() {}
 }
"#,
        r#"
path: src/checkout.ts (whole file)
 import { Cart, Item } from './cart';
 import { Cart as Other } from 'library';
 
 export function checkout(cart: Cart, other: Other, item: Item | Cart, values: Cart[]) {
+  cart.total();
+  other.missing();
+  item.missing();
+  values.forEach((cart) => cart.missing());
+  values.flatten();
 }
path: src/cart.ts (unchanged)
 import { Base } from 'library';
 
 export class Cart {
   total = () => 1;
 }
 
 export class Item extends Base {}
"#,
        r#"
path: app/src/Screen.kt (whole file)
 package notes.ui
 
 import notes.data.Repository
 
 class Screen(private val repository: Repository) {
     fun show(id: Int) {
+        repository.loadNoteById(id)
+        repository.apply { missingNoteById() }
+        if (repository is Other) repository.otherNoteById()
     }
 }
path: app/src/Repository.kt (unchanged)
 package notes.data
 
 interface Repository {
     fun noteById(id: Int): Note
 }
path: app/src/Extensions.kt (unchanged)
 package notes.data
 
 fun Repository.loadNoteById(id: Int) = noteById(id)
"#,
        r#"
path: shop/cart.py (whole file)
 from shop.repo import Repo

 def show(repo: Repo):
+    return repo.find(1)
path: shop/repo.py (unchanged)
 class Repo:
     def find(self, key):
         return self.rows[key]
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::AbsentMember(AbsentMember {
        name,
        owner,
        path,
        line,
        similar,
    }) = conflict
    else {
        return None;
    };
    let hint = similar.map_or(String::new(), |other| format!("; it has `{other}`"));
    let shown = shown_path(path);
    if owner.is_empty() {
        let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let folder = shown_path(folder);
        let summary = format!("The package in `{folder}` has no `{name}`{hint}");
        return Some(Judgement::new(summary));
    }
    let summary = format!("`{owner}` ({shown}:{line}) has no method `{name}`{hint}");
    Some(Judgement::new(summary).shown_at(path, *line))
}
