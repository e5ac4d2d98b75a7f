//! `await`, closing, a lock or a transaction that is gone after the code was rewritten, while what needs it is still there.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::protection::{Kind, Loss, guarantees_lost};

pub(crate) const RULE: Rule = Rule {
    id: "any/guarantee-lost",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#", "PHP", "Ruby",
        "Rust",
    ],
    title: "Await, closing, lock or transaction lost in rewritten code",
    why: "The code was rewritten or moved to another function. It still does the same, but without what made that safe: nothing waits \
          for the call, closes what it opens, keeps other threads away or undoes all of it when a part fails.",
    fix: "Do it in the new code in the same way as before, or in every function that calls it.",
    references: &["CWE-362", "CWE-404"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/images.py (whole file)
 async def load(service, recipe):
     try:
-        await service.scrape_image(recipe.image)
+        for image in recipe.images:
+            service.scrape_image(image)
^
     except ImageError:
         log.warning("no image")
"#,
        r#"
path: src/api.go (whole file)
 package stream
 
 func (a *API) NotifyUser(id uint) {
-	a.lock.Lock()
^
-	defer a.lock.Unlock()
-	for _, client := range a.clients[id] {
-		client.Close()
-	}
-	delete(a.clients, id)
+	a.drop(id)
+}
+
+func (a *API) drop(id uint) {
+	for _, client := range a.clients[id] {
+		client.Close()
+	}
+	delete(a.clients, id)
 }
"#,
        r#"
path: src/PlaylistService.php (whole file)
 <?php
 class PlaylistService
 {
     public function move($playlist, $ids, $target): void
     {
-        DB::transaction(static function () use ($playlist, $ids, $target): void {
^
-            $position = $playlist->positionOf($target);
-            $playlist->incrementPositions($position, count($ids));
-        });
+        $this->place($playlist, $ids, $target);
+    }
+
+    private function place($playlist, $ids, $target): void
+    {
+        $position = $playlist->positionOf($target);
+        $playlist->incrementPositions($position, count($ids));
     }
 }
"#,
        r#"
path: src/visits.js (whole file)
 const knex = require("./knex");
 
+function insertVisit(data) {
+  return knex("visits").insert({ link: data.link, total: 1 });
^
+}
+
 async function add(data) {
   await knex.transaction(async (trx) => {
     const visit = await trx("visits").where({ link: data.link }).first();
     if (!visit) {
-      await trx("visits").insert({ link: data.link, total: 1 });
+      await insertVisit(data);
     }
   });
 }
"#,
        r#"
path: src/comments.ts (whole file)
 export async function addComment(issue: Issue, text: string) {
   const comment = new Comment(text);
-  issue.comments.push(comment);
-  await issues.save(issue);
+  comments.save(comment);
^
+  log.debug("added a comment");
   return issue;
 }
"#,
        r#"
path: src/CleanUp.cs (whole file)
 class CleanUp
 {
     private async Task Run(CancellationToken token)
     {
-        using (var scope = _services.CreateScope())
-        {
-            await Remove(scope.ServiceProvider, token);
-        }
+        await RunOnce(token);
+    }
+
+    private async Task RunOnce(CancellationToken token)
+    {
+        var scope = _services.CreateScope();
^
+        await Remove(scope.ServiceProvider, token);
     }
 }
"#,
        r#"
path: src/Archive.kt (whole file)
 class Archive(private val files: Files) {
     fun pack(target: Path, entries: List<String>) {
-        ZipOutput(target).use { zip ->
-            entries.forEach { zip.put(it) }
-        }
+        write(target, entries)
         check(target)
     }
+
+    private fun write(target: Path, entries: List<String>) {
+        val zip = ZipOutput(target)
^
+        entries.forEach { zip.put(it) }
+        zip.finish()
+    }
 }
"#,
        r#"
path: src/Registry.java (whole file)
 class Registry {
     void add(String name, Listener listener) {
-        synchronized (this) {
^
-            this.listeners.put(name, listener);
-        }
+        register(name, listener);
+    }
+
+    private void register(String name, Listener listener) {
+        this.listeners.put(name, listener);
     }
 }
"#,
        r#"
path: app/transfer.rb (whole file)
 class Transfer
   def run(from, to, amount)
-    ActiveRecord::Base.transaction do
^
-      from.decrement_balance(amount)
-      to.increment_balance(amount)
-    end
+    book(from, to, amount)
+  end
+
+  def book(from, to, amount)
+    from.decrement_balance(amount)
+    to.increment_balance(amount)
   end
 end
"#,
        r#"
path: src/mail.rs (whole file)
 async fn notify(users: &[User]) -> Result<()> {
-    mailer::deliver_all(users).await?;
+    for user in users {
+        mailer::deliver_all(std::slice::from_ref(user));
^
+    }
     Ok(())
 }
 
 async fn remind(users: &[User]) -> Result<()> {
     mailer::deliver_all(users).await
 }
"#,
    ],
    negative: &[
        r#"
path: src/images.py (whole file)
 async def load(service, recipe):
     try:
-        await service.scrape_image(recipe.image)
+        for image in recipe.images:
+            await service.scrape_image(image)
     except ImageError:
         log.warning("no image")
"#,
        r#"
path: src/api.go (whole file)
 package stream
 
 func (a *API) NotifyUser(id uint) {
-	a.lock.Lock()
-	defer a.lock.Unlock()
-	for _, client := range a.clients[id] {
-		client.Close()
-	}
-	delete(a.clients, id)
+	a.drop(id)
+}
+
+func (a *API) drop(id uint) {
+	a.lock.Lock()
+	defer a.lock.Unlock()
+	for _, client := range a.clients[id] {
+		client.Close()
+	}
+	delete(a.clients, id)
 }
"#,
        r#"
path: src/PlaylistService.php (whole file)
 <?php
 class PlaylistService
 {
     public function move($playlist, $ids, $target): void
     {
-        DB::transaction(static function () use ($playlist, $ids, $target): void {
-            $position = $playlist->positionOf($target);
-            $playlist->incrementPositions($position, count($ids));
-        });
+        DB::transaction(fn () => $this->place($playlist, $ids, $target));
+    }
+
+    private function place($playlist, $ids, $target): void
+    {
+        $position = $playlist->positionOf($target);
+        $playlist->incrementPositions($position, count($ids));
     }
 }
"#,
        r#"
path: src/visits.js (whole file)
 const knex = require("./knex");
 
+function insertVisit(trx, data) {
+  return trx("visits").insert({ link: data.link, total: 1 });
+}
+
 async function add(data) {
   await knex.transaction(async (trx) => {
     const visit = await trx("visits").where({ link: data.link }).first();
     if (!visit) {
-      await trx("visits").insert({ link: data.link, total: 1 });
+      await insertVisit(trx, data);
     }
   });
 }
"#,
        r#"
path: src/CleanUp.cs (whole file)
 class CleanUp
 {
     private async Task Run(CancellationToken token)
     {
-        using (var scope = _services.CreateScope())
-        {
-            await Remove(scope.ServiceProvider, token);
-        }
+        await RunOnce(token);
+    }
+
+    private async Task RunOnce(CancellationToken token)
+    {
+        using var scope = _services.CreateScope();
+        await Remove(scope.ServiceProvider, token);
     }
 }
"#,
        r#"
path: src/Archive.kt (whole file)
 class Archive(private val files: Files) {
     fun pack(target: Path, entries: List<String>) {
-        ZipOutput(target).use { zip ->
-            entries.forEach { zip.put(it) }
-        }
+        write(target, entries)
         check(target)
     }
+
+    private fun write(target: Path, entries: List<String>) {
+        val zip = ZipOutput(target)
+        zip.use { entries.forEach { entry -> it.put(entry) } }
+    }
 }
"#,
        r#"
path: src/Registry.java (whole file)
 class Registry {
     void add(String name, Listener listener) {
         synchronized (this) {
-            this.listeners.put(name, listener);
+            register(name, listener);
         }
     }
+
+    private void register(String name, Listener listener) {
+        this.listeners.put(name, listener);
+    }
 }
"#,
        r#"
path: app/transfer.rb (whole file)
 class Transfer
   def run(from, to, amount)
-    ActiveRecord::Base.transaction do
-      from.decrement_balance(amount)
-      to.increment_balance(amount)
-    end
+    ActiveRecord::Base.transaction { book(from, to, amount) }
+  end
+
+  def book(from, to, amount)
+    from.decrement_balance(amount)
+    to.increment_balance(amount)
   end
 end
"#,
        r#"
path: src/mail.rs (whole file)
 async fn notify(users: &[User]) -> Result<()> {
-    mailer::deliver_all(users).await?;
+    for user in users {
+        mailer::deliver_all(std::slice::from_ref(user)).await?;
+    }
     Ok(())
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.old.is_whole() || !context.new.is_whole() {
        return;
    }
    for loss in guarantees_lost(context.old, context.new) {
        if let Some(summary) = summary(&loss) {
            sink.report(loss.at, summary);
        }
    }
}

fn summary(loss: &Loss<'_>) -> Option<String> {
    let now = quote(loss.now.text());
    match loss.kind {
        Kind::Awaited(name) => Some(format!(
            "`{name}` was awaited before the code was rewritten. Nothing waits for `{now}`, and its errors are lost."
        )),
        Kind::Closed(name) => Some(format!(
            "Before the code was rewritten, the result of `{name}` was closed on every path. Nothing closes it now."
        )),
        Kind::Locked(name) => Some(format!(
            "`{name}` was used under this lock. The rewritten code uses it without a lock: `{now}`."
        )),
        Kind::Transaction(name) => Some(format!(
            "`{name}` was part of a transaction. The rewritten code calls it outside of one: `{now}`."
        )),
        _ => None,
    }
}
