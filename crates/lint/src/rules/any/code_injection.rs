//! Code that a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/code-injection",
    languages: taint::LANGUAGES,
    title: "Value from the request run as code",
    why: "What the request says is run as part of the program. There is nothing that the sender cannot do: \
          read secrets, change data, start programs.",
    fix: "Do not run text as code. Parse data with a parser (JSON, a literal reader) and choose functions \
          from a fixed table.",
    priority: Priority::P0,
    category: Category::Security,
    confidence: 0.9,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Code, "is run as code here", sink),
    },
    fires: &[
        "path: src/a.py\n@@ def calc():\n     text = request.form[\"formula\"]\n+    return str(eval(text))\n^\n",
        "path: src/a.js\n app.post(\"/calc\", (req, res) => {\n+  const value = eval(req.body.formula);\n^\n   res.json({ value });\n });\n",
        "path: src/a.js\n+const run = new Function(\"x\", location.hash.slice(1));\n^\n",
        "path: src/a.php\n <?php\n+$object = call_user_func($_GET[\"do\"]);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def calc():\n     text = request.form[\"formula\"]\n+    return str(ast.literal_eval(text))\n",
        "path: src/a.js\n app.post(\"/calc\", (req, res) => {\n+  setTimeout(() => run(req.body.id), 10);\n });\n",
        "path: src/a.py\n def calc(text):\n+    return model.eval(text)\n",
    ],
};
