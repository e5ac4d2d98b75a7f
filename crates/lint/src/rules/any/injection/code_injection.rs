//! Code that is built from a request.

use review::{Category, Priority};

use crate::rule::tainted;
use crate::rule::{Check, Rule, Tests};
use crate::semantics::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/code-injection",
    languages: taint::LANGUAGES,
    title: "Value from the request executed as code",
    why: "The input of the request runs as part of the program. Its sender can do anything that the process can: read \
          secrets, change data, start programs.",
    fix: "Do not execute strings as code. Parse data with a parser, such as one for JSON or literals, and select \
          functions from a fixed table.",
    references: &["CWE-94", "CWE-95"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| tainted::report(node, Kind::Code, "is run as code here", sink),
    },
    positive: &[
        "path: src/a.py\n@@ def calc():\n     text = request.form[\"formula\"]\n+    return str(eval(text))\n^\n",
        "path: src/a.js\n app.post(\"/calc\", (req, res) => {\n+  const value = eval(req.body.formula);\n^\n   res.json({ value });\n });\n",
        "path: src/a.js\n+const run = new Function(\"x\", location.hash.slice(1));\n^\n",
        "path: src/a.php\n <?php\n+$object = call_user_func($_GET[\"do\"]);\n^\n",
    ],
    negative: &[
        "path: src/a.py\n@@ def calc():\n     text = request.form[\"formula\"]\n+    return str(ast.literal_eval(text))\n",
        "path: src/a.js\n app.post(\"/calc\", (req, res) => {\n+  setTimeout(() => run(req.body.id), 10);\n });\n",
        "path: src/a.py\n def calc(text):\n+    return model.eval(text)\n",
    ],
};
