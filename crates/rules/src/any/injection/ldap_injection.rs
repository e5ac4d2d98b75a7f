//! LDAP filters that are built from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::Kind;

pub(crate) const RULE: Rule = Rule {
    id: "any/ldap-injection",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby",
    ],
    title: "LDAP filter built from request data",
    why: "Parentheses, `*` and `|` in the value change the meaning of the filter: an attacker can make a login check \
          succeed for any account and read entries that should not be accessible.",
    fix: "Escape the value for LDAP filters or names before it is inserted.",
    references: &["CWE-90"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            tainted::report(node, Kind::Ldap, "becomes part of an LDAP query", sink)
        },
    },
    positive: &[
        r#"
path: src/a.py
@@ def find(connection):
     name = request.args["name"]
+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, "(uid=" + name + ")")
^
"#,
        r#"
path: src/A.java
@@ void find(HttpServletRequest request) throws NamingException {
+        context.search("ou=people", "(uid=" + request.getParameter("name") + ")", controls);
^
"#,
        r#"
path: src/a.js
 app.get("/people", (req, res) => {
+  client.search("uid=" + req.query.name + ",ou=people", options, done);
^
 });
"#,
        r#"
path: src/a.go
 func find(r *http.Request) *ldap.SearchRequest {
+	return ldap.NewSearchRequest(base, scope, deref, 0, 0, false, "(uid="+r.FormValue("name")+")", nil, nil)
^
 }
"#,
        r#"
path: src/A.cs
 public SearchResult Find()
 {
+    var searcher = new DirectorySearcher("(uid=" + Request.Query["name"] + ")");
^
     return searcher.FindOne();
 }
"#,
        r#"
path: src/a.php
 <?php
+$found = ldap_search($connection, $base, "(uid=" . $_GET["name"] . ")");
^
"#,
        r#"
path: src/a.rb
 def find
+  ldap.search(base: BASE, filter: "(uid=#{params[:name]})")
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.py
@@ def find(connection):
     name = request.args["name"]
+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, "(uid=" + escape_filter_chars(name) + ")")
"#,
        r#"
path: src/a.py
@@ def find():
     name = request.args["name"]
+    return re.search(r"a+", name)
"#,
        r#"
path: src/a.js
 app.get("/people", (req, res) => {
+  client.search("ou=people", { filter: new EqualityFilter({ attribute: "uid", value: req.query.name }) }, done);
 });
"#,
        r#"
path: src/A.java
@@ void find(HttpServletRequest request) throws NamingException {
+        context.search("ou=people", "(uid={0})", new Object[] {request.getParameter("name")}, controls);
"#,
        r#"
path: src/a.go
 func find(r *http.Request) *ldap.SearchRequest {
+	name := ldap.EscapeFilter(r.FormValue("name"))
+	return ldap.NewSearchRequest(base, scope, deref, 0, 0, false, "(uid="+name+")", nil, nil)
 }
"#,
        r#"
path: src/A.cs
 public SearchResult Find()
 {
+    var searcher = new DirectorySearcher("(uid=" + Encoder.LdapFilterEncode(Request.Query["name"]) + ")");
     return searcher.FindOne();
 }
"#,
        r#"
path: src/a.php
 <?php
+$found = ldap_search($connection, $base, "(uid=" . ldap_escape($_GET["name"], "", LDAP_ESCAPE_FILTER) . ")");
"#,
        r#"
path: src/a.rb
 def find
+  ldap.search(base: BASE, filter: "(objectClass=person)")
 end
"#,
    ],
};
