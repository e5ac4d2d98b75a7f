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
        r#"
path: src/A.java
@@ boolean find(HttpServletRequest request) {
+        return Pattern.compile(request.getParameter("pattern")).matcher(TEXT).find();
^
"#,
        r#"
path: src/a.kt
 fun Route.find() = get("/find") {
+    val pattern = Regex(call.parameters["pattern"]!!)
^
     call.respond(names.filter { pattern.matches(it) })
 }
"#,
        r#"
path: src/a.go
 func find(w http.ResponseWriter, r *http.Request) {
+	pattern, err := regexp.Compile(r.FormValue("pattern"))
^
 	show(w, pattern, err)
 }
"#,
        r#"
path: src/A.cs
 public bool Find()
 {
+    return Regex.IsMatch(text, Request.Query["pattern"]);
^
 }
"#,
        r#"
path: src/a.php
 <?php
+$found = preg_match("/" . $_GET["pattern"] . "/", $text);
^
"#,
        r#"
path: src/a.rb
 def find
+  TEXT.scan(Regexp.new(params[:pattern]))
^
 end
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
        r#"
path: src/A.java
@@ boolean find(HttpServletRequest request) {
+        return Pattern.compile(Pattern.quote(request.getParameter("text"))).matcher(TEXT).find();
"#,
        r#"
path: src/a.kt
 fun Route.find() = get("/find") {
+    val pattern = Regex(Regex.escape(call.parameters["text"]!!))
     call.respond(names.filter { pattern.matches(it) })
 }
"#,
        r#"
path: src/a.go
 func find(w http.ResponseWriter, r *http.Request) {
+	pattern, err := regexp.Compile(regexp.QuoteMeta(r.FormValue("text")))
 	show(w, pattern, err)
 }
"#,
        r#"
path: src/A.cs
 public bool Find()
 {
+    return Regex.IsMatch(text, Regex.Escape(Request.Query["text"]));
 }
"#,
        r#"
path: src/a.php
 <?php
+$found = preg_match("/" . preg_quote($_GET["text"], "/") . "/", $text);
"#,
        r#"
path: src/a.rb
 def find
+  TEXT.scan(Regexp.new(Regexp.escape(params[:text])))
 end
"#,
    ],
};
