//! An added import that nothing uses.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::symbols::imports::{imported_name, is_certain, unused_imports};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/unused-import",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go"],
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
        "path: a.py\n+import json\n+import os\n^\n+\n+def load(path):\n+    return json.load(path)\n",
        "path: a.js\n+import { open, close } from \"./door\";\n^\n+export function enter() {\n+  open();\n+}\n",
        "path: A.java\n+import java.util.List;\n+import java.util.Map;\n^\n+\n+class A {\n+  List<String> names;\n+}\n",
        "path: a.go\n+package a\n+\n+import (\n+\t\"fmt\"\n+\t\"os\"\n^\n+)\n+\n+func say() {\n+\tfmt.Println()\n+}\n",
        "path: a.py\n+import json\n^\n+\n+def load(path):\n+    json = path.read()\n+    return json.text\n",
    ],
    negative: &[
        "path: a.go\n+package a\n+\n+import (\n+\t_ \"embed\"\n+\trand \"math/rand/v2\"\n+\t\"github.com/x/go-y\"\n+)\n+\n+var n = rand.IntN(3)\n",
        "path: a.py\n+import json\n+import os.path\n+\n+__all__ = [\"Cart\", \"load\"]\n+from cart import Cart\n+\n+def load(path: \"Path\"):\n+    return json.load(path)\n+\n+from pathlib import Path\n",
        "path: a.py\n+try:\n+    import ujson\n+except ImportError:\n+    ujson_missing = True\n+from cart import Cart as Cart\n+import plugins  # noqa: F401\n",
        "path: a.tsx\n+import React from \"react\";\n+import { open, Door, type Key } from \"./door\";\n+export { open };\n+export const Page = (key: Key) => <Door />;\n",
        "path: A.java\n+import static org.junit.Assert.assertTrue;\n+import java.util.Map;\n+\n+/** See {@link Map}. */\n+class A {\n+  void f() { assertTrue(true); }\n+}\n",
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
