//! A name that a file no longer exports, and that other files of the repository still import from it.

use impact::{Cause, Conflict, Judgement, Subject};
use lint::{Check, Rule, Tests, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/removed-name-still-used",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "C#", "Go", "PHP", "Ruby",
        "Rust", "C", "C++",
    ],
    title: "Removed name still used in other files",
    why: "The change removes or renames a function, class or constant that other files of the repository still use. They \
          fail as soon as they are built or loaded, or when they use the name. The files are searched in a checkout. A use \
          counts if its import leads to the changed file, or if the file names the package or the type that the function \
          belongs to; P2 if the name is the only evidence.",
    fix: "Adapt the other files, or keep the old name as an alias.",
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
path: app/models/message.rb (whole file)
 class Message < ApplicationRecord
-  def plaintext_body
+  def plain_body
^
     strip(body)
   end
 end
path: app/views/mailer/notify.text.erb (unchanged)
 Hello,
 <%= word_wrap(@message.plaintext_body, 72) %>
"#,
        r#"
path: src/cli.rs (whole file)
 pub enum ColorWhen {
     Auto,
     Always,
 }
 
 pub enum LinkWhen {
-    Auto,
^
     Always,
 }
path: src/main.rs (unchanged)
 use crate::cli::{ColorWhen, LinkWhen};
 
 fn shows(when: LinkWhen, color: ColorWhen) -> bool {
     match when {
         LinkWhen::Always => true,
         LinkWhen::Auto => color == ColorWhen::Auto,
     }
 }
"#,
        r#"
path: app/Enums/LicenseStatus.php (whole file)
 <?php
 namespace App\Enums;
 
 enum LicenseStatus
 {
     case VALID;
-    case UNKNOWN;
^
 }
path: app/Values/License.php (unchanged)
 <?php
 namespace App\Values;
 
 use App\Enums\LicenseStatus as Status;
 
 class License
 {
     public function status(): Status
     {
         return Status::UNKNOWN;
     }
 }
"#,
        r#"
path: shop/service.py (whole file)
 class TemplateService(Base):
     @property
-    def templates(self):
+    def available_templates(self):
^
         return self._all
path: shop/routes.py (unchanged)
 from shop.service import TemplateService
 
 def show():
     return TemplateService().templates
"#,
        r#"
path: shop/settings.py (whole file)
 class AppSettings(BaseSettings):
-    MODEL_SENDS_DATABASE: bool = True
+    MODEL_SENDS_DB: bool = True
^
path: shop/model.py (unchanged)
 from shop.config import get_settings
 
 def send():
     settings = get_settings()
     return settings.MODEL_SENDS_DATABASE
"#,
        r#"
