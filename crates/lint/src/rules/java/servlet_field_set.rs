//! A field of a servlet that a request sets.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::types::declared;

pub(crate) const RULE: Rule = Rule {
    id: "java/servlet-field-set",
    languages: &["Java"],
    title: "Field of a servlet set by a request",
    why: "There is one object of a servlet, and all requests run through it at the same time. What one request puts into a field, another one overwrites before \
          the first has read it: users see each other's data.",
    fix: "Keep it in a local variable, in the request or in the session.",
    priority: Priority::P1,
    category: Category::Concurrency,
    confidence: 0.85,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["assignment_expression"]), run },
    fires: &[
        "+public class Login extends HttpServlet {\n+    private String user;\n^\n+    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n+        user = request.getParameter(\"user\");\n+        show(response);\n+    }\n+}\n",
        "@@ public class Login extends HttpServlet {\n     private String user;\n     protected void doPost(HttpServletRequest request, HttpServletResponse response) {\n+        this.user = request.getParameter(\"user\");\n^\n+    }\n",
    ],
    quiet: &[
        "+public class Login extends HttpServlet {\n+    private String path;\n+    public void init(ServletConfig config) {\n+        path = config.getInitParameter(\"path\");\n+    }\n+    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n+        String user = request.getParameter(\"user\");\n+        user = user.trim();\n+        synchronized (this) {\n+            path = user;\n+        }\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let serves = node.enclosing(Role::Function).is_some_and(serves_requests);
    let Some(set) = node.assignment().filter(|_| serves && node.enclosing(Role::Lock).is_none()) else { return };
    let Some(field) = declared(set.target).filter(|own| own.is_field()).map(|own| own.node) else { return };
    let at = if field.touches_change() { field } else { node };
    let name = quote(set.target.last_name());
    sink.report(at, format!("`{name}` is one field for all requests, and each request sets it."));
}

/// Whether it is a method of a servlet that takes a request.
fn serves_requests(function: Node<'_>) -> bool {
    let named = function.field("name").is_some_and(|name| name.text() == "service" || name.text().starts_with("do"));
    let takes = function.field("parameters").is_some_and(|list| list.text().contains("ServletRequest"));
    named && takes && !function.text().starts_with("synchronized")
}
