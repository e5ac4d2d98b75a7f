//! Log lines that a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/log-injection",
    languages: taint::LANGUAGES,
    title: "Log entry with text from the request",
    why: "Line ends in the value start a new entry: whoever sends it can forge entries, hide others, and \
          in a log viewer that shows HTML even run a script.",
    fix: "Take line ends out of the value, or log it as a field of a structured entry.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Log, "goes into the log with its line ends", sink),
    },
    fires: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  console.log(\"login of \" + req.query.name);\n^\n });\n",
        "path: src/a.py\n@@ def login():\n     name = request.args[\"name\"]\n+    logging.info(\"login of \" + name)\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  console.log(\"login of \" + req.query.name.replace(/\\n/g, \"\"));\n });\n",
        "path: src/a.py\n def login(name):\n+    logging.info(\"login of \" + name)\n",
    ],
};
