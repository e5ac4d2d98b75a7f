//! Markup that a request writes.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/cross-site-scripting",
    languages: taint::LANGUAGES,
    title: "Value from the request shown as markup",
    why: "What the request says is written into the page as HTML. A link prepared by somebody else then \
          runs a script in the reader's session, with all that the reader may do.",
    fix: "Show it as text (a template that escapes, `textContent`), or escape it for HTML first.",
    priority: Priority::P1,
    category: Category::Security,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Node { on: taint::ON, run },
    fires: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  res.send(\"<h1>Hello \" + req.query.name + \"</h1>\");\n^\n });\n",
        "path: src/a.js\n+document.getElementById(\"name\").innerHTML = location.hash.slice(1);\n^\n",
        "path: src/a.py\n@@ def hello():\n     name = request.args.get(\"name\", \"\")\n+    return make_response(\"<h1>Hello \" + name + \"</h1>\")\n^\n",
        "path: src/a.py\n+@app.route(\"/<name>\")\n+def hello(name):\n+    return f\"<h1>Hello {name}</h1>\"\n^\n",
        "path: src/A.java\n@@ void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n+        response.getWriter().println(\"Hello \" + request.getParameter(\"name\"));\n^\n",
    ],
    quiet: &[
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n+  res.send(\"<h1>Hello \" + escapeHtml(req.query.name) + \"</h1>\");\n+  res.json({ name: req.query.name });\n });\n",
        "path: src/a.js\n+document.getElementById(\"name\").textContent = location.hash.slice(1);\n",
        "path: src/a.js\n app.get(\"/\", (req, res) => {\n   res.type(\"text/plain\");\n+  res.send(\"Hello \" + req.query.name);\n });\n",
        "path: src/a.js\n function show(html) {\n+  box.innerHTML = html;\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let written = || taint::flow(node, Kind::Html).filter(|_| !is_apart(node));
    if let Some((value, source)) = returned_page(node).or_else(written) {
        taint::report_flow(value, source, "is written out as HTML without escaping", sink);
    }
}

/// Whether the function around says that what it writes is no markup, or looks at who sent the message.
fn is_apart(node: Node<'_>) -> bool {
    const PLAIN: &[&str] = &["text/plain", "application/json", "text/csv", "application/xml", "octet-stream"];
    let around = |role| node.enclosing(role).map_or("", Node::text);
    [around(Role::Function), around(Role::Lambda)].into_iter().any(|text| {
        (PLAIN.iter().any(|kind| text.contains(kind)) && !text.contains("text/html")) || text.contains(".origin")
    })
}

/// Markup with a piece of the request in it that a route of Flask gives back, with that piece.
fn returned_page(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let page = node.named_children().next().filter(|_| node.has_role(Role::Return))?;
    let decorated = node.enclosing(Role::Function)?.parent().filter(|around| around.is(&["decorated_definition"]))?;
    let is_route = decorated.children().any(|child| child.is(&["decorator"]) && child.text().contains(".route("));
    let is_markup = || taint::built(page, Kind::Html).is_some_and(|built| built.text.text().contains('<'));
    Some((page, taint::source(page, Kind::Html).filter(|_| is_route && is_markup())?))
}
