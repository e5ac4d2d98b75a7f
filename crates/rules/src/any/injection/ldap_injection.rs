//! LDAP filters that are built from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/ldap-injection",
    languages: taint::LANGUAGES,
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
    ],
};
