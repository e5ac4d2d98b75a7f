//! XPath expressions with parts from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::Kind;

pub(crate) const RULE: Rule = Rule {
    id: "any/xpath-injection",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby",
    ],
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
        r#"
path: src/A.java
@@ NodeList find(HttpServletRequest request) throws XPathExpressionException {
+        return (NodeList) xpath.evaluate("//user[@name='" + request.getParameter("name") + "']", document, NODESET);
^
"#,
        r#"
path: src/a.go
 func find(r *http.Request) (*xpath.Expr, error) {
+	return xpath.Compile("//user[@name='" + r.FormValue("name") + "']")
^
 }
"#,
        r#"
path: src/A.cs
 public XmlNode Find(XmlDocument document)
 {
+    return document.SelectSingleNode("//user[@name='" + Request.Query["name"] + "']");
^
 }
"#,
        r#"
path: src/a.php
 <?php
+$users = $document->xpath("//user[@name='" . $_GET["name"] . "']");
^
"#,
        r#"
path: src/a.rb
 def find
+  doc.xpath("//user[@name='#{params[:name]}']")
^
 end
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
        r#"
path: src/A.java
@@ NodeList find(HttpServletRequest request) throws XPathExpressionException {
+        variables.put("name", request.getParameter("name"));
+        return (NodeList) xpath.evaluate("//user[@name=$name]", document, NODESET);
"#,
        r#"
path: src/a.go
 func find(r *http.Request) (*xpath.Expr, error) {
+	id, err := strconv.Atoi(r.FormValue("id"))
+	if err != nil {
+		return nil, err
+	}
+	return xpath.Compile(fmt.Sprintf("//user[@id=%d]", id))
 }
"#,
        r#"
path: src/A.cs
 public XmlNode Find(XmlDocument document)
 {
+    return document.SelectSingleNode("//user[@id=" + int.Parse(Request.Query["id"]) + "]");
 }
"#,
        r#"
path: src/a.php
 <?php
+$users = $document->xpath("//user[@id=" . intval($_GET["id"]) . "]");
"#,
        r#"
path: src/a.rb
 def find
+  doc.xpath("//user[@id=#{params[:id].to_i}]")
 end
"#,
    ],
};
