//! Regular expressions that a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/regex-injection",
    languages: taint::LANGUAGES,
    title: "Regular expression taken from the request",
    why: "The sender decides how the search works: with a pattern such as `(a+)+$` one request keeps a \
          processor busy for minutes, and a pattern that matches everything gets round a check.",
    fix: "Escape the value before it becomes part of a pattern, or search for plain text.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Pattern, "becomes a regular expression", sink),
    },
    fires: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(pattern, TEXT)\n^\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = names.filter((name) => new RegExp(req.query.name).test(name));\n^\n   res.json(found);\n });\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def find():\n     pattern = request.args[\"pattern\"]\n+    return re.search(re.escape(pattern), TEXT)\n+    # found\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const found = new RegExp(escapeRegExp(req.query.name)).test(name);\n });\n",
    ],
};
