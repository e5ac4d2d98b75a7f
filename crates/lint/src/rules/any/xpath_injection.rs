//! XPath expressions that a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/xpath-injection",
    languages: taint::LANGUAGES,
    title: "XPath expression put together from the request",
    why: "A quote in the value ends the literal in the expression and goes on as XPath: the condition can \
          be made true for every node, and any part of the document can be read.",
    fix: "Use variables of the XPath library for values, or check the value against a narrow pattern \
          first.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Xpath, "becomes part of an XPath expression", sink),
    },
    fires: &[
        "path: src/a.py\n@@ def find(tree):\n     name = request.args[\"name\"]\n+    return tree.xpath(\"//user[@name='\" + name + \"']\")\n^\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const nodes = xpath.select(\"//user[@id='\" + req.query.id + \"']\", doc);\n^\n   res.json(nodes);\n });\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def find(tree):\n     name = request.args[\"name\"]\n+    return tree.xpath(\"//user[@name=$name]\", name=name)\n",
    ],
};
