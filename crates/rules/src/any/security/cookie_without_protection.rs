//! A cookie that is sent without the `Secure` or `HttpOnly` attribute.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/cookie-without-protection",
    languages: &["Java", "Kotlin"],
    title: "Cookie without Secure or HttpOnly",
    why: "Without `HttpOnly`, scripts in the page can read the cookie; without `Secure`, it is also sent over plain \
          HTTP. An injected script or an attacker on the network can then steal a session stored in it.",
    fix: "Call `setSecure(true)` and `setHttpOnly(true)` before the cookie is added.",
    references: &["CWE-614", "CWE-1004"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["object_creation_expression", "call_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+void remember(HttpServletResponse response, String id) {
+    Cookie cookie = new Cookie("id", id);
^
+    cookie.setHttpOnly(true);
+    response.addCookie(cookie);
+}
"#,
        r#"
path: src/A.java
+void remember(HttpServletResponse response, String id) {
+    response.addCookie(new Cookie("id", id));
^
+}
"#,
        r#"
path: src/a.kt
+fun remember(response: HttpServletResponse, id: String) {
+    val cookie = Cookie("id", id)
^
+    response.addCookie(cookie)
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.java
+void remember(HttpServletResponse response, String id) {
+    Cookie cookie = new Cookie("id", id);
+    cookie.setHttpOnly(true);
+    cookie.setSecure(true);
+    response.addCookie(cookie);
+}
"#,
        r#"
path: src/A.java
@@ void remember(HttpServletResponse response, String id) {
+    Cookie cookie = new Cookie("id", id);
     cookie.setHttpOnly(true);
"#,
        r#"
path: src/A.java
+void forget(HttpServletResponse response) {
+    Cookie cookie = new Cookie("id", "");
+    cookie.setMaxAge(0);
+    response.addCookie(cookie);
+}
"#,
        r#"
path: src/a.kt
+fun remember(response: HttpServletResponse, id: String) {
+    val cookie = Cookie("id", id)
+    cookie.isHttpOnly = true
+    cookie.secure = true
+    response.addCookie(cookie)
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let makes = matches!(
        call.callee,
        "Cookie"
            | "HttpCookie"
            | "javax.servlet.http.Cookie"
            | "jakarta.servlet.http.Cookie"
            | "java.net.HttpCookie"
            | "NewCookie"
            | "SimpleCookie"
    );
    if !makes || call.arguments.len() != 2 || node.child_of_kind(&["class_body"]).is_some() {
        return;
    }
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| function.is_within_hunk())
    else {
        return;
    };
    let text = function.text();
    let name = node
        .parent()
        .filter(|parent| parent.is(&["variable_declarator"]))
        .and_then(|parent| parent.field("name"))
        .map(Node::text);
    let calls = |method: &str| {
        name.map_or_else(
            || text.contains(method),
            |name| {
                text.contains(&format!("{name}.{method}"))
                    || text.contains(&format!("{name}\n")) && text.contains(method)
            },
        )
    };
    let property = |word: &str| text.contains(&format!("{word} ="));
    let secure = calls("setSecure") || property("secure");
    let http_only = calls("setHttpOnly") || property("isHttpOnly");
    if calls("setMaxAge(0")
        || text.contains(".maxAge = 0")
        || text.contains("MockMvc")
        || (name.is_some() && !is_sent(text))
        || node
            .ancestors()
            .take(2)
            .any(|around| around.has_role(Role::Return))
    {
        return;
    }
    let missing = match (secure, http_only) {
        (true, true) => return,
        (false, false) => "`Secure` and `HttpOnly`",
        (false, true) => "`Secure`",
        (true, false) => "`HttpOnly`",
    };
    sink.report(
        node,
        format!("The cookie is created here and sent without {missing}."),
    );
}

fn is_sent(text: &str) -> bool {
    text.contains("addCookie") || text.contains(".cookie(") || text.contains("Set-Cookie")
}
