//! Format strings from a request.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/format-from-request",
    languages: &[
        "Java", "JavaScript", "TypeScript", "TSX", "C#", "PHP", "Ruby", "Go",
    ],
    title: "Format string taken from the request",
    why: "The placeholders in a format decide which values are read and how they are shown. A format written by an \
          attacker discloses values that were not intended for them, or fails on an excess placeholder.",
    fix: "Keep the format constant and pass the string as a value: `printf(\"%s\", text)`.",
    references: &["CWE-134"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/a.rb
 def show
+  printf(params[:format], user.name)
^
 end
"#,
        r#"
path: src/A.java
@@ void show(HttpServletRequest request) {
+        String.format(request.getParameter("format"), user);
^
"#,
        r#"
path: src/a.php
 <?php
+printf($_GET["format"], $name);
^
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const text = util.format(req.query.format, user.name);
^
   res.json({ text });
 });
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return string.Format(Request.Query["format"], user.Name);
^
 }
"#,
        r#"
path: src/a.go
 func show(r *http.Request, user User) string {
+	return fmt.Sprintf(r.FormValue("format"), user.Name)
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.rb
 def show
+  printf("%s", params[:text])
+  format("%d", params[:count])
 end
"#,
        r#"
path: src/A.java
@@ void show(HttpServletRequest request) {
+        String.format("%s", request.getParameter("text"));
"#,
        r#"
path: src/a.js
 app.get("/", (req, res) => {
+  const text = util.format("%s: %s", user.name, req.query.text);
   res.json({ text });
 });
"#,
        r#"
path: src/A.cs
 public string Show()
 {
+    return string.Format("{0}: {1}", user.Name, Request.Query["text"]);
 }
"#,
        r#"
path: src/a.php
 <?php
+printf("%s: %s", $user->name, htmlspecialchars($_GET["text"]));
"#,
        r#"
path: src/a.go
 func show(r *http.Request, user User) string {
+	return fmt.Sprintf("%s: %s", user.Name, r.FormValue("text"))
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, source)) = taint::flow(node, Kind::Format) else {
        return;
    };
    let Some(call) = node.call() else { return };
    // The values come after a constant format.
    let first = call
        .arguments
        .first()
        .map(|first| taint::argument_value(*first))
        .filter(|first| *first != value);
    let constant = first.is_some_and(|first| first.has_role(Role::Text));
    // Without further arguments, there is nothing to disclose.
    if !constant && call.arguments.len() > 1 {
        tainted::report_flow(value, source, "is used as a format here", sink);
    }
}
