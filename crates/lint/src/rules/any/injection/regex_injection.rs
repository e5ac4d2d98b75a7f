//! Regular expressions with parts from a request.

use review::{Category, Priority};

use crate::rule::tainted;
use crate::rule::{Check, Rule, Tests};
use crate::semantics::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-injection",
    languages: taint::LANGUAGES,
    title: "Regular expression built from the request",
    why: "The sender controls how the search works: with a pattern such as `(a+)+$` a single request occupies a \
          processor for minutes, and a pattern that matches everything bypasses a check.",
    fix: "Escape the value before it becomes part of a pattern, or search for a plain string.",
    references: &["CWE-400"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            tainted::report(node, Kind::Pattern, "becomes a regular expression", sink)
        },
    },
    positive: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(pattern, TEXT)\n^\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = names.filter((name) => new RegExp(req.query.name).test(name));\n^\n   res.json(found);\n });\n",
    ],
    negative: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(re.escape(pattern), TEXT)\n+    # found\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = new RegExp(escapeRegExp(req.query.name)).test(name);\n });\n",
    ],
};
