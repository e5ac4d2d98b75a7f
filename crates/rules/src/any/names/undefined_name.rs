//! An added use of a name that nothing defines.

use std::collections::{HashMap, HashSet};

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, LineKind, Priority, Status};
use syntax::semantics::symbols::missing::{missing, missing_in_python_3, words};
use syntax::semantics::symbols::misspelt_fields;
use syntax::semantics::symbols::standard::not_imported;
use syntax::semantics::vocabulary::is_near;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/undefined-name",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "Rust", "PHP", "Ruby",
    ],
    title: "Undefined name",
    why: "Nothing in the file defines or imports the name, and it is not built in. The line fails with an error as soon \
          as it runs; Go, Java and Rust do not compile. An instance variable of Ruby that nothing sets is `nil`.",
    fix: "Define or import the name, or correct its spelling.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program", "source_file"]),
        run,
    },
    positive: &[
        r#"
path: a.go (whole file)
 package a

 import stderrors "errors"

 func check(name string) error {
+	if strings.TrimSpace(name) == "" {
^
+		return errors.New("empty")
^
+	}
 	return stderrors.ErrUnsupported
 }
"#,
        r#"
path: src/Load.java
+package shop;
+
+class Load {
+    List<String> names() {
^
+        return new ArrayList<>();
^
+    }
+}
"#,
        r#"
path: src/Load.php (whole file)
 <?php
 namespace Shop;

 class Load
 {
     public function at()
     {
-        return time();
+        return new DateTimeImmutable();
^
     }
 }
"#,
        r#"
path: src/Load.java
+class Load {
+    Object find(String name) {
+        return raed(name);
^
+    }
+    Object read(String name) { return name; }
+}
"#,
        r#"
path: src/queue.rs (whole file)
 use std::collections::BinaryHeap;

 pub(crate) struct Queue<T> {
     items: BinaryHeap<T>,
 }

 impl<T: Ord> Queue<T> {
     fn add(&mut self, item: T) {
-        self.items.push(item);
+        self.items.push(Reverse(item));
^
     }
 }

 mod tests {
     use super::*;
 }
"#,
        r#"
path: src/read.rs (whole file)
 use std::fs;

 fn read(path: &str) -> Result<String, std::io::Error> {
     let text = fs::read_to_string(path)?;
-    Ok(text)
+    Ok(trimmed(txt))
^
 }

 fn trimmed(text: String) -> String {
     text.trim().to_owned()
 }
"#,
        r#"
path: a.py
+import json
+
+def load(path):
+    with open(path) as file:
+        return json.load(flie)
^
"#,
        r#"
path: a.js
+import { open } from "./door";
+
+export function enter(door) {
+  open(doro);
^
+}
"#,
        r#"
path: a.tsx
+import { Door } from "./door";
+
+export const Page = () => <Door><Windov /></Door>;
^
"#,
        r#"
path: a.py
+class Cart:
+    def total(self, items: list[int]) -> int:
+        return sum(items) + self.tax(datetime.now())
^
"#,
        r#"
path: a.go (whole file)
 package a
 
 func remove(c *Context) error {
 	slug := c.Param("slug")
-	return drop(slug)
+	return drop(slgu)
^
 }
"#,
        r#"
path: src/Report.java (whole file)
 package shop;

 class Report {
     private Position load(long id) {
         return storage.get(id);
     }
     Trip trip(Event start, Event end) {
-        return new Trip(storage.get(start.id()), storage.get(end.id()));
+        return new Trip(load(start.id()), find(end.id()));
^
     }
 }
"#,
        r#"
path: src/Shapes.java (whole file)
 package shop;

 import lombok.RequiredArgsConstructor;

 class Shapes {
     interface Shape {
         default double size() { return 1; }
     }
     @RequiredArgsConstructor
     static class Square implements Shape {
         double twice() {
+            return size() * factor();
^
         }
     }
 }
"#,
        r#"
path: inbox.rb (whole file)
 class Inbox < Page
   def load
     @new_message = find
   end
   def all
+    show(@new_mesage)
^
   end
 end
"#,
        r#"
path: inbox.rb (whole file)
 class Inbox
   def initialize(pages)
     @pages = pages
   end
 
   def next
+    @pages.after(@current)
^
   end
 end
"#,
        r#"
path: shop/names.py (whole file)
 import operator
 
 def total(prices):
+    return reduce(operator.add, prices)
^
path: pyproject.toml (unchanged)
 [project]
 requires-python = ">=3.9"
"#,
    ],
    negative: &[
        r#"
path: engines/shop.py (whole file)
+about = {"website": "https://shop.example"}
+categories = ["shopping"]
+paging = True
+results_per_page = 10
+
+def request(query, params):
+    logger.debug("%s", query)
+    return params
"#,
        r#"
path: shop/names.py (whole file)
 import sys
 
 def load(text):
+    return unicode(text)
path: setup.cfg (unchanged)
 [options]
 python_requires = >=2.7
"#,
        r#"
path: shop/names.py (whole file)
 import sys
 
 def load(text):
+    if sys.version_info[0] < 3:
+        return unicode(text)
     return text
path: pyproject.toml (unchanged)
 requires-python = ">=3.9"
"#,
        r#"
path: inbox.rb (whole file)
 class Inbox < Page
   def load
     @new_message = find
     @old_messages = find
     @current_user ||= find
   end
   def all
+    show(@new_message, @old_message, @curent_user)
   end
   def store(curent_user)
   end
   class Row < Page
+    def all = @new_mesage
   end
 end
"#,
        r#"
path: inbox.rb (whole file)
 class Inbox
   attr_accessor :current
   def initialize(pages)
     @pages, @first = pages
   end
 
   def next
+    @pages.after(@current) || @first
   end
 
   class Page < Base
     def show
+      @number
     end
   end
 end
 
 module Shown
   def show
+    @shown
   end
 end
"#,
        r#"
path: a.go (whole file)
 package a

 import (
 	stderrors "errors"
 	"fmt"
 )

 func check(os string, strings []string) error {
+	fmt.Println(os, strings, other.errors)
+	return stderrors.New("a")
 }
"#,
        r#"
path: src/Load.java
+package shop;
+
+import java.util.List;
+
+class Load<Optional> {
+    java.util.Map<String, Optional> all;
+    List<String> names(Optional one) { return List.of(); }
+}
"#,
        r#"
path: src/Load.php (whole file)
 <?php
 namespace Shop;
 use DateTime as Time;
 use PDO;

 class Load
 {
+    public function at(\DateTimeZone $zone, PDO $db): Time { return new Time(self::DateTime, $zone); }
 }
"#,
        r#"
path: a.ts
+import { run } from "./run";
+
+export const find = (...args: [id: string, limit: number, rest?: string]) => run(...args);
+export const steps = (): [name: string, step: number][] => run();
+export async function first() {
+  return await (await run()).text();
+}
"#,
        r#"
path: src/Load.java
+class Load {
+    Object find(String name) {
+        return read(name);
+    }
+}
"#,
        r#"
path: src/read.rs
+pub fn read(path: &str) -> String {
+    shortened(path)
+}
"#,
        r#"
path: src/read.rs (whole file)
 use std::fs::{self as files, read_to_string as read};
 extern crate serde as encoding;

 const LIMIT: usize = 3;
 thread_local! { static COUNT: usize = 1 }

 #[derive(Debug, Builder)]
 enum Shape { Round(f64), Flat { width: f64 } }

 trait Area { type Unit; fn area<const N: usize>(&self) -> Self::Unit; }

 impl<'a, T> Area for &'a T where T: Area<Unit = u8> {
     type Unit = u8;
     fn area<const N: usize>(&self) -> u8 {
+        use Shape::*;
+        let Some((first, Self::Item { x, y: ref other })) = self.parts() else { return u8::MAX };
+        let shown = |mut text: String, &n| { text.push(n); files::exists(&text) };
+        'outer: for (at, item) in encoding::all(first, x, other, shown) {
+            match item {
+                Round(size) if size > COUNT => break 'outer,
+                whole @ Flat { width, .. } => drop((whole, width, at, LIMIT, N)),
+                std::cmp::Ordering::Less => read(select! { done = wait() => done }),
+                EMPTY => Shape::Round(ShapeBuilder::new(size_of::<T>())),
+            }
+        }
+        done
     }
 }
