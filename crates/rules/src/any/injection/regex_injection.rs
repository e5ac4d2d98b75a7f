//! Regular expressions with parts from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};

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
        r#"
path: src/a.py
@@ def find():
     pattern = request.args["pattern"]
+    return re.search(pattern, TEXT)
^
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const found = names.filter((name) => new RegExp(req.query.name).test(name));
^
   res.json(found);
 });
"#,
    ],
    negative: &[
        r#"
path: src/a.py
@@ def find():
     pattern = request.args["pattern"]
+    return re.search(re.escape(pattern), TEXT)
+    # found
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const found = new RegExp(escapeRegExp(req.query.name)).test(name);
 });
"#,
    ],
};
