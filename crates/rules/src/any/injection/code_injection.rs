//! Code that is built from a request.

use lint::{Check, NodeContext, Rule, Sink, Tests, tainted};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/code-injection",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "C#", "PHP", "Ruby",
    ],
    title: "Value from the request executed as code",
    why: "The input of the request runs as part of the program. Its sender can do anything that the process can: read \
          secrets, change data, start programs.",
    fix: "Do not execute strings as code. Parse data with a parser, such as one for JSON or literals, and select \
          functions from a fixed table.",
    references: &["CWE-94", "CWE-95"],
    priority: Priority::P0,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/a.py
@@ def calc():
     text = request.form["formula"]
+    return str(eval(text))
^
"#,
        r#"
path: src/a.js
 app.post("/calc", (req, res) => {
+  const value = eval(req.body.formula);
^
   res.json({ value });
 });
"#,
        r#"
path: src/a.js
+const run = new Function("x", location.hash.slice(1));
^
"#,
        r#"
path: src/a.php
 <?php
+$object = call_user_func($_GET["do"]);
^
"#,
        r#"
path: src/A.java
@@ Object run(HttpServletRequest request) throws ScriptException {
+        ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");
+        return engine.eval(request.getParameter("formula"));
^
"#,
        r#"
path: src/a.kt
 fun Route.calc(engine: ScriptEngine) = get("/calc") {
+    val value = engine.eval(call.parameters["formula"])
^
     call.respond(value)
 }
"#,
        r#"
path: src/A.cs
 public async Task<object> Calc()
 {
+    return await CSharpScript.EvaluateAsync(Request.Query["formula"]);
^
 }
"#,
        r#"
path: src/a.rb
 def calc
+  render plain: eval(params[:formula])
^
 end
"#,
    ],
    negative: &[
        r#"
path: src/a.py
@@ def calc():
     text = request.form["formula"]
+    return str(ast.literal_eval(text))
"#,
        r#"
path: src/a.js
 app.post("/calc", (req, res) => {
+  setTimeout(() => run(req.body.id), 10);
 });
"#,
        r#"
path: src/a.py
 def calc(text):
+    return model.eval(text)
"#,
        r#"
path: src/A.java
@@ Object run(HttpServletRequest request) throws ScriptException {
+        ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");
+        engine.put("amount", Integer.parseInt(request.getParameter("amount")));
+        return engine.eval("amount * 2");
"#,
        r#"
path: src/a.kt
 fun Route.calc(engine: ScriptEngine) = get("/calc") {
+    val value = engine.eval("amount * " + call.parameters["amount"]!!.toInt())
     call.respond(value)
 }
"#,
        r#"
path: src/A.cs
 public async Task<object> Calc()
 {
+    return await CSharpScript.EvaluateAsync("1 + " + int.Parse(Request.Query["amount"]));
 }
"#,
        r#"
path: src/a.php
 <?php
+$object = call_user_func("show", $_GET["name"]);
"#,
        r##"
path: src/a.rb
 def calc
+  render plain: eval("#{params[:amount].to_i} * 2")
 end
"##,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((value, source)) = taint::flow(node, Kind::Code) else {
        return;
    };
    if finds_class(node) {
        tainted::report_flow(value, source, "chooses the class here", sink).priority(Priority::P2);
    } else {
        tainted::report_flow(value, source, "is run as code here", sink);
    }
}

/// Whether a call of Ruby only finds a class by its name. It depends on the use of the class whether that harms.
fn finds_class(node: Node<'_>) -> bool {
    const FINDERS: &[&str] = &[
        "const_get", "constantize", "safe_constantize", "qualified_const_get",
    ];
    node.call().is_some_and(|call| FINDERS.contains(&call.name))
}