"#,
        r#"
path: src/read.rs (whole file)
 use crate::prelude::*;

 fn read() {
+    open(Reverse(1));
 }
"#,
        r#"
path: src/read.rs (whole file)
 define_ids!(Order);

 fn read() {
+    open(OrderId(1));
 }
"#,
        r#"
path: src/Report.java (whole file)
 package shop;

 import static java.lang.Math.max;
 import java.util.List;

 record Point(int x, int y) {
     enum Kind { A { int size() { return other(); } } }
     static void check() {}
     class Inner {
         int sum() {
+            check();
+            new Thread() { public void run() { setName("a"); } };
+            return max(x(), Kind.valueOf("A").ordinal()) + hashCode();
         }
     }
     class Items implements Iterable<String> {
         void all() {
+            forEach(System.out::println);
         }
     }
 }
"#,
        r#"
path: src/Item.java (whole file)
 package shop;

 import lombok.Data;

 @Data
 class Item {
     private String name;
     String shown() {
+        return getName();
     }
 }
"#,
        r#"
path: src/Item.java (whole file)
 package shop;

 import static org.junit.Assert.*;

 class Item {
     void shown() {
+        assertTrue(true);
     }
 }
"#,
        r#"
path: a.py
+import json
+
+def load(path):
+    with open(path) as file:
+        return json.load(file)
"#,
        r#"
