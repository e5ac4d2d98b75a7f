//! Commands that untrusted input can influence.

use lint::tainted::{self, runs_shell};
use lint::{Check, NodeContext, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/command-injection",
    languages: taint::LANGUAGES,
    title: "Command from a request",
    why: "A shell interprets `;`, `|`, `$(…)` and line breaks in a value as syntax. An attacker who controls the value \
          runs commands of their choice with the privileges of the service.",
    fix: "Start the program without a shell and pass its arguments as a list; if a shell is required, quote each value \
          for it.",
    references: &["CWE-78"],
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
@@ def ping():
     host = request.args["host"]
+    os.system("ping -c 1 " + host)
^
"#,
        r#"
path: src/a.js
 app.get("/ping", (req, res) => {
+  exec("ping " + req.query.host, done);
^
 });
"#,
        r#"
path: src/a.go
 func ping(w http.ResponseWriter, r *http.Request) {
+	exec.Command("sh", "-c", "ping "+r.FormValue("host")).Run()
^
 }
"#,
        r#"
path: src/a.php
 <?php
+system("ping " . $_GET["host"]);
^
"#,
        r#"
path: src/A.java
@@ void ping(HttpServletRequest request) throws IOException {
+        Runtime.getRuntime().exec("ping " + request.getParameter("host"));
^
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func start(addr string) error {
+	return exec.Command(os.Args[0], "run", addr).Start()
 }
"#,
        r#"
path: src/a.py
@@ def ping():
     host = request.args["host"]
+    subprocess.run(["ping", "-c", "1", host])
+    os.system("ping -c 1 " + shlex.quote(host))
"#,
        r#"
path: src/a.js
 function find(text) {
+  return /a+/.exec(text + "x");
 }
"#,
        r#"
path: src/a.py
@@ def ping():
     host = request.args["host"]
     os.system("ping -c 1 " + host)
+    return host
"#,
        r#"
path: src/a.js
+exec("ls -la", done);
+const out = execSync(`ls ${ROOT}`);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for value in taint::sinks(node, Kind::Command) {
        if let Some(source) =
            taint::source(value, Kind::Command).filter(|_| chooses_program(node, value))
        {
            tainted::report_flow(value, source, "becomes part of a command", sink);
            return;
        }
    }
}

/// A list of arguments is safe as long as its first element, the program, is fixed and not a shell.
fn chooses_program(node: Node<'_>, value: Node<'_>) -> bool {
    let shell_less = node
        .call()
        .is_some_and(|call| call.callee.starts_with("subprocess."))
        && !runs_shell(node);
    if shell_less
        && taint::string_build(value, Kind::Command)
            .is_some_and(|built| built.text.start() <= built.piece.start())
    {
        return false;
    }
    let list = value.is(&["list", "array", "tuple"]) && !node.text().contains("shell");
    let Some(program) = value.named_children().next().filter(|_| list) else {
        return true;
    };
    let is_shell = program.string_value().is_some_and(|name| {
        matches!(
            name.rsplit('/').next(),
            Some("sh" | "bash" | "zsh" | "cmd" | "cmd.exe")
        )
    });
    is_shell || taint::source(program, Kind::Command).is_some()
}
