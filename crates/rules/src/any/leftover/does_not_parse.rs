//! Code that the parser of its language rejects.

use lint::{Check, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/does-not-parse",
    languages: &[],
    title: "Code does not parse",
    why: "The file was valid before this change, or is new, and is no longer valid. It cannot be compiled, imported or loaded, \
          so everything that uses it fails.",
    fix: "Look for a missing or superfluous bracket, quote, comma or keyword on this line and above it.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Syntax { summary },
    positive: &[
        r#"
path: src/a.py
+def area(width:
^
+    return width
"#,
        r#"
path: package.json
+{
+  "name": "shop",
^
+}
"#,
        r#"
path: src/A.java
+class A {
+    int b() {
+        return (1;
^
+    }
+}
"#,
        r#"
path: src/a.go
 package a
 
 import "fmt"
 
 func f() {
-	fmt.Println(1)
+	fmt.Println(1
^
 }
"#,
        r#"
path: src/a.js
+export const a = (1;
^
"#,
        r#"
path: src/a.ts
+export const a = (1;
^
"#,
        r#"
path: src/a.rs
 use std::fs;
 
 fn f() {
     if a {
         b();
-    }
^
     c();
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.cc (whole file)
+int f()
+{
+    IF_OLD(int, long) const i = 1;
+    if (auto const r = g(i); r != 0)
+    {
+        return r;
+    }
+    return 0;
+}
"#,
        r#"
path: src/a.go
+package a
+
+var count = new(uint64(3))
"#,
        r#"
path: src/a.ts
+export const all = { ...(await load<typeof import("./a")>()) };
"#,
        r#"
path: src/a.py
+def area(width):
+    return width
"#,
        r#"
path: package.json
+{
+  "name": "shop"
+}
"#,
        r#"
path: tsconfig.json
+{
+  // strict
+  "strict": true,
+}
"#,
        r#"
path: src/a.go
-	fmt.Println(1)
+	fmt.Println(1
"#,
        r#"
path: chart/values.json
+{
+  "name": {{ .Values.name }}
+}
"#,
        r#"
path: src/a.py
-def area(width:
+def area(width, height:
     return width
"#,
        r#"
path: tests/data/broken.py
+def area(width:
"#,
    ],
};

fn summary(language: &str) -> String {
    format!("This is not valid {language}: the parser cannot read the code here.")
}