path: a.py
+from door import *
+
+def load(path):
+    return enter(path)
"#,
        r#"
path: a.py
+try:
+    text = unicod
+except NameError:
+    text = str
+
+def set_it(source):
+    exec(source)
+    return made
"#,
        r#"
path: a.py
+def f(items, *rest, key=None, **more):
+    global count
+    count = 1
+    if (size := len(items)) > 1:
+        return [size + x for x in items for y in x if y], lambda z: z + count
+    match items:
+        case {"a": a, **others}:
+            return a, others
+        case [first, *last] as all:
+            return first, last, all
+    try:
+        pass
+    except* ValueError as error:
+        return error
"#,
        r#"
path: a.js
+import { open } from "./door";
+
+export function enter(door) {
+  if (typeof analytics !== "undefined") analytics.send(door, VERSION);
+  return open(door);
+}
"#,
        r#"
path: a.js
+export async function enter() {
+  await api.reset();
+  toast("done");
+}
"#,
        r#"
path: a.js
+function enter(door) {
+  return openIt(door);
+}
"#,
        r#"
path: a.js
+/* global tracker */
+export const enter = (door) => tracker.send(door);
"#,
        r#"
path: a.ts
+import { paint } from "./door";
+
+export const enter = () => paint(dedent`a ${paint} b`);
"#,
        r#"
