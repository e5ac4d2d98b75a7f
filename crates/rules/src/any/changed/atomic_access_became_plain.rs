//! A value that was read or written atomically and no longer is.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/atomic-access-became-plain",
    languages: &["Go", "Java", "C", "C++", "C#", "Kotlin"],
    title: "Atomic access replaced by a plain one",
    why: "The access was atomic because other threads use the value too. With a plain read or write, updates are lost, \
          stale values are seen, and in many languages the data race is undefined behavior.",
    fix: "Keep the atomic access, or hold a lock at every access.",
    references: &["CWE-362"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func (c *Counter) Add() {
-	atomic.AddInt64(&c.n, 1)
+	c.n++
^
 }
"#,
        r#"
path: src/A.java
 class A {
-    private final AtomicInteger hits = new AtomicInteger();
+    private int hits;
^
"#,
        r#"
path: src/a.c
 void add(struct counter *c) {
-	atomic_fetch_add(&c->n, 1);
+	c->n++;
^
 }
"#,
        r#"
path: src/a.cpp
 class Counter {
-    std::atomic<int> hits;
+    int hits;
^
 };
"#,
        r#"
path: src/A.cs
@@ void Add()
 {
-    Interlocked.Increment(ref count);
+    count++;
^
 }
"#,
        r#"
path: src/a.kt
 class Counter {
     fun start(rows: List<Row>) {
-        this.pending = AtomicInteger(rows.size + 1)
+        this.pending = rows.size + 1
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func (c *Counter) Add() {
-	atomic.AddInt64(&c.n, 1)
+	c.n.Add(1)
 }
"#,
        r#"
path: src/A.java
 class A {
-    private final AtomicInteger hits = new AtomicInteger();
+    private final LongAdder hits = new LongAdder();
"#,
        r#"
path: src/a.c
 void add(struct counter *c) {
-	atomic_fetch_add(&c->n, 1);
+	atomic_fetch_add_explicit(&c->n, 1, memory_order_relaxed);
 }
"#,
        r#"
path: src/a.cpp
 class Counter {
-    std::atomic<int> hits;
+    std::atomic<long> hits;
 };
"#,
        r#"
path: src/A.cs
@@ void Add()
 {
-    Interlocked.Increment(ref count);
+    Interlocked.Add(ref count, 1);
 }
"#,
        r#"
path: src/a.kt
 class Counter {
-    private val hits = AtomicInteger()
+    private val hits = LongAdder()
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    const SIGNS: &[&str] = &[
        "atomic.", "Atomic", "atomic_", "std::atomic", "volatile ", "Interlocked.",
        "ConcurrentHashMap", "ConcurrentDictionary", "sync.Map",
    ];
    const SAFE: &[&str] = &[
        "tomic", "Adder", "Accumulator", "volatile", ".Add(", ".Load(", ".Store(", ".Swap(",
        "Lock", "Mutex", "synchronized", "Interlocked", "Concurrent", "sync.",
    ];
    for (old, new) in context.pairs() {
        let is_code = |text: &str| {
            !text.trim_start().starts_with(['*', '/', '#'])
                && !text.contains("import ")
                && !text.contains("include")
        };
        let was_atomic = SIGNS.iter().any(|sign| old.text.contains(sign)) && is_code(old.text);
        let is_safe = SAFE.iter().any(|sign| new.text.contains(sign)) || !is_code(new.text);
        if was_atomic && !is_safe && context.file_size().added <= 12 {
            sink.report(
                new,
                format!(
                    "The atomic access `{}` became `{}`.",
                    quote(old.text),
                    quote(new.text)
                ),
            );
        }
    }
}
