//! An import whose last use the change removed.

use std::collections::{HashMap, HashSet};

use lint::{ChangeContext, Check, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::imports::{imported_name, unused_imports};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/import-left-unused",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "PHP",
    ],
    title: "Import left unused by the change",
    why: "The change removes the last use of the import. It costs time to load and misleads readers.",
    fix: "Delete the import.",
    references: &[],
    priority: Priority::P3,
    category: Category::Maintainability,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: a.py (whole file)
 import json
 import yaml
 
 def load(path):
-    return yaml.load(path)
^
+    return json.load(path)
"#,
        r#"
path: Cart.php (whole file)
 namespace Shop;
 
 use Shop\Model\Item;
 use Shop\Text;
 
 class Cart
 {
-    public function name(Item $item) { return Text\trim($item->name); }
^
+    public function name(Item $item) { return trim($item->name); }
 }
"#,
        r#"
path: a.go (whole file)
 package a
 
 import (
 	"fmt"
 	"github.com/x/yaml/v3"
 )
 
 func say() {
-	yaml.Load()
^
+	fmt.Println()
 	fmt.Println()
 }
"#,
        r#"
path: a.kt (whole file)
 package notes

 import notes.text.trimmed
 import notes.text.Line as TextLine

-fun show(text: String) = TextLine(text.trimmed())
^
+fun show(text: String) = TextLine(text.trim())
"#,
        r#"
path: a.js (whole file)
 import { total } from "./prices";
 import { round } from "./numbers";

 export function show(cart) {
-  return round(total(cart));
^
+  return total(cart);
 }
"#,
        r#"
path: A.java (whole file)
 package shop;

 import java.util.List;
 import java.util.Collections;

 class A {
     List<String> names() {
-        return Collections.unmodifiableList(names);
^
+        return names;
     }
 }
"#,
    ],
    negative: &[
        r#"
path: a.kt (whole file)
 package notes

 import notes.text.getValue
 import notes.text.title
 import notes.text.trimmed
 import notes.text.Line

 /** Shows a [Line]. */
 class Page(text: String) {
-    val shown by lazy { Line(trimmed(text)) }
+    val shown by lazy { "${title}" trimmed text }
 }
"#,
        r#"
path: a.py (whole file)
 import json
-import yaml
 
 def load(path):
-    return yaml.load(path)
+    return json.load(path)
"#,
        r#"
path: a.py (whole file)
 import json
 import plugins
 
 def load(path):
-    return json.load(path)
+    return json.loads(path)
"#,
        r#"
path: Cart.php (whole file)
 namespace Shop;
 
 use Shop\Model\Item;
 use Shop\Text;
 
 class Cart
 {
     /** @param Text\Line $line */
-    public function name(Item $item, $line) { return Text\trim($item->name); }
+    public function name(item $item, $line) { return trim($item->name); }
 }
"#,
        r#"
path: a.go (whole file)
 package a
 
 import (
 	"fmt"
 	"github.com/x/y"
 )
 
 func say() {
-	fmt.Print()
+	fmt.Println()
 	z.Print()
 }
"#,
        r#"
path: a.js (whole file)
 import { total } from "./prices";
 import { round } from "./numbers";

 export function show(cart) {
-  return round(total(cart));
+  return round(total(cart), 2);
 }
"#,
        r#"
path: A.java (whole file)
 package shop;

 import java.util.List;
 import java.util.Collections;

 class A {
     List<String> names() {
-        return Collections.unmodifiableList(names);
+        return Collections.emptyList();
     }
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let left = unused_imports(context.new, context.file.path);
    if left.is_empty() {
        return;
    }
    let unused = unused_imports(context.old, context.file.path);
    let before: HashSet<&str> = unused.into_iter().map(imported_name).collect();
    let changed = context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_leaf());
    let last_uses: HashMap<&str, Node<'_>> = changed.map(|leaf| (leaf.text(), leaf)).collect();
    let is_go = context.file.language == "Go";
    for name in left
        .into_iter()
        .filter(|name| !name.touches_change() && !before.contains(imported_name(*name)))
    {
        let imported = imported_name(name);
        let Some(used) = last_uses.get(imported).copied() else {
            continue;
        };
        let line = name.line().unwrap_or_default();
        if is_go {
            let summary = format!(
                "This was the last use of the package `{imported}`, which line {line} still imports: the file does not compile."
            );
            sink.report(used, summary).priority(Priority::P1);
        } else {
            sink.report(
                used,
                format!("This was the last use of `{imported}`, which line {line} still imports."),
            );
        }
    }
}
