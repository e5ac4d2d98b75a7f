//! A path out of the code that holds a lock, on which it is not released.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::locks;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-not-released",
    languages: &[
        "C", "C++", "C#", "Go", "Java", "JavaScript", "Kotlin", "PHP", "Python", "Ruby", "Rust",
        "TSX", "TypeScript",
    ],
    title: "Lock kept on a path out of the code",
    why: "The code takes a lock and releases it further below, but leaves in between. On this path the lock is never \
          released, and the next caller that needs it waits forever.",
    fix: "Release the lock in a construct that always runs (`defer`, `finally`, `ensure`, `with`), or before leaving.",
    references: &["CWE-667", "CWE-833"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[
            Role::Return,
            Role::Throw,
            Role::Continue,
            Role::Break,
            Role::Call,
        ]),
        run,
    },
    positive: &[
        r#"
path: src/a.go
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	if n < 0 {
+		return errNegative
^
+	}
+	s.items[n] = true
+	s.mu.Unlock()
+	return nil
+}
"#,
        r#"
path: src/a.go
 func (c *Cache) Get(key string) (string, bool) {
 	c.lock.RLock()
 	value, ok := c.values[key]
+	if !ok {
+		return "", false
^
+	}
 	c.lock.RUnlock()
 	return value, true
 }
"#,
        r#"
path: src/a.go
 func (s *Set) Add(n int) error {
 	s.mu.Lock()
-	defer s.mu.Unlock()
 	if n < 0 {
 		return errNegative
 	}
 	s.items[n] = true
+	s.mu.Unlock()
^
 	return nil
 }
"#,
        r#"
path: src/a.go
 func (s *Set) AddAll(all []int) {
 	for _, n := range all {
+		s.mu.Lock()
+		if n < 0 {
+			continue
^
+		}
+		s.items[n] = true
+		s.mu.Unlock()
 	}
 }
"#,
        r#"
path: src/a.c
 int put(struct q *q, int x) {
 	pthread_mutex_lock(&q->lock);
+	if (q->full)
+		return -1;
^
 	q->items[q->n++] = x;
 	pthread_mutex_unlock(&q->lock);
 	return 0;
 }
"#,
        r#"
path: src/a.cpp
 bool Queue::put(int x) {
   mutex_.lock();
+  if (full()) throw QueueFull();
^
   items_.push_back(x);
   mutex_.unlock();
   return true;
 }
"#,
        r#"
path: src/A.cs
 class Queue {
     async Task Put(Item item) {
         await _gate.WaitAsync();
+        if (_closed) {
+            throw new InvalidOperationException();
^
+        }
         _items.Add(item);
         _gate.Release();
     }
 }
"#,
        r#"
path: src/A.java
 class Queue {
     void put(Item item) {
         lock.writeLock().lock();
+        if (item == null) {
+            return;
^
+        }
         count = count + 1;
         lock.writeLock().unlock();
     }
 }
"#,
        r#"
