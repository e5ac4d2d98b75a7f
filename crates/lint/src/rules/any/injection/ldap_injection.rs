//! LDAP filters that are built from a request.

use review::{Category, Priority};

use crate::rule::tainted;
use crate::rule::{Check, Rule, Tests};
use crate::semantics::taint::{self, Kind};

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
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + name + \")\")\n^\n",
        "path: src/A.java\n@@ void find(HttpServletRequest request) throws NamingException {\n+        context.search(\"ou=people\", \"(uid=\" + request.getParameter(\"name\") + \")\", controls);\n^\n",
    ],
    negative: &[
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + escape_filter_chars(name) + \")\")\n",
        "path: src/a.py\n@@ def find():\n     name = request.args[\"name\"]\n+    return re.search(r\"a+\", name)\n",
    ],
};
