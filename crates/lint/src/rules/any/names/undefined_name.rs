//! An added use of a name that nothing defines.

use std::collections::HashSet;

use review::{Category, LineKind, Priority, Status};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::symbols::missing::{missing, words};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/undefined-name",
    languages: &["Python", "JavaScript", "TypeScript", "TSX"],
    title: "Undefined name",
    why: "Nothing in the file defines or imports the name, and it is not built in. The line fails with an error as soon \
          as it runs.",
    fix: "Define or import the name, or correct its spelling.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["module", "program"]),
        run,
    },
    positive: &[
        "path: a.py\n+import json\n+\n+def load(path):\n+    with open(path) as file:\n+        return json.load(flie)\n^\n",
        "path: a.js\n+import { open } from \"./door\";\n+\n+export function enter(door) {\n+  open(doro);\n^\n+}\n",
        "path: a.tsx\n+import { Door } from \"./door\";\n+\n+export const Page = () => <Door><Windov /></Door>;\n^\n",
        "path: a.py\n+class Cart:\n+    def total(self, items: list[int]) -> int:\n+        return sum(items) + self.tax(datetime.now())\n^\n",
    ],
    negative: &[
        "path: a.py\n+import json\n+\n+def load(path):\n+    with open(path) as file:\n+        return json.load(file)\n",
        "path: a.py\n+from door import *\n+\n+def load(path):\n+    return enter(path)\n",
        "path: a.py\n+try:\n+    text = unicod\n+except NameError:\n+    text = str\n+\n+def set_it(source):\n+    exec(source)\n+    return made\n",
        "path: a.py\n+def f(items, *rest, key=None, **more):\n+    global count\n+    count = 1\n+    if (size := len(items)) > 1:\n+        return [size + x for x in items for y in x if y], lambda z: z + count\n+    match items:\n+        case {\"a\": a, **others}:\n+            return a, others\n+        case [first, *last] as all:\n+            return first, last, all\n+    try:\n+        pass\n+    except* ValueError as error:\n+        return error\n",
        "path: a.js\n+import { open } from \"./door\";\n+\n+export function enter(door) {\n+  if (typeof analytics !== \"undefined\") analytics.send(door, VERSION);\n+  return open(door);\n+}\n",
        "path: a.js\n+export async function enter() {\n+  await api.reset();\n+  toast(\"done\");\n+}\n",
        "path: a.js\n+function enter(door) {\n+  return openIt(door);\n+}\n",
        "path: a.js\n+/* global tracker */\n+export const enter = (door) => tracker.send(door);\n",
        "path: a.ts\n+import { paint } from \"./door\";\n+\n+export const enter = () => paint(dedent`a ${paint} b`);\n",
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if context.file.path.ends_with(".pyi") || context.file.path.ends_with(".d.ts") {
        return;
    }
    let missing = missing(node.tree());
    let names: HashSet<&str> = missing.iter().map(|used| used.text()).collect();
    // A new file that lacks several definitions is an excerpt.
    if names.is_empty() || names.len() > 1 && context.file.status == Status::Added {
        return;
    }
    // What the old file used without a definition is defined elsewhere. `any/definition-removed` judges the names of removed lines.
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
    for used in missing {
        if known.insert(used.text()) {
            sink.report(
                used,
                format!(
                    "`{}` is not defined: nothing in this file defines or imports it.",
                    used.text()
                ),
            );
        }
    }
}
