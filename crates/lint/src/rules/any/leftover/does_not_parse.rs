//! Code that the parser of its language refuses.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/does-not-parse",
    languages: &[],
    title: "Code that does not parse",
    why: "The file was valid before this change, or is new, and is not valid any more. It cannot be compiled, imported or loaded, \
          so everything that uses it fails.",
    fix: "Look for a missing or superfluous bracket, quote, comma or keyword on this line and above it.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Syntax { summary },
    positive: &[
        "path: src/a.py\n+def area(width:\n^\n+    return width\n",
        "path: package.json\n+{\n+  \"name\": \"shop\",\n^\n+}\n",
        "path: src/A.java\n+class A {\n+    int b() {\n+        return (1;\n^\n+    }\n+}\n",
        "path: src/a.go\n package a\n \n import \"fmt\"\n \n func f() {\n-\tfmt.Println(1)\n+\tfmt.Println(1\n^\n }\n",
        "path: src/a.js\n+export const a = (1;\n^\n",
        "path: src/a.rs\n use std::fs;\n \n fn f() {\n     if a {\n         b();\n-    }\n^\n     c();\n }\n",
    ],
    negative: &[
        "path: src/a.py\n+def area(width):\n+    return width\n",
        "path: package.json\n+{\n+  \"name\": \"shop\"\n+}\n",
        "path: tsconfig.json\n+{\n+  // strict\n+  \"strict\": true,\n+}\n",
        "path: src/a.ts\n+export const a = (1;\n",
        "path: src/a.go\n-\tfmt.Println(1)\n+\tfmt.Println(1\n",
        "path: chart/values.json\n+{\n+  \"name\": {{ .Values.name }}\n+}\n",
        "path: src/a.py\n-def area(width:\n+def area(width, height:\n     return width\n",
        "path: tests/data/broken.py\n+def area(width:\n",
    ],
};

fn summary(language: &str) -> String {
    format!("This is not valid {language}: the parser cannot read the code here.")
}
