//! An added import that nothing uses.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::symbols::imports::{imported_name, is_certain, unused_imports};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/unused-import",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "PHP",
    ],
    title: "Unused import",
    why: "Nothing in the file uses the import. It costs time to load and misleads readers, and often the code that should \
          use it is missing.",
    fix: "Use it or delete it.",
    references: &[],
    priority: Priority::P3,
    category: Category::Maintainability,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program", "source_file"]),
        run,
    },
    positive: &[
        r#"
path: a.py
+import json
+import os
^
+
+def load(path):
+    return json.load(path)
"#,
        r#"
path: a.js
+import { open, close } from "./door";
^
+export function enter() {
+  open();
+}
"#,
        r#"
path: A.java
+import java.util.List;
+import java.util.Map;
^
+
+class A {
+  List<String> names;
+}
"#,
        r#"
path: a.go
+package a
+
+import (
+	"fmt"
+	"os"
^
+)
+
+func say() {
+	fmt.Println()
+}
"#,
        r#"
path: Cart.php
+namespace Shop;
+
+use Shop\Model\{Item, Order as Purchase};
^
+use Shop\Model\Price;
^
+use function Shop\Text\format;
+
+class Cart
+{
+    public function total(Item $item) { return format($item->Price, $item::Purchase); }
+}
"#,
        r#"
path: a.py
+import json
^
+
+def load(path):
+    json = path.read()
+    return json.text
"#,
        r#"
path: src/a.ts
+import { open, close } from "./door";
^
+export function enter(): void {
+  open();
+}
"#,
    ],
    negative: &[
        r#"
path: a.go
+package a
+
+import (
+	_ "embed"
+	rand "math/rand/v2"
+	"github.com/x/go-y"
+)
+
+var n = rand.IntN(3)
"#,
        r#"
path: a.py
+import json
+import os.path
+
+__all__ = ["Cart", "load"]
+from cart import Cart
+
+def load(path: "Path"):
+    return json.load(path)
+
+from pathlib import Path
"#,
        r#"
path: a.py
+try:
+    import ujson
+except ImportError:
+    ujson_missing = True
+from cart import Cart as Cart
+import plugins  # noqa: F401
"#,
        r#"
path: a.tsx
+import React from "react";
+import { open, Door, type Key } from "./door";
+export { open };
+export const Page = (key: Key) => <Door />;
"#,
        r#"
path: Cart.php
+namespace Shop;
+
+use Doctrine\ORM\Mapping as ORM;
+use Shop\Model\{Item, Order as Purchase, Failed};
+use Shop\Model\Price;
+use function Shop\Text\format;
+use const Shop\LIMIT;
+
+#[ORM\Entity]
+class Cart extends Purchase
+{
+    /** @return Price[] */
+    public function total(ITEM|null $item): array
+    {
+        try { return Format($item, LIMIT); } catch (Failed) { }
+    }
+}
"#,
        r#"
path: A.java
+import static org.junit.Assert.assertTrue;
+import java.util.Map;
+
+/** See {@link Map}. */
+class A {
+  void f() { assertTrue(true); }
+}
"#,
        r#"
path: src/a.js
+import { open, close } from "./door";
+export function enter() {
+  open();
+  close();
+}
"#,
        r#"
path: src/a.ts
+import { Door, open } from "./door";
+export function enter(door: Door): void {
+  open(door);
+}
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for name in unused_imports(node.tree(), context.file.path)
        .into_iter()
        .filter(|name| is_certain(*name))
    {
        let imported = imported_name(name);
        if context.file.language == "Go" {
            let summary = format!(
                "The package `{imported}` is imported and not used: the file does not compile."
            );
            sink.report(name, summary).priority(Priority::P1);
        } else {
            sink.report(name, format!("The import `{imported}` is not used."));
        }
    }
}
