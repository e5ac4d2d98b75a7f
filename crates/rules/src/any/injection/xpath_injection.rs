//! XPath expressions with parts from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/xpath-injection",
    languages: taint::LANGUAGES,
    title: "XPath expression built from the request",
    why: "A quote in the value ends its literal and continues as XPath: the condition can be made true for every \
          node, and any part of the document can be read.",
    fix: "Pass the value as a variable of the XPath library, or check it against a strict pattern first.",
    references: &["CWE-643"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            tainted::report(
                node,
                Kind::Xpath,
                "becomes part of an XPath expression",
                sink,
            )
        },
    },
    positive: &[
        r#"
path: src/a.py
@@ def find(tree):
     name = request.args["name"]
+    return tree.xpath("//user[@name='" + name + "']")
^
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const nodes = xpath.select("//user[@id='" + req.query.id + "']", doc);
^
   res.json(nodes);
 });
"#,
    ],
    negative: &[
        r#"
path: src/a.py
@@ def find(tree):
     name = request.args["name"]
+    return tree.xpath("//user[@name=$name]", name=name)
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const nodes = xpath.select("//user[@id='1']", parse(req.query.xml));
   res.json(nodes);
 });
"#,
    ],
};
