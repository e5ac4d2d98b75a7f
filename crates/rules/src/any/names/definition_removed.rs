//! A name that lost its definition, by removal or renaming, and is still used.

use std::collections::{HashMap, HashSet};

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, LineKind, Priority};
use syntax::semantics::symbols::builtins::is_builtin;
use syntax::semantics::symbols::missing::{missing, missing_after_removal, words};
use syntax::semantics::symbols::renamed::left_behind;
use syntax::semantics::symbols::rust;
use syntax::semantics::symbols::standard::lost_imports;
use syntax::semantics::symbols::{DefKind, Symbols};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/definition-removed",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby", "Rust",
    ],
    title: "Name used after its definition was removed",
    why: "The change removes or renames the definition, and a use of the old name remains. The line fails as soon as it \
          runs, or does not compile.",
    fix: "Use the new name, or restore the definition or import.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: a.go (whole file)
 package a

 import (
 	"context"
-	"example.com/shop/prices"
^
 )

 func total(ctx context.Context) int {
 	return prices.Total(ctx)
 }
"#,
        r#"
path: A.java (whole file)
 package shop;

-import java.util.List;
^
 import java.util.Map;

 class A {
     Map<String, List<String>> all;
 }
"#,
        r#"
path: src/queue.rs (whole file)
-use std::cmp::Reverse;
^
 use std::collections::BinaryHeap;

 fn first(heap: &mut BinaryHeap<Reverse<u32>>) -> Option<u32> {
     heap.pop().map(|Reverse(first)| first)
 }
"#,
        r#"
path: src/read.rs (whole file)
 fn read(path: &str) -> String {
-    let text = open(path);
+    let content = open(path);
     let lines = content.lines();
-    first(lines, text)
+    first(lines, text.len())
^
 }

 fn first(lines: Lines, end: usize) -> String {
     lines.at(end)
 }

 fn open(path: &str) -> Text {
     Text::at(path)
 }

 use crate::text::{Lines, Text};
"#,
        r#"
path: a.py (whole file)
 import os
 
 limit = 10
 
-def load(path, strict=False):
^
+def load(path, careful=False):
     if strict:
         os.stat(path)
     return open(path)
"#,
        r#"
path: a.js (whole file)
 import { open } from "./door";
 import { see } from "./eye";
 import { hear } from "./ear";
 see(hear());
 
-import { close } from "./lock";
^
 export function enter(door) {
   return open(door) || close(door);
 }
"#,
        r#"
path: A.java (whole file)
 class A {
     int total(int[] prices) {
         int sum = 0;
         for (int price : prices) {
-            int net = price - 1;
^
+            int gross = price - 1;
             sum += net;
         } return sum;
     } }
"#,
        r#"
path: Cart.php (whole file)
 class Cart
 {
     public function total($items)
     {
-        $sum = count($items);
^
+        $total = count($items);
         $tax = 2;
         return $sum * $tax;
     }
 }
"#,
        r#"
path: cart.rb (whole file)
 class Cart
   def total(items)
-    sum = items.sum
^
+    total = items.sum
     items.each { |item| log(item, sum) }
-    sum
+    total
   end
 end
"#,
        r#"
path: a.go (whole file)
 package a
 
