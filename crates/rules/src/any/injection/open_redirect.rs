//! Redirects to a URL from a request.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

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
        r#"
path: src/a.py
@@ def login():
     target = request.args.get("next")
+    return redirect(target)
^
"#,
        r#"
path: src/a.js
 app.get("/out", (req, res) => {
+  res.redirect(req.query.url);
^
 });
"#,
        r#"
path: src/A.java
@@ void go(HttpServletRequest request, HttpServletResponse response) throws IOException {
+        response.sendRedirect(request.getParameter("url"));
^
"#,
        r#"
path: src/a.ts
+window.location = new URLSearchParams(location.search).get("next");
^
"#,
        r#"
path: src/a.kt
 fun Route.out() = get("/out") {
+    call.respondRedirect(call.parameters["url"]!!)
^
 }
"#,
        r#"
path: src/a.go
 func out(w http.ResponseWriter, r *http.Request) {
+	http.Redirect(w, r, r.FormValue("url"), http.StatusFound)
^
 }
"#,
        r#"
path: src/A.cs
 public IActionResult Out()
 {
+    return Redirect(Request.Query["url"]);
^
 }
"#,
        r#"
path: src/a.php
 <?php
+header("Location: " . $_GET["url"]);
^
"#,
        r#"
path: src/a.rb
 def out
+  redirect_to params[:url]
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 const anchor = document.createElement("a");
+anchor.href = location.href;
"#,
        r#"
path: src/a.py
@@ def login():
     target = request.args.get("next")
     if not is_safe_url(target):
         target = "/"
+    return redirect(target)
"#,
        r#"
path: src/a.js
 app.get("/out", (req, res) => {
+  res.redirect("/users/" + req.params.id);
 });
"#,
        r#"
path: src/a.rb
 def go
+  redirect_to params.merge(only_path: true)
 end
"#,
        r#"
path: src/a.js
 function open(url) {
+  window.location = url;
 }
"#,
        r#"
path: src/A.java
@@ void go(HttpServletRequest request, HttpServletResponse response) throws IOException {
+        response.sendRedirect("/search?q=" + URLEncoder.encode(request.getParameter("q"), UTF_8));
"#,
        r#"
path: src/a.kt
 fun Route.out() = get("/out") {
+    call.respondRedirect("/search?q=" + call.parameters["q"]!!.encodeURLParameter())
 }
"#,
        r#"
path: src/a.go
 func out(w http.ResponseWriter, r *http.Request) {
+	http.Redirect(w, r, "/search?q="+url.QueryEscape(r.FormValue("q")), http.StatusFound)
 }
"#,
        r#"
path: src/A.cs
 public IActionResult Out()
 {
+    return LocalRedirect(Request.Query["url"]);
 }
"#,
        r#"
path: src/a.php
 <?php
+header("Location: /search?q=" . urlencode($_GET["q"]));
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // With `only_path`, Rails ignores the host.
    let keeps_host = |scope: Node<'_>| scope.text().contains("only_path");
    // The URL of the page itself, unchanged or with another end.
    let is_page = |value: Node<'_>| value.text().ends_with("location.href");
    let is_own = |value: Node<'_>, source: Node<'_>| {
        let replaced = value.call().filter(|call| call.name == "replace");
        let receiver = replaced.and_then(|call| call.receiver);
        let is_replaced = receiver.is_some_and(|page| is_page(page) && source.is_inside(page));
        is_page(value) || is_replaced
    };
    let free = |(value, source): &(Node<'_>, Node<'_>)| {
        !is_own(*value, *source)
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