path: shared/utils/urls.ts (whole file)
-export function getUrls(text: string) {
+export function extractUrls(text: string) {
^
   return text.split(' ');
 }
path: plugins/search/provider.ts (unchanged)
 import { getUrls } from "@shared/utils/urls";
 
 export const likely = getUrls("a b");
"#,
        r#"
path: src/config.c (whole file)
 BROKEN_MACRO(config, {
-int yesnotoi(char *s) {
+int yesNoToInt(char *s) {
^
     return s[0] == 'y';
 }
path: src/sentinel.c (unchanged)
 int load(char *value) {
     return yesnotoi(value);
 }
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total_of(prices):
^
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: src/price.ts (whole file)
 export const RATE = 2;
-export function total(prices: number[]) {
+function total(prices: number[]) {
^
   return prices.length * RATE;
 }
path: src/cart.ts (unchanged)
 import * as price from './price';
 export const show = (cart: Cart) => price.total(cart.prices);
"#,
        r#"
path: price.js (whole file)
 const total = (prices) => prices.length;
 const most = (prices) => Math.max(...prices);
-module.exports = { total, most };
+module.exports = { total };
^
path: cart.js (unchanged)
 const { total, most } = require('./price');
 console.log(total([]), most([]));
"#,
        r#"
path: app/Helpers/DateHelper.php (whole file)
 <?php
 namespace App\Helpers;
 class DateHelper
 {
-    public static function formatDay($date)
^
-    {
-        return $date->format('d');
-    }
     public static function formatYear($date)
     {
         return $date->format('Y');
     }
 }
path: app/View/Calendar.php (unchanged)
 <?php
 namespace App\View;
 use App\Helpers\DateHelper;
 class Calendar
 {
     public function day($date)
     {
         return DateHelper::formatDay($date);
     }
 }
"#,
        r#"
path: store/paths.go (whole file)
 package store
 
-func JoinPaths(a, b string) string {
+func Join(a, b string) string {
^
 	return a + "/" + b
 }
path: store/open.go (unchanged)
 package store
 
 func Open(dir string) string {
 	return JoinPaths(dir, "db")
 }
path: web/static.go (unchanged)
 package web
 
 import "example.org/app/store"
 
 var root = store.JoinPaths("a", "b")
"#,
        r#"
path: src/org/app/Owner.java (whole file)
 package org.app;
 public class Owner {
-    public Pet firstPet() {
+    public Pet oldestPet() {
^
         return pets.get(0);
     }
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Owner;
 class Page {
     String show(Owner owner) {
         return owner.firstPet().name();
     }
 }
"#,
        r#"
path: src/crypto.rs (whole file)
-pub fn random_token() -> String {
+pub fn new_token() -> String {
^
     String::new()
 }
path: src/mail.rs (unchanged)
 use crate::crypto;
 fn send() {
     post(crypto::random_token());
 }
"#,
        r#"
path: src/util.c (whole file)
-int yes_or_no(const char *text)
+int parse_flag(const char *text)
^
 {
 	return text[0] == 'y';
 }
path: src/config.c (unchanged)
 #include "util.h"
 int load(const char *text)
 {
 	return yes_or_no(text);
 }
"#,
        r#"
path: lib/utils.js (whole file)
-exports.setCharset = function setCharset(type) {
+exports.withCharset = function setCharset(type) {
^
   return types.map(exports.normalize);
 };
 exports.normalize = (type) => type;
path: lib/response.js (unchanged)
 var setCharset = require('./utils').setCharset;
 console.log(setCharset('text'));
"#,
        r#"
path: src/org/app/Status.java (whole file)
 package org.app;
 public enum Status {
     OPEN,
-    WAITING,
^
     CLOSED
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Status;
 class Page {
     boolean waits(Status status) {
         return status == Status.WAITING;
     }
 }
"#,
        r#"
path: shop/status.py (whole file)
 from enum import Enum
 
 class Status(Enum):
     OPEN = 1
-    WAITING = 2
^
     CLOSED = 3
path: shop/page.py (unchanged)
 from shop.status import Status
 
 def waits(order):
     return order.status is Status.WAITING
"#,
        r#"
path: shop/status.py (whole file)
 from enum import Enum
 
 class Status(Enum):
     OPEN = 1
-    WAITING = 2
^
path: shop/page.py (unchanged)
 from shop.status import Status
 
 def name_of():
     return Status.WAITING.name.lower()
"#,
        r#"
path: app/Enums/Status.php (whole file)
 <?php
 namespace App\Enums;
 enum Status: string
 {
     case Open = 'open';
-    case Waiting = 'waiting';
^
 }
path: app/View/Page.php (unchanged)
 <?php
 namespace App\View;
 use App\Enums\Status;
 class Page
 {
     public function waits($order)
     {
         return $order->status === Status::Waiting;
     }
 }
"#,
        r#"
path: src/lib/permissions.ts (whole file)
 export const PERMISSIONS = {
   websiteDelete: 'website:delete',
-  websiteMoveToUser: 'website:move-to-user',
+  websiteMoveToOwner: 'website:move-to-owner',
^
 } as const;
path: src/website.ts (unchanged)
 import { PERMISSIONS } from '@/lib/permissions';
 export const canMove = (user: User) => user.may(PERMISSIONS.websiteMoveToUser);
"#,
        r#"
path: Events/EventState.cs (whole file)
 namespace Shop.Events;
 
 public enum EventState
 {
     Published,
-    PublishedFailed
+    Failed
^
 }
path: Events/EventLog.cs (unchanged)
 namespace Shop.Events;
 
 public class EventLog
 {
     public EventState Failed() => EventState.PublishedFailed;
 }
"#,
        r#"
path: Orders/IBuyers.cs (whole file)
 namespace Shop.Orders;
 
 public interface IBuyers
 {
-    Task<Buyer> FindByNumber(int number);
+    Task<Buyer> GetByNumber(int number);
^
 }
path: Orders/Cancelled.cs (unchanged)
 namespace Shop.Orders;
 
 public class Cancelled(IBuyers buyers)
 {
     public async Task Handle(int number) => await buyers.FindByNumber(number);
 }
"#,
        r#"
path: app/Tools/IpFormatter.php (whole file)
 <?php
-namespace App\Activity;
+namespace App\Util;
^
 class IpFormatter
 {
     public function format(string $ip): string
     {
         return trim($ip);
     }
 }
path: app/Activity/Logger.php (unchanged)
 <?php
 namespace App\Activity;
 class Logger
 {
     public function log(string $ip): void
     {
         $this->write((new IpFormatter())->format($ip));
     }
 }
"#,
        r#"
path: app/models/notification.rb (whole file)
 class Notification < ApplicationRecord
-  scope :of_comments, -> { where(kind: "comment") }
^
   scope :unread, -> { where(read_at: nil) }
 end
path: app/controllers/stories_controller.rb (unchanged)
 class StoriesController < ApplicationController
   def show
     Notification.unread.of_comments.each(&:read!)
   end
 end
"#,
        r#"
path: store/memo.go (whole file)
 package store
 
 type Memo struct {
-	CreatorName string
+	Creator string
^
 }
path: store/list.go (unchanged)
 package store
 
 func names(memo *Memo) string {
 	return memo.CreatorName
 }
"#,
        r#"
path: shop/Prices.kt (whole file)
 package shop

 object Prices {
-    fun total(cart: Cart): Int = cart.sum
+    fun sum(cart: Cart): Int = cart.sum
^
 }
path: shop/Show.kt (unchanged)
 package shop

 fun show(cart: Cart) = print(Prices.total(cart))
"#,
    ],
    negative: &[
        r#"
path: app/models/version.rb (whole file)
 class Version < ApplicationRecord
+  validates :content_address, presence: true
-  def content_address
-    full_name.split("-").last
-  end
 end
path: app/models/pusher.rb (unchanged)
 class Pusher
   def push(version)
     log(version.content_address)
   end
 end
"#,
        r#"
path: app/models/message.rb (whole file)
 class Message < ApplicationRecord
-  def plaintext_body
+  def plain_body
     strip(body)
   end
 end
path: app/views/stories/show.html.erb (unchanged)
 Our mails have a plaintext_body.
 <%= @story.plaintext_body %>
"#,
        r#"
path: src/status.rs (whole file)
 pub enum Job {
     Waiting,
 }
 
 pub enum Status {
     Open,
-    Waiting,
 }
path: src/page.rs (unchanged)
 use crate::status::Job;
 
 fn waits(job: Job) -> bool {
     job == Job::Waiting
 }
"#,
        r#"
path: shop/settings.py (whole file)
 class AppSettings(BaseSettings):
-    MODEL_SENDS_DATABASE: bool = True
     OTHER: bool = True
path: shop/model.py (unchanged)
 from other import load
 
 def send():
     client = load()
     return client.MODEL_SENDS_DATABASE
"#,
        r#"
path: src/config.c (whole file)
 BROKEN_MACRO(config, {
-int yesnotoi(char *s) {
+int yesNoToInt(char *s) {
     return s[0] == 'y';
 }
path: src/sentinel.c (unchanged)
 BROKEN_MACRO(sentinel, {
 static int yesnotoi(char *s) {
     return 0;
 }
 int load(char *value) {
     return yesnotoi(value);
 }
"#,
        r#"
path: app/Activity/ActivityType.php (whole file)
 <?php
 namespace App\Activity;
-class ActivityType
+class ActivityType implements WebhookTypes
 {
-    const WEBHOOK_CREATE = 'webhook_create';
     const PAGE_CREATE = 'page_create';
 }
path: app/Activity/WebhookTypes.php (unchanged)
 <?php
 namespace App\Activity;
 interface WebhookTypes
 {
     const WEBHOOK_CREATE = 'webhook_create';
 }
path: app/Webhooks/Webhook.php (unchanged)
 <?php
 namespace App\Webhooks;
 use App\Activity\ActivityType;
 class Webhook
 {
     public $type = ActivityType::WEBHOOK_CREATE;
 }
"#,
        r#"
path: Orders/IBuyers.cs (whole file)
 namespace Shop.Orders;
 
 public interface IBuyers
 {
-    Task<Buyer> FindByNumber(int number);
 }
path: Orders/Cancelled.cs (unchanged)
 namespace Shop.Orders;
 
 public class Cancelled(ISellers sellers)
 {
     public async Task Handle(int number) => await sellers.FindByNumber(number);
 }
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total_of(prices):
     return sum(prices)
+
+total = total_of
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
-    return sum(prices)
+from shop.sums import total
path: shop/cart.py (unchanged)
 from shop.price import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: shop/price.py (whole file)
 RATE = 2
 
-def total(prices):
+def total_of(prices):
     return sum(prices)
path: shop/cart.py (unchanged)
 from shop.sums import total
 
 def show(cart):
     return total(cart.prices)
"#,
        r#"
path: src/price.ts (whole file)
 export const RATE = 2;
-export function total(prices: number[]) {
-  return prices.length * RATE;
-}
+export * from './sums';
path: src/cart.ts (unchanged)
 import { total } from './price';
 console.log(total([]));
"#,
        r#"
path: app/Helpers/DateHelper.php (whole file)
 <?php
 namespace App\Helpers;
 class DateHelper
 {
-    public static function formatDay($date)
-    {
-        return $date->format('d');
-    }
 }
path: app/View/Calendar.php (unchanged)
 <?php
 namespace App\View;
 use Other\Helpers\DateFormat;
 class Calendar
 {
     public function day($date)
     {
         return DateFormat::formatDay($date);
     }
 }
"#,
        r#"
path: store/paths.go (whole file)
 package store
 
-func JoinPaths(a, b string) string {
-	return a + "/" + b
-}
path: store/join.go (unchanged)
 package store
 
 func JoinPaths(a, b string) string {
 	return a + b
 }
path: web/static.go (unchanged)
 package web
 
 import "example.org/app/store"
 
 var root = store.JoinPaths("a", "b")
"#,
        r#"
path: src/org/app/Owner.java (whole file)
 package org.app;
 public class Owner {
-    public Pet firstPet() {
-        return pets.get(0);
-    }
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Keeper;
 class Page {
     String show(Keeper keeper) {
         return keeper.firstPet().name();
     }
 }
"#,
        r#"
path: src/org/app/Files.java (whole file)
 package org.app;
 public class Files {
-    public static void closeQuietly(Closeable file) {
-        closeQuietly(file, null);
-    }
     public static void closeQuietly(Closeable file, Log log) {
         file.close();
     }
 }
path: src/org/app/Main.java (unchanged)
 package org.app;
 class Main {
     void run(Closeable file, Log log) {
         Files.closeQuietly(file, log);
     }
 }
"#,
        r#"
path: src/crypto.rs (whole file)
-pub fn random_token() -> String {
-    String::new()
-}
+pub use crate::tokens::random_token;
path: src/tokens.rs (unchanged)
 pub fn random_token() -> String {
     String::new()
 }
path: src/mail.rs (unchanged)
 use crate::crypto;
 fn send() {
     post(crypto::random_token());
 }
"#,
        r#"
path: src/util.c (whole file)
-static int yes_or_no(const char *text)
-{
-	return text[0] == 'y';
-}
path: src/config.c (unchanged)
 static int yes_or_no(const char *text)
 {
 	return 0;
 }
 int load(const char *text)
 {
 	return yes_or_no(text);
 }
"#,
        r#"
path: src/org/app/Status.java (whole file)
 package org.app;
 public enum Status {
     OPEN,
-    WAITING,
     CLOSED;
+    public static final Status WAITING = OPEN;
 }
path: src/org/app/web/Page.java (unchanged)
 package org.app.web;
 import org.app.Status;
 class Page {
     boolean waits(Status status) {
         return status == Status.WAITING;
     }
 }
"#,
        r#"
path: shop/status.py (whole file)
 from enum import Enum
 
 class Status(Enum):
     OPEN = 1
-    WAITING = 2
     CLOSED = 3
path: shop/page.py (unchanged)
 from shop.jobs import Job
 
 def waits(job):
     return job.state is Job.WAITING
"#,
        r#"
path: src/prices.js (whole file)
-export function total(cart) {
+export function sum(cart) {
   return cart.sum;
 }
path: src/show.js (unchanged)
 import { sum } from './prices';
 show(sum(cart));
"#,
        r#"
path: shop/Prices.kt (whole file)
 package shop

 object Prices {
-    fun total(cart: Cart): Int = cart.sum
+    fun sum(cart: Cart): Int = cart.sum
 }
path: shop/Show.kt (unchanged)
 package shop

 fun show(cart: Cart) = print(Prices.sum(cart))
"#,
    ],
};

fn judge(conflict: &Conflict<'_>) -> Option<Judgement> {
    let Conflict::Broken(broken, uses) = conflict else {
        return None;
    };
    let name = &broken.name;
    let change = match &broken.cause {
        Cause::Removed => "removed".to_owned(),
        Cause::Moved(to) => format!("moved to `{}`", quote(to)),
        _ => return None,
    };
    Judgement::of(uses.iter(), |count| {
        let left = if count == 1 {
            "use is left"
        } else {
            "uses are left"
        };
        format!("`{name}` is {change}, but {count} {left}")
    })
}
