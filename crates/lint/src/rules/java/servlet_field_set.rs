//! A servlet field that a request assigns.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::declared;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/servlet-field-set",
    languages: &["Java"],
    title: "Servlet field assigned by a request",
    why: "A servlet has a single instance, and all requests use it concurrently. A value that one request stores in a \
          field can be overwritten by another request before it is read, so users see each other's data.",
    fix: "Keep the value in a local variable, in the request or in the session.",
    references: &["CWE-362", "CWE-488"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["assignment_expression"]), run },
    positive: &[
        "+public class Login extends HttpServlet {\n+    private String user;\n^\n+    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n+        user = request.getParameter(\"user\");\n+        show(response);\n+    }\n+}\n",
        "@@ public class Login extends HttpServlet {\n     private String user;\n     protected void doPost(HttpServletRequest request, HttpServletResponse response) {\n+        this.user = request.getParameter(\"user\");\n^\n+    }\n",
    ],
    negative: &[
        "+public class Login extends HttpServlet {\n+    private String path;\n+    public void init(ServletConfig config) {\n+        path = config.getInitParameter(\"path\");\n+    }\n+    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n+        String user = request.getParameter(\"user\");\n+        user = user.trim();\n+        synchronized (this) {\n+            path = user;\n+        }\n+    }\n+}\n",
        "+public class Login {\n+    private String user;\n+    void remember(HttpServletRequest request) {\n+        user = request.getParameter(\"user\");\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let serves = node.enclosing(Role::Function).is_some_and(serves_requests);
    let Some(set) = node.assignment().filter(|_| serves && node.enclosing(Role::Lock).is_none()) else { return };
    let Some(field) = declared(set.target).filter(|own| own.is_field()).map(|own| own.node) else { return };
    let at = if field.touches_change() { field } else { node };
    let name = quote(set.target.last_name());
    sink.report(at, format!("`{name}` is shared by all concurrent requests, and each request assigns it."));
}

/// Whether it is a method of a servlet that takes a request.
fn serves_requests(function: Node<'_>) -> bool {
    let named = function.field("name").is_some_and(|name| name.text() == "service" || name.text().starts_with("do"));
    let takes = function.field("parameters").is_some_and(|list| list.text().contains("ServletRequest"));
    named && takes && !function.text().starts_with("synchronized")
}
