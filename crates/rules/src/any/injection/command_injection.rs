//! Commands that untrusted input can influence.

use lint::tainted;
use lint::{Check, NodeContext, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/command-injection",
    languages: taint::COMMAND_LANGUAGES,
    title: "Command from a request",
    why: "A shell interprets `;`, `|`, `$(…)` and line breaks in a value as syntax, and what splits a command line at \
          its blanks takes a blank as the start of another argument. An attacker who controls the value runs commands \
          of their choice with the privileges of the service.",
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
+    subprocess.run(f"ping -c 1 {host}", shell=True)
^
+    os.popen("ping -c 1 %s" % host)
^
+    await asyncio.create_subprocess_shell("ping " + host)
^
+    subprocess.check_output(["sh", "-c", "ping " + host])
^
"#,
        r#"
path: src/a.js
 app.get("/ping", (req, res) => {
+  exec("ping " + req.query.host, done);
^
+  cp.execSync(`ping ${req.query.host}`);
^
+  spawn("sh", ["-c", "ping " + req.query.host]);
^
+  spawn("ping " + req.query.host, { shell: true });
^
+  spawn("ping", ["-c", req.query.count], { shell: true });
^
 });
"#,
        r#"
path: src/a.ts
 app.get("/ping", async (req: Request, res: Response) => {
+  await execAsync(`ping ${req.query.host}`);
^
 });
"#,
        r#"
path: src/a.tsx
 export async function action({ request, params }) {
+  execSync(`ping ${request.headers.get("host")}`);
^
   return <Ping />;
 }
"#,
        r#"
path: src/a.go
 func ping(w http.ResponseWriter, r *http.Request) {
+	exec.Command("sh", "-c", "ping "+r.FormValue("host")).Run()
^
+	line := fmt.Sprintf("ping %s", r.URL.Query().Get("host"))
+	args := []string{"-c", line}
+	exec.CommandContext(r.Context(), "/bin/bash", args...).Run()
^
+	exec.Command(r.FormValue("program")).Run()
^
 }
"#,
        r#"
path: src/a.php
 <?php
+system("ping " . $_GET["host"]);
^
+\shell_exec("ping {$_GET['host']}");
^
+$out = `ping {$_GET['host']}`;
^
+proc_open("ping " . $_POST["host"], [], $pipes);
^
+popen("ping " . $_POST["host"], "r");
^
"#,
        r#"
path: src/A.java
@@ void ping(HttpServletRequest request) throws IOException {
+        Runtime.getRuntime().exec("ping " + request.getParameter("host"));
^
+        new ProcessBuilder("sh", "-c", "ping " + request.getParameter("host")).start();
^
+        String[] command = {"/bin/sh", "-c", "ping " + request.getParameter("host")};
+        Runtime.getRuntime().exec(command);
^
+        new ProcessBuilder(List.of("bash", "-c", request.getParameter("line"))).start();
^
"#,
        r#"
path: src/A.kt
 fun Route.ping() = get("/ping") {
+    Runtime.getRuntime().exec("ping ${call.parameters["host"]}")
^
+    ProcessBuilder("sh", "-c", "ping " + call.parameters["host"]).start()
^
+    ProcessBuilder(listOf("sh", "-c", "ping " + call.parameters["host"])).start()
^
 }
"#,
        r#"
path: src/A.cs
 class PingController : Controller {
     public IActionResult Ping(string host) {
+        Process.Start("cmd.exe", "/c ping " + host);
^
+        var start = new ProcessStartInfo("/bin/sh", $"-c \"ping {host}\"");
^
+        var other = new ProcessStartInfo { FileName = "ping", Arguments = $"-c 1 {host}" };
^
         return Ok();
     }
 }
"#,
        r#"
path: src/a.rb
 def ping
+  system("ping #{params[:host]}")
^
+  `ping #{params[:host]}`
^
+  %x(ping #{params[:host]})
^
+  Open3.capture3("ping #{params[:host]}")
^
+  IO.popen("ping " + params[:host])
^
+  Open3.capture2("sh", "-c", "ping #{params[:host]}")
^
 end
"#,
        r#"
path: src/a.rs
 async fn ping(Query(host): Query<String>) -> String {
+    Command::new("sh").arg("-c").arg(format!("ping {host}")).status();
^
+    let line = format!("ping {}", host);
+    tokio::process::Command::new("/bin/bash").args(["-c", &line]).output();
^
+    let mut command = Command::new("sh");
+    command.arg("-c");
+    command.arg(&line);
^
     String::new()
 }
"#,
        r#"
path: src/a.c
 int reply(struct MHD_Connection *connection) {
     char line[200];
     const char *host = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "host");
     snprintf(line, sizeof line, "ping %s", host);
+    return system(line);
^
 }
"#,
        r#"
path: src/a.cpp
 void serve(const httplib::Request& req) {
+    std::string line = "ping " + req.get_param_value("host");
+    std::system(line.c_str());
^
+    popen(("ping " + req.get_param_value("host")).c_str(), "r");
^
 }
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
path: src/a.go
 func ping(w http.ResponseWriter, r *http.Request) {
+	exec.Command("ping", "-c", "1", r.FormValue("host")).Run()
+	exec.Command("sh", "script.sh", r.FormValue("host")).Run()
+	exec.Command("sh", "-c", "ping \"$0\"", r.FormValue("host")).Run()
 }
"#,
        r#"
path: src/a.py
@@ def ping():
     host = request.args["host"]
+    subprocess.run(["ping", "-c", "1", host])
+    os.system("ping -c 1 " + shlex.quote(host))
+    command = ["ping"]
+    command.append(host)
+    subprocess.run(command)
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
 app.get("/ping", (req, res) => {
+  execFile("ping", ["-c", req.query.count], done);
+  spawn("ping", [req.query.host], { shell: false });
 });
"#,
        r#"
path: src/a.ts
 app.get("/ping", async (req: Request, res: Response) => {
+  await execa("ping", [String(req.query.host)]);
 });
"#,
        r#"
path: src/a.tsx
 export async function action({ request }) {
+  spawn("ping", [request.headers.get("host")]);
   return <Ping />;
 }
"#,
        r#"
path: src/a.php
 <?php
+system("ping " . escapeshellarg($_GET["host"]));
+proc_open(["ping", $_GET["host"]], [], $pipes);
"#,
        r#"
path: src/A.java
@@ void ping(HttpServletRequest request) throws IOException {
+        new ProcessBuilder("ping", "-c", "1", request.getParameter("host")).start();
+        Runtime.getRuntime().exec(new String[] {"ping", request.getParameter("host")});
+        pattern.exec("ping " + request.getParameter("host"));
"#,
        r#"
path: src/A.kt
 fun Route.ping() = get("/ping") {
+    ProcessBuilder("ping", call.parameters["host"]).start()
+    ProcessBuilder("sh", "-c", "uptime").start()
 }
"#,
        r#"
path: src/A.cs
 class PingController : Controller {
     public IActionResult Ping(int count) {
+        Process.Start("ping", "-c " + count);
         return Ok();
     }
 }
"#,
        r#"
path: src/a.rb
 def ping
+  system("ping", "-c", "1", params[:host])
+  `ping #{Shellwords.escape(params[:host])}`
+  IO.popen(["ping", params[:host]])
 end
"#,
        r#"
path: src/a.rs
 async fn ping(Query(host): Query<String>, Path(count): Path<u32>) -> String {
+    Command::new("ping").arg("-c").arg(&host).status();
+    Command::new("sh").arg("-c").arg("uptime").status();
+    Command::new("sh").arg("-c").arg(format!("ping -c {} ::1", count)).status();
     String::new()
 }
"#,
        r#"
path: src/a.c
 int reply(struct MHD_Connection *connection) {
     char line[200];
     const char *count = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "count");
     snprintf(line, sizeof line, "ping -c %d ::1", atoi(count));
+    execlp("ping", "ping", "-c", count, NULL);
+    return system(line);
 }
"#,
        r#"
path: src/a.cpp
 void serve(const httplib::Request& req) {
+    std::system("ping -c 1 ::1");
+    regex.exec(req.get_param_value("host"));
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let lines = taint::sinks(node, Kind::CommandLine).into_iter();
    let programs = taint::sinks(node, Kind::Command).into_iter();
    let part = lines.chain(programs.filter_map(program)).find_map(|value| {
        let source = taint::source(value, Kind::Command)?;
        Some((value, source))
    });
    if let Some((value, source)) = part {
        // A list of arguments may be in lines above the call.
        let place = if value.is_inside(node) { value } else { node };
        tainted::report_flow(place, source, "becomes part of a command", sink);
    }
}

/// The program that a call starts, unless it is fixed and only its arguments vary.
fn program(value: Node<'_>) -> Option<Node<'_>> {
    let program = taint::program(value);
    let fixed = taint::string_build(program, Kind::Command).is_some_and(|built| {
        built.text.start() <= built.piece.start() && built.text.text().contains(' ')
    });
    (!fixed).then_some(program)
}
