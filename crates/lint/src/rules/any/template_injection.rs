//! Templates whose text a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/template-injection",
    languages: taint::LANGUAGES,
    title: "Template made from the request",
    why: "A template engine runs what stands in the text of a template. If the request writes part of that \
          text, it can call functions and read objects on the server.",
    fix: "Keep the template constant and hand the value over as data for it.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Template, "becomes part of a template's text", sink),
    },
    fires: &[
        "path: src/a.py\n@@ def hello():\n     name = request.args[\"name\"]\n+    return render_template_string(\"<h1>Hello \" + name + \"</h1>\")\n^\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  const page = pug.compile(\"p \" + req.query.text);\n^\n   res.send(page());\n });\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def hello():\n     name = request.args[\"name\"]\n+    return render_template_string(\"<h1>Hello {{ name }}</h1>\", name=name)\n",
        "path: src/a.js\n+const page = pug.compile(source);\n",
    ],
};
