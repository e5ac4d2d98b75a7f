//! Markup that is built from a request.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/cross-site-scripting",
    languages: taint::LANGUAGES,
    title: "Value from the request rendered as HTML",
    why: "The input of the request is written into the page as HTML. A link prepared by an attacker then runs a script \
          in the session of the user who opens it, with all rights of that user.",
    fix: "Render it as text (a template with escaping, `textContent`), or escape it for HTML first.",
    references: &["CWE-79"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  res.send("<h1>Hello " + req.query.name + "</h1>");
^
 });
"#,
        r#"
path: src/a.js
+document.getElementById("name").innerHTML = location.hash.slice(1);
^
"#,
        r#"
path: src/a.py
@@ def hello():
     name = request.args.get("name", "")
+    return make_response("<h1>Hello " + name + "</h1>")
^
"#,
        r#"
path: src/a.py
+@app.route("/<name>")
+def hello(name):
+    return f"<h1>Hello {name}</h1>"
^
"#,
        r#"
path: src/A.java
@@ void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
+        response.getWriter().println("Hello " + request.getParameter("name"));
^
"#,
        r#"
path: src/a.kt
 fun Route.hello() = get("/hello") {
+    call.respondText("<h1>Hello ${call.parameters["name"]}</h1>", ContentType.Text.Html)
^
 }
"#,
        r#"
path: src/a.go
 func hello(w http.ResponseWriter, r *http.Request) {
+	fmt.Fprintf(w, "<h1>Hello %s</h1>", r.FormValue("name"))
^
 }
"#,
        r#"
path: src/A.cs
 public void Hello()
 {
+    Response.Write("<h1>Hello " + Request.QueryString["name"] + "</h1>");
^
 }
"#,
        r#"
path: src/a.php
 <?php
+echo "<h1>Hello " . $_GET["name"] . "</h1>";
^
"#,
        r#"
path: src/a.rb
 def hello
+  render html: "<h1>Hello #{params[:name]}</h1>".html_safe
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  res.send("<h1>Hello " + escapeHtml(req.query.name) + "</h1>");
+  res.json({ name: req.query.name });
 });
"#,
        r#"
path: src/a.js
+document.getElementById("name").textContent = location.hash.slice(1);
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
   res.type("text/plain");
+  res.send("Hello " + req.query.name);
 });
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  res.send(req.query);
 });
"#,
        r#"
path: src/a.php
 <?php
 function save() {
+    log_line(print_r($_POST, true));
 }
"#,
        r#"
path: src/a.rb
 def change_link(user)
+  link_to "Unlock", { :controller => "users", :page => params[:page] }
 end
+def clear_link(params = { :set_filter => 1 })
+  link_to "Clear", params
+end
"#,
        r#"
path: src/a.js
 function show(html) {
+  box.innerHTML = html;
 }
"#,
        r#"
path: src/a.py
@@ def hello():
     name = request.args.get("name", "")
+    return make_response("<h1>Hello " + escape(name) + "</h1>")
"#,
        r#"
path: src/A.java
@@ void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
+        response.getWriter().println("Hello " + HtmlUtils.htmlEscape(request.getParameter("name")));
"#,
        r#"
path: src/a.kt
 fun Route.hello() = get("/hello") {
+    call.respondText("<h1>Hello ${call.parameters["name"]?.escapeHTML()}</h1>", ContentType.Text.Html)
 }
"#,
        r#"
path: src/a.go
 func hello(w http.ResponseWriter, r *http.Request) {
+	fmt.Fprintf(w, "<h1>Hello %s</h1>", html.EscapeString(r.FormValue("name")))
 }
"#,
        r#"
path: src/A.cs
 public void Hello()
 {
+    Response.Write("<h1>Hello " + HttpUtility.HtmlEncode(Request.QueryString["name"]) + "</h1>");
 }
"#,
        r#"
path: src/a.php
 <?php
+echo "<h1>Hello " . htmlspecialchars($_GET["name"]) . "</h1>";
"#,
        r#"
path: src/a.rb
 def hello
+  render html: "<h1>Hello #{ERB::Util.html_escape(params[:name])}</h1>".html_safe
 end
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let written = || {
        taint::flow(node, Kind::Html)
            .filter(|(value, _)| !is_apart(node) && !is_sent_as_json(*value) && !is_returned(node))
    };
    if let Some((value, source)) = returned_page(node).or_else(written) {
        tainted::report_flow(value, source, "is rendered as HTML without escaping", sink);
    }
}

/// Whether the value is an entire object of the request: Express sends an object as JSON.
fn is_sent_as_json(value: Node<'_>) -> bool {
    const OBJECTS: &[&str] = &["cookies", "headers", "params", "query"];
    value.is(&["member_expression"])
        && value
            .field("property")
            .is_some_and(|name| OBJECTS.contains(&name.text()))
}

/// Whether a call of PHP returns its text instead of writing it: `print_r($value, true)`.
fn is_returned(node: Node<'_>) -> bool {
    let call = node.call().filter(|call| call.name == "print_r");
    let second = call.and_then(|call| call.arguments.get(1).copied());
    second.is_some_and(|second| second.text().eq_ignore_ascii_case("true"))
}

/// Whether the enclosing function declares another content type than HTML, or checks the origin of the message.
fn is_apart(node: Node<'_>) -> bool {
    const PLAIN: &[&str] = &[
        "text/plain", "application/json", "text/csv", "application/xml", "octet-stream",
    ];
    let around = |role| node.enclosing(role).map_or("", Node::text);
    [around(Role::Function), around(Role::Lambda)]
        .into_iter()
        .any(|text| {
            (PLAIN.iter().any(|kind| text.contains(kind)) && !text.contains("text/html"))
                || text.contains(".origin")
        })
}

/// The markup returned by a Flask route, and the value of the request in it.
fn returned_page(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let page = node
        .named_children()
        .next()
        .filter(|_| node.has_role(Role::Return))?;
    let decorated = node
        .enclosing(Role::Function)?
        .parent()
        .filter(|around| around.is(&["decorated_definition"]))?;
    let is_route = decorated
        .children()
        .any(|child| child.is(&["decorator"]) && child.text().contains(".route("));
    let is_markup = || {
        taint::string_build(page, Kind::Html).is_some_and(|built| built.text.text().contains('<'))
    };
    Some((
        page,
        taint::source(page, Kind::Html).filter(|_| is_route && is_markup())?,
    ))
}
