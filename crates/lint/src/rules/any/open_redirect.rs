//! Redirects to an address that a request chooses.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/open-redirect",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "Redirect to an address from the request",
    why: "A link to this site then leads to any other site. People trust the name that they see, and land \
          on a copy of the login page. With `javascript:` addresses in a browser it even runs code.",
    fix: "Redirect only to paths of this site, or look the target up in a fixed list.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n+    return redirect(target)\n^\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(req.query.url);\n^\n });\n",
        "path: src/A.java\n@@ void go(HttpServletRequest request, HttpServletResponse response) throws IOException {\n+        response.sendRedirect(request.getParameter(\"url\"));\n^\n",
        "path: src/a.ts\n+window.location = new URLSearchParams(location.search).get(\"next\");\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n     if not is_safe_url(target):\n         target = \"/\"\n+    return redirect(target)\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(\"/users/\" + req.params.id);\n });\n",
        "path: src/a.js\n function open(url) {\n+  window.location = url;\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Redirect) {
        sink.report(
            value,
            format!("`{}` comes from the request and decides where the browser is sent.", quote(source.text())),
        );
    }
}
