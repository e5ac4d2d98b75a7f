//! Redirects to an address that a request chooses.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/open-redirect",
    languages: taint::LANGUAGES,
    title: "Redirect to an address from the request",
    why: "A link to this site then leads to any other site. People trust the name that they see, and land \
          on a copy of the login page. With `javascript:` addresses in a browser it even runs code.",
    fix: "Redirect only to paths of this site, or look the target up in a fixed list.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: taint::ON, run },
    fires: &[
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n+    return redirect(target)\n^\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(req.query.url);\n^\n });\n",
        "path: src/A.java\n@@ void go(HttpServletRequest request, HttpServletResponse response) throws IOException {\n+        response.sendRedirect(request.getParameter(\"url\"));\n^\n",
        "path: src/a.ts\n+window.location = new URLSearchParams(location.search).get(\"next\");\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n     if not is_safe_url(target):\n         target = \"/\"\n+    return redirect(target)\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(\"/users/\" + req.params.id);\n });\n",
        "path: src/a.rb\n def go\n+  redirect_to params.merge(only_path: true)\n end\n",
        "path: src/a.js\n function open(url) {\n+  window.location = url;\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Rails then leaves out the host.
    let keeps_host = |scope: Node<'_>| scope.text().contains("only_path");
    let free = |_: &_| !keeps_host(node) && !node.enclosing(Role::Function).is_some_and(keeps_host);
    if let Some((value, source)) = taint::flow(node, Kind::Redirect).filter(free) {
        taint::report_flow(value, source, "decides where the browser is sent", sink);
    }
}
