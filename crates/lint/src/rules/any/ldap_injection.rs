//! LDAP filters that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/ldap-injection",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "LDAP filter put together from the request",
    why: "Brackets, `*` and `|` in the value change what the filter means: a login check can be made true \
          for anybody, and entries can be read that were not meant.",
    fix: "Escape the value for LDAP filters or names before it goes in.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.8,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + name + \")\")\n^\n",
        "path: src/A.java\n@@ void find(HttpServletRequest request) throws NamingException {\n+        context.search(\"ou=people\", \"(uid=\" + request.getParameter(\"name\") + \")\", controls);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def find(connection):\n     name = request.args[\"name\"]\n+    return connection.search_s(BASE, ldap.SCOPE_SUBTREE, \"(uid=\" + escape_filter_chars(name) + \")\")\n",
        "path: src/a.py\n@@ def find():\n     name = request.args[\"name\"]\n+    return re.search(r\"a+\", name)\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Ldap) {
        sink.report(
            value,
            format!("`{}` comes from the request and becomes part of an LDAP query.", quote(source.text())),
        );
    }
}
