//! Log entries that are built from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::Kind;

pub(crate) const RULE: Rule = Rule {
    id: "any/log-injection",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby",
    ],
    title: "Log entry with unsanitized request data",
    why: "Line breaks in the value start a new entry: an attacker can forge entries, hide others and, in a log viewer \
          that renders HTML, even run a script.",
    fix: "Remove line breaks from the value, or log it as a field of a structured entry.",
    references: &["CWE-117"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            tainted::report(
                node,
                Kind::Log,
                "goes into the log with its line ends",
                sink,
            )
        },
    },
    positive: &[
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  console.log("login of " + req.query.name);
^
 });
"#,
        r#"
path: src/a.py
@@ def login():
     name = request.args["name"]
+    logging.info("login of " + name)
^
"#,
        r#"
path: src/A.java
@@ void login(HttpServletRequest request) {
+        logger.info("login of " + request.getParameter("name"));
^
"#,
        r#"
path: src/a.go
 func login(w http.ResponseWriter, r *http.Request) {
+	log.Printf("login of %s", r.FormValue("name"))
^
 }
"#,
        r#"
path: src/A.cs
 public void Login()
 {
+    _logger.LogInformation("login of " + Request.Query["name"]);
^
 }
"#,
        r#"
path: src/a.php
 <?php
+error_log("login of " . $_POST["name"]);
^
"#,
        r#"
path: src/a.rb
 def login
+  logger.info("login of #{params[:name]}")
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  console.log("login of " + req.query.name.replace(/\n/g, ""));
 });
"#,
        r#"
path: src/a.py
 def login(name):
+    logging.info("login of " + name)
"#,
        r#"
path: src/A.java
@@ void login(HttpServletRequest request) {
+        logger.info("login of " + request.getParameter("name").replace('\n', ' '));
"#,
        r#"
path: src/a.go
 func login(w http.ResponseWriter, r *http.Request) {
+	log.Printf("login of %s", strings.ReplaceAll(r.FormValue("name"), "\n", ""))
 }
"#,
        r#"
path: src/A.cs
 public void Login()
 {
+    _logger.LogInformation("login of " + Request.Query["name"].ToString().Replace("\n", ""));
 }
"#,
        r#"
path: src/a.php
 <?php
+error_log("login of " . str_replace(["\r", "\n"], "", $_POST["name"]));
"#,
        r#"
path: src/a.rb
 def login
+  logger.info("login of #{params[:id].to_i}")
 end
"#,
    ],
};