path: src/A.kt
 class Queue {
     suspend fun put(item: Item) {
         mutex.lock()
+        if (closed) throw IllegalStateException()
^
         items.add(item)
         mutex.unlock()
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function put($item) {
     $this->lock->acquire();
+    if ($this->closed) {
+        return false;
^
+    }
     $this->items[] = $item;
     $this->lock->release();
     return true;
 }
"#,
        r#"
path: src/a.py
 async def put(self, item):
     await self.lock.acquire()
+    if self.closed:
+        raise Closed()
^
     self.items.append(item)
     self.lock.release()
"#,
        r#"
path: src/a.py
 def put_all(self, items):
     for item in items:
         self.lock.acquire()
+        if item is None:
+            continue
^
         self.items.append(item)
         self.lock.release()
"#,
        r#"
path: src/a.rb
 def put(item)
   @mutex.lock
+  return if @closed
^
   @items << item
   @mutex.unlock
 end
"#,
        r#"
path: src/a.rs
 async fn put(&self, item: Item) -> Result<(), Error> {
     self.lock.acquire();
+    self.check(&item)?;
^
     self.store(item);
     self.lock.release();
     Ok(())
 }
"#,
        r#"
path: src/a.js
 async function put(item) {
   const release = await mutex.acquire();
+  if (closed) return;
^
   items.push(item);
   release();
 }
"#,
        r#"
path: src/a.ts
 async function put(item: Item) {
   await this.lock.acquire();
+  if (this.closed) throw new Error("closed");
^
   this.items.push(item);
   this.lock.release();
 }
"#,
        r#"
path: src/a.tsx
 async function save(item: Item) {
   await lock.acquire();
+  if (!item.name) return;
^
   await post(item);
   lock.release();
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	defer s.mu.Unlock()
+	if n < 0 {
+		return errNegative
+	}
+	return nil
+}
"#,
        r#"
path: src/a.go
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	if n < 0 {
+		s.mu.Unlock()
+		return errNegative
+	}
+	go func() { return }()
+	s.mu.Unlock()
+	return nil
+}
"#,
        r#"
path: src/a.go
+func (s *Set) wait() {
+	for {
+		s.mu.Lock()
+		if s.done {
+			break
+		}
+		s.mu.Unlock()
+	}
+	s.finish()
+	s.mu.Unlock()
+}
+
+func (s *Set) lockIfOpen() bool {
+	s.mu.Lock()
+	if s.open {
+		return true
+	}
+	s.mu.Unlock()
+	return false
+}
"#,
        r#"
path: src/a.c
 int put(struct q *q, int x) {
 	pthread_mutex_lock(&q->lock);
+	if (q->full)
+		goto out;
+	if (q->closed) {
+		pthread_mutex_unlock(&q->lock);
+		return -1;
+	}
 	q->items[q->n++] = x;
 out:
 	pthread_mutex_unlock(&q->lock);
 	return 0;
 }
"#,
        r#"
path: src/a.cpp
 bool Queue::put(int x) {
   std::unique_lock<std::mutex> lock(mutex_);
   lock.unlock();
   wait();
   lock.lock();
+  if (full()) return false;
   items_.push_back(x);
   lock.unlock();
   return true;
 }
"#,
        r#"
path: src/A.cs
 class Queue {
     async Task Put(Item item) {
         await _gate.WaitAsync();
         try {
+            if (_closed) {
+                throw new InvalidOperationException();
+            }
             _items.Add(item);
         } finally {
             _gate.Release();
         }
     }
 }
"#,
        r#"
path: src/A.java
 class Queue {
     void put(Item item) {
         lock.lock();
         try {
+            if (item == null) {
+                return;
+            }
             count = count + 1;
         } finally {
             lock.unlock();
         }
     }
     void close() {
         lock.lock();
         try {
+            if (closed) throw new IOException();
             closed = true;
         } catch (IOException e) {
             log(e);
         }
         lock.unlock();
     }
 }
"#,
        r#"
path: src/A.kt
 class Queue {
     suspend fun put(item: Item) {
         mutex.lock()
+        items.forEach { if (it == item) return@forEach }
         items.add(item)
         mutex.unlock()
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function put($item) {
     $this->lock->acquire();
+    if ($this->closed) {
+        $this->lock->release();
+        return false;
+    }
     $this->lock->release();
     return true;
 }
"#,
        r#"
path: src/a.py
 def put(self, item):
     self.lock.acquire()
     try:
+        if self.closed:
+            raise Closed()
         self.items.append(item)
     finally:
         self.lock.release()
"#,
        r#"
path: src/a.py
 def put(self, item):
     taken = self.lock.acquire(timeout=1)
+    if not taken:
+        return False
     self.items.append(item)
     self.lock.release()
"#,
        r#"
path: src/a.rb
 def put(item)
   @mutex.lock
+  return if @closed
   @items << item
 ensure
   @mutex.unlock
 end
"#,
        r#"
path: src/a.rs
 async fn put(&self, item: Item) -> Result<(), Error> {
     let guard = self.lock.lock();
+    self.check(&item)?;
     self.store(item);
     drop(guard);
     Ok(())
 }
"#,
        r#"
path: src/a.js
 async function put(item) {
   const release = await mutex.acquire();
   try {
+    if (closed) return;
     items.push(item);
   } finally {
     release();
   }
 }
"#,
        r#"
path: src/a.ts
 async function put(item: Item) {
   await this.lock.acquire();
+  this.items.forEach((other) => { if (other === item) return; });
   this.lock.release();
 }
"#,
        r#"
path: src/a.tsx
 async function save(item: Item) {
   await lock.acquire();
+  if (!item.name) { lock.release(); return; }
   await post(item);
   lock.release();
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let at = node
        .parent()
        .filter(|around| around.is(&["try_expression"]))
        .unwrap_or(node);
    // A function without a receiver may be the one that releases the lock.
    let may_matter = node
        .call()
        .is_none_or(|call| locks::may_lock(&call) || call.receiver.is_none());
    if !at.touches_change() || !(may_matter || locks::is_exit(at)) {
        return;
    }
    let Some(function) = at.enclosing_function() else {
        return;
    };
    let line = |node: Node<'_>| node.line().unwrap_or_default();
    for kept in locks::kept(function, at) {
        let (name, Some(first)) = (quote(kept.lock.name), kept.exits.first()) else {
            continue;
        };
        let changed = kept.exits.iter().find(|exit| exit.touches_change());
        let release = kept.release;
        let summary = match changed {
            Some(exit) if *exit == at => format!(
                "`{name}` is still held when the code leaves here; it is released only in line {}.",
                line(release)
            ),
            None if release == at => format!(
                "`{name}` is released only here, but line {} leaves before it.",
                line(*first)
            ),
            None if kept.lock.call == at && !release.touches_change() => format!(
                "`{name}` is still held when the code leaves in line {}.",
                line(*first)
            ),
            _ => continue,
        };
        sink.report(at, summary);
        return;
    }
}
