//! An import whose last use the change removed.

use std::collections::{HashMap, HashSet};

use review::{Category, Priority};

use crate::change::ChangeContext;
use crate::rule::{Check, Rule, Sink, Tests};
use crate::semantics::symbols::imports::{imported_name, unused_imports};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/import-left-unused",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go"],
    title: "Import left unused by the change",
    why: "The change removes the last use of the import. It costs time to load and misleads readers.",
    fix: "Delete the import.",
    references: &[],
    priority: Priority::P3,
    category: Category::Maintainability,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        "path: a.py (whole file)\n import json\n import yaml\n \n def load(path):\n-    return yaml.load(path)\n^\n+    return json.load(path)\n",
        "path: a.go (whole file)\n package a\n \n import (\n \t\"fmt\"\n \t\"github.com/x/yaml/v3\"\n )\n \n func say() {\n-\tyaml.Load()\n^\n+\tfmt.Println()\n \tfmt.Println()\n }\n",
    ],
    negative: &[
        "path: a.py (whole file)\n import json\n-import yaml\n \n def load(path):\n-    return yaml.load(path)\n+    return json.load(path)\n",
        "path: a.py (whole file)\n import json\n import plugins\n \n def load(path):\n-    return json.load(path)\n+    return json.loads(path)\n",
        "path: a.go (whole file)\n package a\n \n import (\n \t\"fmt\"\n \t\"github.com/x/y\"\n )\n \n func say() {\n-\tfmt.Print()\n+\tfmt.Println()\n \tz.Print()\n }\n",
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
