//! Templates with source code from a request.

use lint::{Check, Rule, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/template-injection",
    languages: taint::LANGUAGES,
    title: "Template built from the request",
    why: "A template engine runs the expressions in the source of a template. If the request supplies part of the \
          source, its sender can call functions and read objects on the server.",
    fix: "Keep the template constant and pass the value to it as data.",
    references: &["CWE-1336"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run: |node, _, sink| {
            tainted::report(
                node,
                Kind::Template,
                "becomes part of a template's source",
                sink,
            )
        },
    },
    positive: &[
        r#"
path: src/a.py
@@ def hello():
     name = request.args["name"]
+    return render_template_string("<h1>Hello " + name + "</h1>")
^
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const page = pug.compile("p " + req.query.text);
^
   res.send(page());
 });
"#,
        r#"
path: web/a.go
+func show(w http.ResponseWriter, r *http.Request) {
+	page, err := template.New("page").Parse(r.URL.Query().Get("page"))
^
+	run(w, page, err)
+}
"#,
        r#"
path: src/A.java
@@ void show(HttpServletRequest request, Writer out) {
+        Velocity.evaluate(context, out, "page", request.getParameter("page"));
^
"#,
        r#"
path: src/a.kt
 fun Route.show(engine: Engine) = get("/show") {
+    val page = engine.evaluate(call.parameters["page"]!!)
^
     call.respondText(page)
 }
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return Template.Parse(Request.Form["page"]).Render();
^
 }
"#,
        r#"
path: src/a.php
 <?php
+echo htmlspecialchars($twig->createTemplate($_POST["page"])->render());
^
"#,
        r#"
path: src/a.rb
 def show
+  render inline: params[:page]
^
 end
"#,
    ],
    negative: &[
        r#"
path: web/a.go
+func same(r *http.Request) bool {
+	from, err := url.Parse(r.Header.Get("Origin"))
+	id, wrong := uuid.Parse(r.URL.Query().Get("id"))
+	return err == nil && wrong == nil && from.Host == r.Host && id != uuid.Nil
+}
"#,
        r#"
path: src/a.py
@@ def hello():
     name = request.args["name"]
+    return render_template_string("<h1>Hello {{ name }}</h1>", name=name)
"#,
        r#"
path: src/a.js
+const page = pug.compile(source);
"#,
        r#"
path: src/A.java
@@ void show(HttpServletRequest request, Writer out) {
+        context.put("size", Integer.parseInt(request.getParameter("size")));
+        Velocity.evaluate(context, out, "page", "$size items");
"#,
        r#"
path: src/a.kt
 fun Route.show(engine: Engine) = get("/show") {
+    val page = engine.evaluate("greeting.txt")
     call.respondText(page)
 }
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return Template.Parse("Hello {{ name }}").Render(new { name = Request.Form["name"] });
 }
"#,
        r#"
path: src/a.php
 <?php
+$page = $twig->createTemplate("Hello {{ name }}")->render(["name" => $_POST["name"]]);
"#,
        r#"
path: src/a.rb
 def show
+  render inline: "Hello <%= @name %>", locals: { name: params[:name] }
 end
"#,
    ],
};
