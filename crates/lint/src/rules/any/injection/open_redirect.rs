//! Redirects to a URL from a request.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::tainted;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests};
use crate::semantics::taint::{self, Kind};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/open-redirect",
    languages: taint::LANGUAGES,
    title: "Redirect to a URL from the request",
    why: "A link to this site can then lead to any other site. Users trust the host name that they see and may land \
          on a copy of the login page. A `javascript:` URL in a browser even runs code.",
    fix: "Redirect only to paths of this site, or look the target up in a fixed list.",
    references: &["CWE-601"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n+    return redirect(target)\n^\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(req.query.url);\n^\n });\n",
        "path: src/A.java\n@@ void go(HttpServletRequest request, HttpServletResponse response) throws IOException {\n+        response.sendRedirect(request.getParameter(\"url\"));\n^\n",
        "path: src/a.ts\n+window.location = new URLSearchParams(location.search).get(\"next\");\n^\n",
    ],
    negative: &[
        "path: src/a.js\n const anchor = document.createElement(\"a\");\n+anchor.href = location.href;\n",
        "path: src/a.py\n@@ def login():\n     target = request.args.get(\"next\")\n     if not is_safe_url(target):\n         target = \"/\"\n+    return redirect(target)\n",
        "path: src/a.js\n app.get(\"/out\", (req, res) => {\n+  res.redirect(\"/users/\" + req.params.id);\n });\n",
        "path: src/a.rb\n def go\n+  redirect_to params.merge(only_path: true)\n end\n",
        "path: src/a.js\n function open(url) {\n+  window.location = url;\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Rails then ignores the host.
    let keeps_host = |scope: Node<'_>| scope.text().contains("only_path");
    // The address of the page itself, as it is.
    let is_own = |value: Node<'_>| value.text().ends_with("location.href");
    let free = |(value, _): &(Node<'_>, Node<'_>)| {
        !is_own(*value)
            && !keeps_host(node)
            && !node.enclosing(Role::Function).is_some_and(keeps_host)
    };
    if let Some((value, source)) = taint::flow(node, Kind::Redirect).filter(free) {
        tainted::report_flow(
            value,
            source,
            "determines where the browser is redirected",
            sink,
        );
    }
}
