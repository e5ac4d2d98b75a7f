//! Markup that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/cross-site-scripting",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"],
    title: "Value from the request shown as markup",
    why: "What the request says is written into the page as HTML. A link prepared by somebody else then \
          runs a script in the reader's session, with all that the reader may do.",
    fix: "Show it as text (a template that escapes, `textContent`), or escape it for HTML first.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Call, Role::Assign]), run },
    fires: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  res.send(\"<h1>Hello \" + req.query.name + \"</h1>\");\n^\n });\n",
        "path: src/a.js\n+document.getElementById(\"name\").innerHTML = location.hash.slice(1);\n^\n",
        "path: src/a.py\n@@ def hello():\n     name = request.args.get(\"name\", \"\")\n+    return make_response(\"<h1>Hello \" + name + \"</h1>\")\n^\n",
        "path: src/A.java\n@@ void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n+        response.getWriter().println(\"Hello \" + request.getParameter(\"name\"));\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  res.send(\"<h1>Hello \" + escapeHtml(req.query.name) + \"</h1>\");\n+  res.json({ name: req.query.name });\n });\n",
        "path: src/a.js\n+document.getElementById(\"name\").textContent = location.hash.slice(1);\n",
        "path: src/a.js\n function show(html) {\n+  box.innerHTML = html;\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if let Some((value, source)) = taint::flow(node, Kind::Html) {
        sink.report(
            value,
            format!("`{}` comes from the request and is written out as HTML without escaping.", quote(source.text())),
        );
    }
}
