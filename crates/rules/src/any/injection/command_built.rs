//! Shell commands that are built from values of any origin.

use lint::tainted;
use lint::{Check, NodeContext, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/command-built",
    languages: taint::COMMAND_LANGUAGES,
    title: "Shell command built from values",
    why: "A shell interprets `;`, `|`, `$(…)`, blanks and quotes in a value as syntax. A name that has one of them breaks \
          the command, and an attacker who chooses the name can run any command.",
    fix: "Start the program without a shell and pass its arguments as a list; if a shell is required, quote each value \
          for it.",
    references: &["CWE-78"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: tainted::ON,
        run,
    },
    positive: &[
        r#"
path: src/a.py
 def convert(name):
+    subprocess.run(f"convert {name} out.png", shell=True)
^
"#,
        r#"
path: src/a.js
 function convert(name) {
+  execSync(`convert ${name} out.png`);
^
 }
"#,
        r#"
path: src/a.go
 func show(name string) error {
+	return exec.Command("sh", "-c", "cat "+name).Run()
^
 }
"#,
        r#"
path: src/a.go
 func archive(ctx context.Context, folder string) error {
+	line := exec.CommandContext(ctx, "/bin/bash", "-c", fmt.Sprintf("tar czf out.tgz %s", folder))
^
 	return line.Run()
 }
"#,
        r#"
path: src/a.php
 <?php
+exec("convert $file out.png");
^
+system('rm ' . $name);
^
"#,
        r#"
path: src/a.php
 <?php
+$out = `ls $path`;
^
"#,
        r#"
path: src/a.rb
 def archive(name)
+  system("tar czf #{name}.tgz #{name}")
^
+  @head = `git rev-parse #{@branch}`
^
 end
"#,
        r#"
path: src/a.py
 def run(command):
+    subprocess.run(command, shell=True)
^
+    os.system(self.command)
^
"#,
        r#"
path: src/a.py
 def archive(name):
+    asyncio.create_subprocess_shell(f"tar czf {name}.tgz .")
^
+    subprocess.run(["bash", "-c", "tar czf " + name])
^
"#,
        r#"
path: src/a.ts
 async function convert(name: string) {
+  spawn("sh", ["-c", `convert ${name} out.png`]);
^
 }
"#,
        r#"
path: src/a.tsx
 async function convert(name: string) {
+  spawn(`convert ${name} out.png`, { shell: true });
^
 }
"#,
        r#"
path: src/A.java
 class Archive {
     void pack(String folder) throws IOException {
+        Runtime.getRuntime().exec("tar czf out.tgz " + folder);
^
+        new ProcessBuilder("sh", "-c", "tar cf - " + folder + " | gzip").start();
^
     }
 }
"#,
        r#"
path: src/A.kt
 class Archive {
     fun pack(folder: String): Process {
+        Runtime.getRuntime().exec("cat $folder")
^
+        return ProcessBuilder("sh", "-c", "tar cf - " + folder + " | gzip").start()
^
     }
 }
"#,
        r#"
path: src/A.cs
 class Archive {
     void Pack(string folder) {
+        Process.Start("cmd.exe", $"/c tar czf out.tgz {folder}");
^
     }
 }
"#,
        r#"
path: src/a.rs
 fn archive(name: &str) {
+    Command::new("sh").arg("-c").arg(format!("tar czf {name}.tgz {name}")).status();
^
 }
"#,
        r#"
path: src/a.rs
 async fn list(folder: &str) -> io::Result<Output> {
+    tokio::process::Command::new("/bin/bash")
+        .args(["-c", &format!("ls -l {}", folder)])
^
+        .output()
+        .await
 }
"#,
        r#"
path: src/a.c
 void archive(const char *name) {
     char command[200];
     snprintf(command, sizeof command, "tar czf %s.tgz", name);
+    system(command);
^
+    strcpy(command, "tar czf ");
+    strcat(command, name);
+    popen(command, "r");
^
 }
"#,
        r#"
path: src/a.cpp
 void archive(const std::string& name) {
+    system(("tar czf " + name).c_str());
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.tsx
 function find(text: string, count: number) {
+  execFile("convert", [text, "out.png"]);
+  execSync(`seq ${count}`);
 }
"#,
        r#"
path: src/A.java
 class Archive {
     void pack(String folder, int level) throws IOException {
+        new ProcessBuilder("tar", "czf", "out.tgz", folder).start();
+        Runtime.getRuntime().exec("tar -" + level);
+        task.exec("tar " + folder);
     }
 }
"#,
        r#"
path: src/A.kt
 class Archive {
     fun pack(folder: String) {
+        Runtime.getRuntime().exec(arrayOf("cat", folder))
+        ProcessBuilder("sh", "-c", "ls | wc -l").start()
+        ProcessBuilder("cat", folder).start()
     }
 }
"#,
        r#"
path: src/A.cs
 class Archive {
     void Pack(string folder, int level) {
+        Process.Start("tar", "czf out.tgz .");
+        Process.Start("tar", $"-{level}");
+        command.Start("tar", folder);
     }
 }
"#,
        r#"
path: src/a.rs
 fn archive(name: &str, count: u32) {
+    Command::new("tar").arg("czf").arg(format!("{name}.tgz")).arg(name).status();
+    Command::new("sh").arg("-c").arg("ls | wc -l").arg(format!("{name}")).status();
+    Command::new("sh").arg("-c").arg(format!("seq {count}")).status();
+    Command::new("ls").args(["-l", &format!("./{name}")]).status();
+    app.arg("-c").arg(format!("ls {name}"));
 }
"#,
        r#"
path: src/a.c
 void archive(int number) {
     char command[200];
+    snprintf(command, sizeof command, "tar czf %d.tgz", number);
+    system(command);
+    system("make all");
 }
"#,
        r#"
path: src/a.cpp
 void archive(const std::string& name) {
+    const std::string command = "tar czf all.tgz .";
+    system(command.c_str());
+    std::string title = "tar czf " + name;
+    print(title);
 }
"#,
        r#"
path: src/a.js
 function find(text) {
+  return /a+/.exec(text + "x");
 }
"#,
        r#"
path: src/a.js
+exec("ls -la", done);
+const out = execSync(`ls ${ROOT}`);
"#,
        r#"
path: src/a.py
 def convert(name):
+    subprocess.run(["convert", name, "out.png"])
+    os.system("convert " + shlex.quote(name))
"#,
        r#"
path: src/a.py
 def convert(name):
     subprocess.run(f"convert {name} out.png", shell=True)
+    return name
"#,
        r#"
path: scripts/a.js
 function tag(name) {
+  execSync(`git tag ${name}`);
 }
"#,
        r#"
path: src/a.ts
 function stop(id: number, child: ChildProcess) {
+  execSync(`kill ${id}`);
+  execSync(`kill -9 ${child.pid}`);
 }
"#,
        r#"
path: src/a.go
 func show(name string) {
+	exec.Command("cat", name).Run()
+	exec.Command("sh", "-c", "ls | wc -l").Run()
+	exec.Command("tar", "-c", "./"+name).Run()
+	exec.Command("bash", "-c", "ls "+"-l").Run()
 }
"#,
        r#"
path: src/a.php
 <?php
+exec('convert ' . escapeshellarg($file) . ' out.png');
+exec('convert in.png out.png');
+proc_open(['convert', $file], [], $pipes);
+$out = `ls`;
"#,
        r##"
path: src/a.rb
 def archive(name)
+  system("tar", "czf", "#{name}.tgz", name)
+  `tar czf #{Shellwords.escape(name)}`
+  system("sleep #{seconds.to_i}")
 end
"##,
        r#"
path: src/a.py
 def listing(name):
+    subprocess.run(["ls", name])
+    subprocess.run("ls | wc -l", shell=True)
+    subprocess.run(["tar", "tf", name], shell=False)
+    os.system("clear")
"#,
    ],
};

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // The project's own scripts may run any command.
    if context.file.is_script {
        return;
    }
    let is_place = node.is(&["shell_command_expression", "subshell"]);
    for value in taint::sinks(node, Kind::CommandLine) {
        // `any/command-injection` reports data from a request.
        if taint::source(value, Kind::Command).is_some() {
            return;
        }
        let piece = if is_place {
            taint::changing(value, Kind::Command)
        } else {
            taint::string_build(value, Kind::Command).map(|built| built.piece)
        };
        // A list of arguments may be in lines above the call.
        let place = if value.is_inside(node) { value } else { node };
        if let Some(piece) = piece {
            let summary = "is inserted into a command line.";
            sink.report(place, format!("`{}` {summary}", quote(piece.text())));
            return;
        }
        report_unknown(value, sink);
    }
}

/// Reports a command line that is not visible.
fn report_unknown(value: Node<'_>, sink: &mut Sink<'_>) {
    let is_python = value.tree().grammar().name() == "Python";
    if is_python
        && value.is(&["identifier", "attribute"])
        && taint::changing(value, Kind::Command).is_some()
    {
        sink.report(
            value,
            format!(
                "A shell interprets `{}`, whatever it contains.",
                quote(value.text())
            ),
        )
        .priority(Priority::P3);
    }
}