-func load(path string) error {
^
+func load(file string) error {
 	return open(path)
 }
"#,
        r#"
path: a.go (whole file)
 package a
 
 func load() error {
-	data, err := read()
+	data, failure := read()
 	use(data)
-	return err
+	return wrap(err)
^
 }
"#,
        r#"
path: A.cs (whole file)
 class A {
     int Total(int[] prices) {
         int sum = 0;
         foreach (var price in prices) {
-            int net = price - 1;
^
+            int gross = price - 1;
             sum += net;
         }
         return sum;
     }
 }
"#,
        r#"
path: a.ts (whole file)
-import { total } from "./prices";
^

 export function show(cart: Cart) {
   return total(cart);
 }
"#,
    ],
    negative: &[
        r#"
path: a.go (whole file)
 package a

 import (
-	"example.com/shop/prices"
-	"example.com/shop/uuid"
+	"example.com/shop/v2/prices"
+	"example.com/google/go-uuid"
 )

 func total(ctx context.Context) int {
 	return prices.Total(uuid.New())
 }
"#,
        r#"
path: A.java (whole file)
 package shop;

-import java.util.List;
-import shop.model.Cart;
 import java.util.*;

 class A {
     List<Cart> all;
 }
"#,
        r#"
path: src/queue.rs (whole file)
-use std::cmp::Reverse;
+use crate::order::Reverse;
 use std::collections::BinaryHeap;

-fn first(heap: &mut BinaryHeap<Reverse<u32>>) -> Option<u32> {
+fn first(heap: &mut BinaryHeap<Reverse<u32>>) -> Option<Reverse<u32>> {
     heap.pop()
 }
"#,
        r#"
path: cart.rb (whole file)
 class Cart
   attr_reader :sum
   def total(items)
-    sum = items.sum
+    total = items.sum
     items.each { |item| log(item, sum) }
   end
   def tax(items)
-    rate = items.rate
+    items.check
     items.each { |item| log(item, rate) }
   end
   def of(items, limit)
-    first = items.first(limit)
+    head = items.first(limit)
     log(first)
   end
   def other
     first
   end
 end
"#,
        r#"
path: a.py (whole file)
 import os
 
 limit = 10
 
-def load(path, strict=False):
-    if strict:
+def load(path, careful=False):
+    if careful:
         os.stat(path)
     return open(path)
"#,
        r#"
path: Cart.php (whole file)
 class Cart
 {
     public function total($items)
     {
-        $sum = count($items);
+        $total = count($items);
+        extract($this->totals($items));
         return $sum * 2;
     }
     public function other($items)
     {
-        $sum = count($items);
+        $this->count($items, $sum);
         return $sum ?? $unset;
     }
 }
"#,
        r#"
path: a.py (whole file)
 from path import *
 
 limit = 10
 
-import os
 def load(path):
     return os.stat(path)
"#,
        r#"
path: A.java (whole file)
 class A extends B {
     int total(int[] prices) {
         int sum = 0;
         for (int price : prices) {
-            int net = price - 1;
+            int gross = price - 1;
             sum += net;
         } return sum;
     } }
"#,
        r#"
path: a.go (whole file)
 package a
 
-func load(path string) error {
+func load(file string) error {
+	path := clean(file)
 	return open(path, Options{path: 1})
 }
"#,
        r#"
path: A.cs (whole file)
 class A : B {
     int Total(int[] prices) {
         int sum = 0;
         foreach (var price in prices) {
-            int net = price - 1;
+            int gross = price - 1;
             sum += net;
         }
         return sum;
     }
 }
"#,
        r#"
path: a.go (whole file)
 package a
 
 func load() error {
-	path := find()
 	return open(path)
 }
"#,
        r#"
path: a.ts (whole file)
-import { total } from "./prices";
+import { total } from "./costs";

 export function show(cart: Cart) {
   return total(cart);
 }
"#,
        r#"
path: a.js (whole file)
-import { total } from "./prices";
+import { total } from "./costs";

 export function show(cart) {
   return total(cart);
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (import, used) in lost_imports(context.old, context.new) {
        let name = used.text();
        let line = used.line().unwrap_or_default();
        let summary =
            format!("The change removes the import of `{name}`, which line {line} still uses.");
        sink.report(import, summary);
    }
    if matches!(context.file.language, "Go" | "C#") {
        return of_locals(context, sink);
    }
    if context.file.language == "Rust" {
        return of_rust(context, sink);
    }
    let is_ruby = context.file.language == "Ruby";
    let left = if is_ruby {
        left_behind(context.old, context.new)
    } else {
        missing_after_removal(context.new)
    };
    if left.is_empty() {
        return;
    }
    let Some(symbols) = Symbols::of(context.old) else {
        return;
    };
    let is_java = context.file.language == "Java";
    // `php/variable-never-set` reports the uses that the change adds.
    let is_php = context.file.language == "PHP";
    let is_reported = |used: &Node<'_>| is_php && used.touches_change();
    let mut removed: HashMap<&str, Node<'_>> = HashMap::new();
    for symbol in symbols.symbols() {
        let is_variable = matches!(symbol.kind, DefKind::Variable | DefKind::Parameter);
        let definition = symbol
            .definitions(context.old)
            .find(|name| name.touches_change());
        if let Some(name) = definition.filter(|_| is_variable || !is_java) {
            removed.entry(name.text()).or_insert(name);
        }
    }
    let ambient: HashSet<&str> = symbols.unresolved(context.old).map(Node::text).collect();
    let lines = context
        .hunk
        .lines
        .iter()
        .filter(|line| line.kind == LineKind::Removed);
    let mentioned: HashSet<&str> = lines.flat_map(|line| words(line.text)).collect();
    let mut reported_names = HashSet::new();
    for used in left
        .into_iter()
        .filter(|used| !ambient.contains(used.text()) && !is_reported(used))
    {
        let name = used.text();
        match removed.get(name) {
            _ if !reported_names.insert(name) => {}
            Some(definition) => report(used, *definition, sink),
            None if used.touches_change()
                && mentioned.contains(name)
                && !is_java
                && !is_builtin(context.file.language, name) =>
            {
                sink.report(
                    used,
                    format!("`{name}` is not defined: nothing in this file defines or imports it."),
                );
            }
            None => {}
        }
    }
}

/// The names that the old file defined and the new one does not.
fn of_rust(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let left = missing(context.new);
    if left.is_empty() {
        return;
    }
    let Some(old) = rust::names(context.old) else {
        return;
    };
    let mut reported = HashSet::new();
    for used in left {
        let name = used.text();
        let definition = old.defined.get(name).filter(|was| was.touches_change());
        if let Some(definition) = definition.filter(|_| reported.insert(name)) {
            report(used, *definition, sink);
        }
    }
}

/// Reports a removed definition or, if it is new, the use of the name.
fn report(used: Node<'_>, definition: Node<'_>, sink: &mut Sink<'_>) {
    let name = used.text();
    if used.touches_change() {
        let summary = format!("`{name}` is not defined: the change removes its definition.");
        sink.report(used, summary);
    } else {
        let line = used.line().unwrap_or_default();
        let summary =
            format!("The change removes the definition of `{name}`, which line {line} still uses.");
        sink.report(definition, summary);
    }
}

/// If other files may also define names, only a renamed local variable is certainly missing.
fn of_locals(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for renamed in context.renamed_locals() {
        let (was, now) = (renamed.was.text(), renamed.now.text());
        if renamed.used.touches_change() {
            let summary = format!("`{was}` is not defined: the change renames it to `{now}`.");
            sink.report(renamed.used, summary);
        } else {
            let line = renamed.used.line().unwrap_or_default();
            let summary = format!(
                "The change renames `{was}` to `{now}`, but line {line} still uses the old name."
            );
            sink.report(renamed.was, summary);
        }
    }
}
