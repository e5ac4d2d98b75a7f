//! LDAP filters that a request writes.

use review::{Category, Priority};

use crate::rule::{Check, Rule, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/ldap-injection",
    languages: taint::LANGUAGES,
    title: "LDAP filter put together from the request",
    why: "Brackets, `*` and `|` in the value change what the filter means: a login check can be made true \
          for anybody, and entries can be read that were not meant.",
    fix: "Escape the value for LDAP filters or names before it goes in.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node {
        on: taint::ON,
        run: |node, _, sink| taint::report(node, Kind::Ldap, "becomes part of an LDAP query", sink),
    },
    fires: &[
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + name + \")\")\n^\n",
        "path: src/A.java\n@@ void find(HttpServletRequest request) throws NamingException {\n+        context.search(\"ou=people\", \"(uid=\" + request.getParameter(\"name\") + \")\", controls);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + escape_filter_chars(name) + \")\")\n",
        "path: src/a.py\n@@ def find():\n     name = request.args[\"name\"]\n+    return re.search(r\"a+\", name)\n",
    ],
};