path: a.go (whole file)
 package a
 
 func remove(c *Context) error {
 	slug := c.Param("slug")
 	if slug == "" {
 		form := c.Form()
 		use(form)
 	}
-	return drop(slug)
+	return drop(slugs, from)
 }
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if context.file.path.ends_with(".pyi") || context.file.path.ends_with(".d.ts") {
        return;
    }
    report_not_imported(node, sink);
    for found in misspelt_fields(node.tree()) {
        let (name, meant) = (found.name.text(), found.meant);
        let summary = format!("`{name}` is set nowhere in this file; `{meant}` is probably meant.");
        sink.report(found.name, summary);
    }
    let is_python_3 = context.file.language == "Python"
        && context
            .file
            .version
            .is_some_and(|version| version.major >= 3);
    let missing = if is_python_3 {
        missing_in_python_3(node.tree())
    } else {
        missing(node.tree())
    };
    let names: HashSet<&str> = missing.iter().map(|used| used.text()).collect();
    if names.is_empty() || context.file.status == Status::Added && is_excerpt(node, &names) {
        return;
    }
    // A name that the old file used without a definition is defined elsewhere. `any/definition-removed` judges the
    // names of removed lines.
    let removed = context
        .lines()
        .iter()
        .filter(|line| line.kind == LineKind::Removed);
    let mut known: HashSet<&str> = removed.flat_map(|line| words(line.text)).collect();
    known.extend(
        missing
            .iter()
            .filter(|used| !used.touches_change())
            .map(|used| used.text()),
    );
    let is_plug_in = is_plug_in(node);
    for used in missing {
        if is_plug_in && !is_misspelling(node, used.text()) {
            continue;
        }
        if known.insert(used.text()) {
            let summary = format!(
                "`{}` is not defined: nothing in this file defines or imports it.",
                used.text()
            );
            let finding = sink.report(used, summary);
            // Another script, a tool or a declaration file may define a global of a script.
            let is_script = matches!(
                node.tree().grammar().name(),
                "JavaScript" | "TypeScript" | "TSX"
            );
            if used.is(&["instance_variable"]) {
                finding.priority(Priority::P2);
            } else if is_script && !is_misspelling(node, used.text()) {
                finding.priority(match context.file.status {
                    Status::Added => Priority::P3,
                    _ => Priority::P2,
                });
            }
        }
    }
}

/// Reports names of the standard library that the file does not import. If it used them before, they are defined elsewhere.
fn report_not_imported(node: Node<'_>, sink: &mut Sink<'_>) {
    let names = not_imported(node.tree());
    let old = names.iter().filter(|used| !used.touches_change());
    let mut known: HashSet<&str> = old.map(|used| used.text()).collect();
    for used in names {
        if known.insert(used.text()) {
            let name = used.text();
            sink.report(
                used,
                format!("`{name}` is not imported: this file can use it only with an import."),
            );
        }
    }
}

/// Whether a name in the file differs from it by a typing error.
fn is_misspelling(file: Node<'_>, name: &str) -> bool {
    let mut names = file.tree().nodes().filter(|node| node.is_leaf());
    names.any(|node| is_near(node.text(), name))
}

/// Whether a module of Python is loaded by a program that reads its variables, and so may set some, too: several of its variables are
/// used nowhere in it.
fn is_plug_in(file: Node<'_>) -> bool {
    /// Minimum number of such variables.
    const VARIABLES: usize = 3;
    if file.tree().grammar().name() != "Python" {
        return false;
    }
    let statements = file
        .named_children()
        .filter(|statement| statement.is(&["expression_statement"]));
    let set = statements
        .filter_map(|statement| statement.named_children().next()?.assignment())
        .map(|set| set.target.text())
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let set: HashSet<&str> = set.collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for leaf in file.tree().nodes().filter(|node| node.is_leaf()) {
        if set.contains(leaf.text()) {
            *uses.entry(leaf.text()).or_default() += 1;
        }
    }
    let unused = uses.values().filter(|count| **count == 1).count();
    unused >= VARIABLES
}

/// Whether a new file seems to be an excerpt of a larger one: it lacks several definitions, or its language is compiled
/// and the missing name is not a misspelling of one in the file.
fn is_excerpt(file: Node<'_>, missing: &HashSet<&str>) -> bool {
    if missing.len() > 1 {
        return true;
    }
    let is_compiled = matches!(file.tree().grammar().name(), "Java" | "Rust");
    is_compiled && !missing.iter().all(|name| is_misspelling(file, name))
}
